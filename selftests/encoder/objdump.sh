#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The decoders find the same instruction sizes as objdump, in programs of this machine, and in
# libraries of cross compilers.
#   INSN_IMAGE=FILE	also compare this image
. "${0%/*}/../lib.sh"

# mutants.sh sets it
encoder=${ENCODER_SOURCE:-$selftests/../encoder}
$CC -std=gnu11 -O1 -D_GNU_SOURCE -I"$encoder" -o insn-sizes "$selftests/encoder/insn-sizes.c" \
	"$encoder"/image/insn.c "$encoder"/image/insn_x86.c "$encoder"/image/machine.c

# instructions TARGET FILE SECTION: print address, size and instruction, without data in code
instructions() {
	"$1objdump" -d -w --insn-width=16 -j "$3" "$2" | awk -F'\t' '
		NF > 2 && /^ *[0-9a-f]+:/ && $3 !~ /^(\.|[(]bad|rex|data16 *$|unimp)/ && $3 !~ / [(]bad[)]/ {
			sub(/:.*/, "", $1)
			gsub(/ /, "", $1)
			gsub(/ /, "", $2)
			print $1, length($2) / 2, $3
		}'
}

# compare MACHINE SWAP TARGET FILE SECTION MINIMUM [DIFFERENCES]: compare at least MINIMUM
# instructions, with at most DIFFERENCES differences
compare() {
	local base

	base=$("$3readelf" -SW "$4" | sed -n "s/^ *\[ *[0-9]*\] *$5 *[A-Z]* *\([0-9a-f]*\).*/\1/p")
	"$3objcopy" -O binary -j "$5" "$4" bytes
	instructions "$3" "$4" "$5" >lines
	expect 0 ./insn-sizes "$1" "$2" "$base" bytes lines
	nr=$(tail -n 1 out)
	[ "$nr" -ge "$6" ] || fail "only $nr instructions"
	[ $(($(grep -c '' out) - 1)) -le "${7:-0}" ] || fail 'the sizes differ from objdump'
}

# more kinds of instructions than compilers generate
begin 'x86-64: all kinds of operands'
target gcc
unit operands <<'C'
asm("\n"
"	mov %rax, (%rbp)\n mov %rax, (%r13)\n mov %rax, (%rsp)\n mov %rax, (%r12)\n"
"	mov %rax, 8(%rsp)\n mov %rax, 0x1234(%rsp)\n mov %rax, 0x1234(,%rbx,4)\n mov %rax, (%rbp,%rbx,4)\n"
"	mov %rax, 0x1234(%rip)\n mov %rax, 0x1234\n mov 0x1234(%ebx), %eax\n"
"	movabs 0x1122334455667788, %al\n movabs %eax, 0x1122334455667788\n"
"	movabs $0x1122334455667788, %rbx\n mov $0x1234, %ax\n mov $0x12345678, %eax\n mov $-1, %rax\n"
"	movw $0x1234, (%rax)\n movl $0x1234, (%rax)\n movq $0x1234, (%rax)\n movb $1, (%rax)\n"
"	.byte 0x66, 0x48, 0xc7, 0x00, 1, 2, 3, 4\n"
"	test $0x12, %bl\n test $0x1234, %bx\n test $0x1234, %ebx\n test $0x1234, %rbx\n not %bl\n neg %rbx\n"
"	testb $1, 8(%rax)\n testw $0x1234, 8(%rax)\n mul %cl\n idivq (%rax)\n"
"	enter $0x1234, $1\n ret $8\n push $0x1234\n push $1\n pushw $0x1234\n imul $0x1234, %rax, %rbx\n imul $1, %ax, %bx\n"
"	shld $3, %rax, %rbx\n pshufd $1, %xmm0, %xmm1\n pextrw $1, %xmm0, %eax\n pinsrw $1, %eax, %xmm0\n"
"	cmpps $1, %xmm0, %xmm1\n shufps $1, %xmm0, %xmm1\n psllw $1, %xmm0\n bt $1, %rax\n"
"	crc32b %al, %ebx\n movbe (%rax), %rbx\n palignr $1, %xmm0, %xmm1\n aesenc %xmm0, %xmm1\n"
"	vzeroupper\n vpaddd %ymm1, %ymm2, %ymm3\n vpshufd $1, %ymm1, %ymm2\n vpalignr $1, %xmm1, %xmm2, %xmm3\n"
"	vpermq $1, %ymm1, %ymm2\n andn %rax, %rbx, %rcx\n rorx $1, %rax, %rbx\n shlx %rax, %rbx, %rcx\n"
"	kmovq %k1, %rax\n kandw %k1, %k2, %k3\n vpaddd 64(%rax), %zmm1, %zmm2\n vpternlogd $1, %zmm1, %zmm2, %zmm3\n"
"	vcvttps2uqq %ymm1, %zmm2\n vcvtph2psx %xmm1, %xmm2\n vaddph %zmm1, %zmm2, %zmm3\n"
"	lock xadd %rax, %gs:8(%rbx)\n rep stosq\n repnz scasb\n data16 nop\n xbegin .\n loop .\n jrcxz .\n"
"	rdfsbase %rax\n clac\n stac\n lfence\n mfence\n clflush (%rax)\n prefetchnta (%rax)\n rdrand %eax\n xsave (%rax)\n"
"	in $1, %al\n out %al, %dx\n lss (%rax), %eax\n lar %ax, %ebx\n sldt %eax\n invlpg (%rax)\n mov %cr8, %rax\n mov %rax, %dr7\n"
"	fld %st(1)\n fstp 8(%rax)\n emms\n movq %mm0, %mm1\n pavgusb %mm1, %mm0\n cmpxchg16b (%rax)\n bswap %r9\n");
C
compare 62 0 '' operands.o .text 95

begin 'x86-64: libc and the encoder'
compare 62 0 '' "$(realpath "$ABTF_PROGRAM")" .text 20000
compare 62 0 '' "$(ldconfig -p | sed -n 's/.*libc\.so\.6 (libc6,x86-64) => //p' | head -n 1)" .text 200000

for what in 'aarch64 183 0' 's390x 22 1' 'riscv64 243 0' 'powerpc64le 21 0'; do
	read -r name number swap <<<"$what"
	begin "$name: libc"
	target "$name"
	libc=$($CC -print-file-name=libc.so.6)
	compare "$number" "$swap" "$name-linux-gnu-" "$libc" .text 100000
done

if [ -n "${INSN_IMAGE:-}" ]; then
	begin "$INSN_IMAGE"
	target gcc
	compare 62 0 '' "$INSN_IMAGE" .text 1000000 10
fi
