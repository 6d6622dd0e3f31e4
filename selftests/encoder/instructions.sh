#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Probes inside functions need an address where an instruction starts that kprobes can replace.
# selftests/kernel/tests/verdicts.sh compares with the kernel in a guest.
. "${0%/*}/../lib.sh"

# The start of each unit: one entry in each table that the verdicts depend on
start='
	.text
	.macro function name
	.type \name, @function
\name:
	.section __mcount_loc, "a"
	.quad \name
	.previous
	.endm
	.macro end name
	.size \name, . - \name
	.endm
	.section .note.GNU-stack, ""
	.section _kprobe_blacklist, "a"
	.quad listed
	.text
	.type listed, @function
listed:	.long 0
	.size listed, 4
	.balign 16
'

# build OBJECT <<'ASM': assemble functions, each between "function NAME" and "end NAME"
build() {
	{ printf '%s\n' "$start"; cat; } >"${1%.o}.s"
	# shellcheck disable=SC2086
	$CC $machine $as_flags -c -o "$1" "${1%.o}.s"
}

# verdicts IMAGE PLACE...: print PLACE and "accepted", or the reason
verdicts() {
	local image=$1

	shift
	"$ABTF" list --probe=tracefs "$image" "$@" >printed 2>messages || true
	for place; do
		reason=$(sed -n "s/^abtf: [a-z]*:     ${place%+*}+$(printf 0x%x "${place#*+}"): //p" messages)
		echo "$place ${reason:-accepted}"
	done
	expect_eq "$(find_lines -c '' <printed)" "$(for place; do
		grep "${place%+*}+$(printf 0x%x "${place#*+}"): " messages || echo +; done | find_lines -cE '^\+|may not')"
}

# expect_verdicts IMAGE PLACE... <<'E': compare them with the here-document
expect_verdicts() {
	# not in $(...), which would lose a failure of verdicts()
	verdicts "$@" >got
	expect_text "$(cat got)"
}

cannot='kprobes cannot replace this instruction:'

# check_each OFFSET <<'LINES': each line has an instruction, and the expected reason after "|".  An
# instruction is in its own function, after two nops of OFFSET bytes, in vmlinux and in a module.
check_each() {
	local n=0 places=() expected='' insn reason

	while IFS='|' read -r insn reason; do
		n=$((n + 1))
		printf 'function f%d\n\tnop\n\tnop\n\t%s\n\tnop\nend f%d\n' $n "$insn" $n
		places+=("f$n+$1")
		expected+="f$n+$1 ${reason:-accepted}"$'\n'
	done >body
	build insns.o <body
	image vmlinux insns.o
	module mod.ko insns.o modinfo.o
	for file in vmlinux mod.ko; do
		for ((n = 0; n < ${#places[@]}; n += 30)); do
			verdicts $file "${places[@]:n:30}"
		done >got
		expect_text "$(cat got)" <<<"${expected%$'\n'}"
	done
}

# target_of TARGET [FLAGS]: set the target and the assembler's flags, and compile the name of the module
target_of() {
	target "$1"
	as_flags=${2:-}
	link+=' -Wl,--defsym=__start_mcount_loc=__start___mcount_loc,--defsym=__stop_mcount_loc=__stop___mcount_loc'
	unit modinfo <<-'C'
	static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=my_mod";
	C
}

target_of aarch64 -Wa,-march=armv8.8-a
begin 'arm64: an instruction of each kind'
check_each 8 <<E
add x0, x0, #1|
b .+8|
b.eq .+8|
cbz x0, .+8|
tbz x0, #1, .+8|
bl .+8|
br x1|
blr x1|
ret|
adrp x0, .|
ldr x0, .+8|
ldrsw x0, .+8|
mrs x0, sp_el0|
dmb ish|
isb|
nop|
paciasp|
bti c|
xpaclri|
ldar x0, [x1]|
stlr x0, [x1]|
ldadd x0, x1, [x2]|
svc #0|$cannot an exception (svc, hvc, smc, brk, hlt)
brk #0x800|$cannot an exception (svc, hvc, smc, brk, hlt)
hvc #0|$cannot an exception (svc, hvc, smc, brk, hlt)
msr daifset, #2|$cannot msr
msr sp_el0, x0|$cannot msr
mrs x0, daif|$cannot mrs of DAIF
eret|$cannot eret
eretaa|$cannot eret
braa x0, x1|$cannot a branch with authentication (braa, blraa)
blraaz x0|$cannot a branch with authentication (braa, blraa)
retaa|$cannot a return with authentication (retaa)
wfi|$cannot a hint (wfe, wfi, yield, esb, autiasp)
yield|$cannot a hint (wfe, wfi, yield, esb, autiasp)
autiasp|$cannot a hint (wfe, wfi, yield, esb, autiasp)
prfm pldl1keep, .+8|$cannot prfm with a literal
ldxr x0, [x1]|$cannot an exclusive load or store
stxr w0, x1, [x2]|$cannot an exclusive load or store
ldaxp x0, x1, [x2]|$cannot an exclusive load or store
cpyfp [x0]!, [x1]!, x2!|$cannot a memory copy (cpy, set)
E

begin 'arm64: between an exclusive load and its store, and where ftrace calls'
build exclusive.o <<'E'
function loop
	nop
	nop
1:	ldxr x0, [x1]
	add x0, x0, #1
	stxr w2, x0, [x1]
	cbnz w2, 1b
end loop
function far
	nop
	nop
	ldxr x0, [x1]
	.rept 40
	nop
	.endr
end far
function ordered
	nop
	nop
	ldar x0, [x1]
	nop
	ldxr x0, [x1]
	stlr x0, [x1]
	nop
end ordered
	.type pad, @function
	.long 0xd503201f, 0xd503201f
pad:	.long 0xd503245f, 0xd503201f, 0xd503201f, 0xd503201f
	.size pad, . - pad
	.section __mcount_loc, "a"
	.quad pad - 8
	.section __ex_table, "a"
	.globl __start___ex_table, __stop___ex_table
__start___ex_table:
	.long far + 168 - ., 0, 0
__stop___ex_table:
E
image vmlinux exclusive.o
between='one between an exclusive load and its store'
patched='one that the kernel patches or looks up by address'
depends='kprobes may not be able to replace this instruction: one that follows an ordered load or store (ldar, stlr, cas), which depends on the version'
expect_verdicts vmlinux loop+4 loop+12 loop+20 far+12 far+136 far+140 far+168 \
	ordered+12 ordered+24 pad+4 pad+8 pad+12 loop+2 <<E
loop+4 $cannot $patched
loop+12 $cannot $between
loop+20 accepted
far+12 $cannot $between
far+136 $cannot $between
far+140 accepted
far+168 $cannot $patched
ordered+12 $depends
ordered+24 $depends
pad+4 accepted
pad+8 $cannot $patched
pad+12 accepted
loop+2 no instruction starts there
E

begin 'arm64: alternatives, and alternatives with a callback'
build alternatives.o <<'E'
function lse
	nop
	nop
	ldxr x0, [x1]
1:	stxr w2, x0, [x1]
	nop
2:	nop
3:	b .
4:	b .
	.rept 40
	nop
	.endr
end lse
function alt_cb_patch_nops
	nop
end alt_cb_patch_nops
function other
	nop
end other
	.section .altinstr_replacement, "ax"
5:	nop
6:	msr daifset, #2
	.section .altinstructions, "a"
	.globl __alt_instructions, __alt_instructions_end
__alt_instructions:
	.long 1b - ., 5b - .
	.short 7
	.byte 4, 4
	.long 2b - ., 6b - .
	.short 7
	.byte 4, 4
	.long 3b - ., alt_cb_patch_nops - .
	.short 7
	.byte 4, 0
	.long 4b - ., other - .
	.short 7
	.byte 4, 0
__alt_instructions_end:
E
image vmlinux alternatives.o
boot='kprobes may not be able to replace this instruction: one that the kernel replaces at boot'
expect_verdicts vmlinux lse+16 lse+20 lse+24 lse+28 lse+136 lse+140 <<E
lse+16 $boot
lse+20 $boot
lse+24 $boot
lse+28 $boot
lse+136 $boot
lse+140 accepted
E

target_of s390x
begin 's390: an instruction of each kind'
check_each 8 <<E
lgr %r2,%r3|
larl %r2,.|
brasl %r14,.|
basr %r14,%r2|
lpswe 0(%r2)|
bcr 15,%r14|
bassm %r1,%r2|$cannot bassm
bsm %r1,%r2|$cannot bsm
.long 0x83000000|$cannot diag
ex %r1,0(%r2)|$cannot ex
stnsm 0(%r1),3|$cannot stnsm
stosm 0(%r1),3|$cannot stosm
exrl %r1,.|$cannot exrl
pr|$cannot pr
bsa %r1,%r2|$cannot bsa
bakr %r1,%r2|$cannot bakr
bsg %r1,%r2|$cannot bsg
pc 0(%r1)|$cannot pc
pt %r1,%r2|$cannot pt
epsw %r1,%r2|$cannot epsw
.long 0xe5600000; .short 0|$cannot tbegin
.long 0xe5610000; .short 0|$cannot tbeginc
.long 0xb2f80000|$cannot tend
.long 0|kprobes may not be able to replace this instruction: code that cannot be decoded
E

begin 's390: instructions of 2, 4 and 6 bytes'
build sizes.o <<'E'
function sizes
	lr %r2,%r3
	lgr %r2,%r3
	larl %r2,.
	stosm 0(%r1),3
end sizes
E
image vmlinux sizes.o
expect_verdicts vmlinux sizes+2 sizes+4 sizes+6 sizes+8 sizes+10 sizes+12 sizes+14 sizes+1 <<E
sizes+2 accepted
sizes+4 no instruction starts there
sizes+6 accepted
sizes+8 no instruction starts there
sizes+10 no instruction starts there
sizes+12 $cannot stosm
sizes+14 no instruction starts there
sizes+1 no instruction starts there
E

target_of riscv64
begin 'RISC-V: an instruction of each kind'
check_each 4 <<E
addi a0, a1, 3|
c.addi a0, 1|
c.addiw a0, 1|
c.j .|
c.jr ra|
jal ra, .|
jalr ra, 0(a0)|
auipc a0, 1|
beq a0, a1, .|
lr.w a0, (a1)|
csrr a0, sstatus|$cannot a system instruction (csrr, ecall, ebreak, wfi)
ecall|$cannot a system instruction (csrr, ecall, ebreak, wfi)
.long 0x00100073|$cannot a system instruction (csrr, ecall, ebreak, wfi)
wfi|$cannot a system instruction (csrr, ecall, ebreak, wfi)
fence rw, rw|$cannot fence
.long 0x0000100f|$cannot fence
c.ebreak|$cannot c.ebreak
E

begin 'RISC-V: instructions of 2 and 4 bytes'
build sizes.o <<'E'
function sizes
	c.addi a0, 1
	lui a0, 0x12345
	c.addi a0, 1
end sizes
E
image vmlinux sizes.o
expect_verdicts vmlinux sizes+2 sizes+4 sizes+6 <<E
sizes+2 accepted
sizes+4 no instruction starts there
sizes+6 accepted
E

target_of powerpc64le -Wa,-mpower10
begin 'powerpc: an instruction of each kind'
check_each 8 <<E
addi 3,4,5|
bl .|
blr|
mfmsr 3|
isync|
.long 0x0fe00000|$cannot a trap
tw 4,3,4|$cannot a trap
tdi 4,3,4|$cannot a trap
td 4,3,4|$cannot a trap
sc|$cannot sc
mtmsr 3|$cannot mtmsr
mtmsrd 3|$cannot mtmsrd
rfid|$cannot rfid
.long (19 << 26) + (38 << 1)|$cannot rfmci
.long (19 << 26) + (39 << 1)|$cannot rfdi
.long (19 << 26) + (50 << 1)|$cannot rfi
.long (19 << 26) + (51 << 1)|$cannot rfci
.long (19 << 26) + (82 << 1)|$cannot rfscv
hrfid|$cannot hrfid
.long (19 << 26) + (306 << 1)|$cannot urfid
stop|$cannot stop
.long (19 << 26) + (402 << 1)|$cannot doze
.long (19 << 26) + (434 << 1)|$cannot nap
.long (19 << 26) + (466 << 1)|$cannot sleep
.long (19 << 26) + (498 << 1)|$cannot rvwinkle
paddi 3,4,5|
E

begin 'powerpc: the second word of an instruction with a prefix'
build prefixed.o <<'E'
function prefixed
	nop
	paddi 3,4,5
	nop
end prefixed
E
image vmlinux prefixed.o
expect_verdicts vmlinux prefixed+4 prefixed+8 prefixed+12 prefixed+2 <<E
prefixed+4 accepted
prefixed+8 no instruction starts there
prefixed+12 accepted
prefixed+2 no instruction starts there
E

target_of gcc
begin 'x86-64: an instruction of each kind'
check_each 2 <<E
mov %rdi, %rax|
call .|
jmp .|
je .|
ret|
call *%rax|
jmp *%r11|
cli|
sti|
pushf|
popf|
hlt|
wrmsr|
swapgs|
rep movsb|
mov %rax, %cr3|
mov %eax, %ds|
lock cmpxchg %rcx, (%rdi)|
movabs \$0x1122334455667788, %rax|
vpaddd %ymm1, %ymm2, %ymm3|
ud2|$cannot ud2, ud1 or ud0
ud1 (%rax), %eax|$cannot ud2, ud1 or ud0
.byte 0x0f, 0xff|$cannot ud2, ud1 or ud0
int3|$cannot int3, int or int1
int \$0x80|$cannot int3, int or int1
.byte 0xf1|$cannot int3, int or int1
iretq|$cannot iret
mov %eax, %ss|$cannot mov to %ss
vmcall|$cannot of virtual machines (vmcall)
call *8(%rax)|$cannot a call or jump through memory
jmp *(%rax)|$cannot a call or jump through memory
.byte 0x67, 0xff, 0xd0|$cannot a call or jump through memory
lcall *(%rax)|$cannot a far call or jump
ljmp *(%rax)|$cannot a far call or jump
ud2; .ascii "xen"; cpuid|$cannot with a prefix for Xen or KVM
ud2; .ascii "kvm"; cpuid|$cannot with a prefix for Xen or KVM
mov \$-5, %r10d; add -4(%r11), %r10d; je 1f; ud2; 1:|$cannot of a check by CFI_CLANG
add -4(%r11), %r10d; je 1f; ud2; 1:|$cannot of a check by CFI_CLANG
vpor %ymm1, %ymm2, %ymm3|kprobes may not be able to replace this instruction: AVX
.byte 0x06|kprobes may not be able to replace this instruction: code that cannot be decoded
E

# The layouts of alternatives in the history of Linux: the code after the first instruction, its
# replacement, the feature and flags, both sizes, and the end of an entry
for layout in '.long 5; .byte %d, %d' '.short 5; .byte %d, %d' '.short 5; .byte %d, %d, 0'; do
	begin "x86-64: alternatives with entries of '$layout'"
	entry() {
		# shellcheck disable=SC2059
		printf "\t.long $1 - ., $2 - .; $layout\n" "$3" "$4"
	}
	build alternatives.o <<-E
	function plain
		nop
	1:	call plain
		.byte 0x66, 0x90
		nop
	end plain
	function trapped
		nop
	2:	call plain
		.byte 0x66, 0x90
	end trapped
	function patched
		nop
	3:	call __x86_indirect_thunk_rax
		nop
	end patched
	function __x86_indirect_thunk_rax
		jmp *%rax
	end __x86_indirect_thunk_rax
		.section .altinstr_replacement, "ax"
	4:	push %rax
		pop %rax
	5:	int3
		.section .altinstructions, "a"
		.globl __alt_instructions, __alt_instructions_end
	__alt_instructions:
	$(entry 1b 4b 7 2)
	$(entry 1b 4b 0 0)
	$(entry 2b 5b 7 1)
	__alt_instructions_end:
		.section .retpoline_sites, "a"
		.globl __retpoline_sites, __retpoline_sites_end
	__retpoline_sites:
		.long 3b - .
	__retpoline_sites_end:
	E
	boot='kprobes may not be able to replace this instruction: one that the kernel replaces at boot'
	image vmlinux alternatives.o
	module mod.ko alternatives.o modinfo.o
	for file in vmlinux mod.ko; do
		expect_verdicts $file plain+1 plain+2 plain+3 plain+4 plain+6 plain+8 trapped+1 trapped+4 trapped+6 \
			patched+1 patched+3 patched+6 <<-E
		plain+1 accepted
		plain+2 $boot
		plain+3 $boot
		plain+4 $boot
		plain+6 $boot
		plain+8 accepted
		trapped+1 $boot
		trapped+4 $boot
		trapped+6 $boot
		patched+1 accepted
		patched+3 $boot
		patched+6 accepted
		E
	done
done

target_of gcc
begin 'x86-64: an ftrace entry of the next function does not belong to a short function'
build short.o <<'E'
function short
	.byte 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
end short
	.type untraced, @function
untraced:
	nop
	nop
	.size untraced, 2
E
image vmlinux short.o
expect_eq "$("$ABTF" list -aj vmlinux | jq -r '.functions[] | "\(.name)=\(.flags[0] // "-")"' | tr '\n' ' ')" \
	'listed=noprobe short=- untraced=notrace '

begin "a place in a module's last function: the kernel may crash"
# can_optimize() of x86 decodes what follows it, up to the end of the page
if [ "$(uname -m)" = x86_64 ]; then
	cat >last.c <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=last";
extern int sink(int);
int first(int a) { return sink(a) + 1; }
int last(int a) { return sink(a) + 2; }
int __attribute__((section(".init.text"))) init(int a) { return sink(a) + 3; }
static void *entry __attribute__((section("_kprobe_blacklist"), used)) = init;
#ifdef MORE
int __attribute__((section(".text.more"))) more(int a) { return sink(a) + 4; }
#endif
C
	for more in '' -DMORE; do
		gcc -O2 -g -pg -mfentry -mrecord-mcount -mcmodel=kernel -fno-pic -fcf-protection=none $more -c last.c
		ld -r --build-id -o last$more.ko last.o
	done
	why="the kernel may crash, because it also decodes the padding after a module's last function$"
	start=$(nm last.ko | sed -n 's/ T last$//p')
	at=$(objdump -d last.ko | sed -n '/<last>:/,/^$/s/^ *\([0-9a-f]*\):.*ret.*/\1/p')
	at=$(printf '0x%x' $((0x$at - 0x$start)))
	expect 0 "$ABTF" list -p tracefs last.ko "last+$at"
	says "    last\\+$at: $why"
	for place in last "first+$at"; do
		expect 0 "$ABTF" list -p tracefs last.ko "$place"
		has_not out crash
	done
	expect 0 "$ABTF" list -p tracefs last-DMORE.ko "last+$at"
	has_not out crash
	expect 0 "$ABTF" list -p tracefs last-DMORE.ko "more+$at"
	says "    more\\+$at: $why"
fi
