#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# FLAGS show in which functions the kernel rejects kprobes.  selftests/kernel/tests/verdicts.sh
# compares with the kernel in a guest.
. "${0%/*}/../lib.sh"

# expect_flags IMAGE 'NAME=FLAG...': check the flags of its functions; "-": kprobes are accepted
expect_flags() {
	expect_eq "$("$ABTF" list -aj "$1" 2>/dev/null | jq -r '.functions[] | "\(.name)=\(.flags[0] // "-")"' |
		sort | tr '\n' ' ')" "$2"
}

# names SELECTOR [OPTION...]: print the names of the probes for vmlinux
names() {
	local sel=$1

	shift
	expect 0 quietly "$ABTF" list --probe=json "$@" vmlinux "$sel"
	jq -r '.probes[].name' out | tr '\n' ' '
}

# trace_units FLAG...: functions of each kind
trace_units() {
	unit unit_1 "$@" <<-C
	#define notrace $notrace
	#define noinline __attribute__((noinline))
	#define IN(section_name) __attribute__((section(section_name)))
	#define BODY(n) { __asm__ volatile("nop"); return a + n; }
	noinline int traced(int a) BODY(0)
	notrace noinline int untraced(int a) BODY(1)
	noinline int listed(int a) BODY(2)
	static void *entry IN("_kprobe_blacklist") __attribute__((used)) = listed;
	IN(".kprobes.text") noinline int kprobes_text(int a) BODY(3)
	IN(".noinstr.text") noinline int noinstr_text(int a) BODY(4)
	IN(".entry.text") noinline int entry_text(int a) BODY(5)
	IN(".irqentry.text") noinline int irqentry_text(int a) BODY(6)
	IN(".init.text") noinline int begin(int a) BODY(7)
	static noinline int twin(int a) BODY(8)
	int call_1(int a) { return twin(a); }
	C
	unit unit_2 "$@" <<-C
	static $notrace __attribute__((noinline)) int twin(int a) { __asm__ volatile("nop"); return a; }
	int call_2(int a) { return twin(a) + twin(a + 1); }
	C
}

for machine_name in gcc aarch64 s390x; do
	target $machine_name
	notrace='__attribute__((no_instrument_function))' flags='-pg -mfentry -mrecord-mcount'
	sec=__mcount_loc entry_text=- irqentry_text=-
	case $machine_name in
	gcc)	 entry_text=noprobe ;;
	s390x)	 irqentry_text=noprobe ;;
	aarch64) entry_text=noprobe irqentry_text=noprobe sec=__patchable_function_entries
		 notrace='__attribute__((patchable_function_entry(0)))'
		 flags=-fpatchable-function-entry=4,2 ;;
	esac
	# shellcheck disable=SC2086 # several flags
	trace_units $flags
	unit fentry <<<'void __fentry__(void) {}'
	plain_link=$link
	link+=" -Wl,--defsym=__start_mcount_loc=__start_$sec,--defsym=__stop_mcount_loc=__stop_$sec"
	image vmlinux unit_1.o unit_2.o fentry.o

	begin "$machine_name: vmlinux: flags show where the kernel rejects kprobes"
	text="entry_text=$entry_text irqentry_text=$irqentry_text"
	known='kprobes_text=noprobe listed=noprobe noinstr_text=noprobe traced=-'
	twins='twin@unit_1.c=- twin@unit_2.c=notrace untraced=notrace'
	expect_flags vmlinux "__fentry__=notrace begin=init call_1=- call_2=- $text $known $twins "

	begin "$machine_name: with debug information only, ranges of addresses are known"
	tool objcopy --only-keep-debug vmlinux debug
	twins='twin@unit_1.c=unknown twin@unit_2.c=unknown untraced=unknown'
	expect_flags debug "$(sed 's/=\(-\|notrace\)/=unknown/g; s/listed=noprobe/listed=unknown/' \
		<<<"__fentry__=- begin=init call_1=- call_2=- $text $known $twins ")"

	begin "$machine_name: without the blacklist, nothing is accepted for certain"
	tool objcopy -N __start_kprobe_blacklist vmlinux without
	expect_flags without "$(sed 's/=-/=unknown/g; s/listed=noprobe/listed=unknown/' \
		<<<"__fentry__=notrace begin=init call_1=- call_2=- $text $known twin@unit_1.c=- twin@unit_2.c=notrace untraced=notrace ")"

	begin "$machine_name: a module: flags show where the kernel rejects kprobes"
	modinfo='static const char modinfo[] IN(".modinfo") __attribute__((used)) = "name=my_mod";'
	# only arm64 rejects kprobes at instructions that may fault
	[ $machine_name != gcc ] ||
		modinfo+=' asm(".pushsection __ex_table, \"a\"; .long traced + 5 - ., 0, 0; .popsection");'
	# shellcheck disable=SC2086
	unit module $flags < <(cat unit_1.c; echo "$modinfo")
	module mod.ko module.o unit_2.o
	known='kprobes_text=noprobe listed=noprobe noinstr_text=noprobe traced=-'
	twins='twin@module.c=- twin@unit_2.c=notrace untraced=notrace'
	expect_flags mod.ko "begin=init call_1=- call_2=- entry_text=- irqentry_text=- $known $twins "

	begin "$machine_name: a module with debug information only: relocations have the tables"
	tool objcopy --only-keep-debug mod.ko mod.ko.debug
	readelf -SW mod.ko.debug | matches -E " $sec +NOBITS"
	readelf -SW mod.ko.debug | matches -E " \.rela$sec +RELA"
	expect_flags mod.ko.debug "begin=init call_1=- call_2=- entry_text=- irqentry_text=- $known $twins "
	"$ABTF" encode -q -o mod.btf mod.ko
	expect 0 "$ABTF" encode -q -o debug.btf mod.ko.debug
	cmp mod.btf debug.btf || fail 'the BTF differs'
	expect 0 "$ABTF_PAHOLE" -J --btf_encode_detached=debug.btf mod.ko.debug
	expect 0 "$ABTF" report -o debug.html mod.ko.debug
	expect 0 "$ABTF" check mod.ko.debug debug.btf

	begin "$machine_name: a probe is printed only where it is accepted"
	expect_eq "$(names twin)" 'twin@unit_1.c '
	expect 0 "$ABTF" list --probe=json vmlinux twin
	says 'vmlinux: the kernel rejects kprobes at 1 of 2 functions, which are omitted: 1 notrace; --all'
	expect_eq "$(names twin --all)" 'twin@unit_1.c twin@unit_2.c '
	for name in untraced listed kprobes_text begin; do
		expect 4 "$ABTF" list --probe=bpftrace vmlinux $name
		has_not out kprobe:
	done
	expect 4 "$ABTF" list --all --probe=bpftrace vmlinux listed
	says 'at 1 of 1 functions, which are omitted: 1 noprobe$'
	expect 4 "$ABTF" list --probe=bpftrace vmlinux twin@unit_2.c
	says "warning: vmlinux: functions that call 'twin@unit_2.c' and can be probed [(]see --callers[)]: call_2$"
	expect 4 "$ABTF" list --probe=bpftrace mod.ko twin@unit_2.c
	says ": call_2$"
	expect 4 "$ABTF" list --probe=bpftrace vmlinux begin
	has_not out 'can be probed'
	expect 0 "$ABTF" list --probe=bpftrace debug twin
	says 'warning: debug: the kernel may reject kprobes at 2 of 2 functions'

	begin "$machine_name: NAME+OFFSET: not in the call that ftrace patches, nor past the function"
	if [ $machine_name = gcc ]; then
		for file in vmlinux mod.ko; do
			for into in 1 2 3 4; do
				expect 4 "$ABTF" list --probe=tracefs $file traced+$into
				says 'at 1 of 1 functions, which are omitted: 1 instruction$'
				says "traced\+0x$into: no instruction starts there$"
			done
			expect 0 "$ABTF" list --probe=tracefs $file traced+5
			says '\+0x[0-9a-f]+$'
			has_not out warning
			expect 4 "$ABTF" list --probe=tracefs $file untraced+1
			says '1 notrace'
		done
	fi
	for file in vmlinux mod.ko; do
		expect 1 "$ABTF" list --probe=tracefs $file traced+0x12345
		says 'traced\+0x12345: is not in this function, which has 0x[0-9a-f]+ bytes$'
	done

	begin "$machine_name: --table lists functions that reject kprobes, too"
	expect_eq "$("$ABTF" list --all --table vmlinux | awk 'NR > 1 { print $1 "=" $3 }' | sort | tr '\n' ' ')" \
		"__fentry__=notrace begin=init call_1= call_2= $(tr -d - <<<"$text $known twin@unit_1.c= twin@unit_2.c=notrace untraced=notrace ")"
done

# flags_known FLAG: check the flags of a module whose tables are known (-) or not (unknown)
flags_known() {
	echo "begin=init call_1=$1 call_2=$1 entry_text=$1 irqentry_text=$1 kprobes_text=noprobe" \
		"listed=${2:-$1} noinstr_text=noprobe traced=$1"
}

begin 'REL: the addends of a module with debug information only are lost'
target m32
notrace='__attribute__((no_instrument_function))'
trace_units -pg -mfentry -mrecord-mcount -fno-pic
module mod.ko unit_1.o unit_2.o
tool objcopy --only-keep-debug mod.ko mod.ko.debug
# without addresses in BTF, the files of functions with a shared name are not known
expect_flags mod.ko "$(flags_known - noprobe) twin@.text+0x10=- twin@.text+0x50=notrace untraced=notrace "
expect_flags mod.ko.debug "$(flags_known unknown) twin@.text+0x10=unknown twin@.text+0x50=unknown untraced=unknown "

begin 'a table with more words than relocations is not used'
target gcc
trace_units -pg -mfentry -mrecord-mcount
module mod.ko unit_1.o unit_2.o
tool objcopy --only-keep-debug mod.ko mod.ko.debug
cat >grow.py <<'P'
import struct
b = bytearray(open('mod.ko.debug', 'rb').read())
headers = struct.unpack_from('<Q', b, 40)[0]
nr, names = struct.unpack_from('<HH', b, 60)
strings = struct.unpack_from('<Q', b, headers + 64 * names + 24)[0]
for at in range(headers, headers + 64 * nr, 64):
    name = strings + struct.unpack_from('<I', b, at)[0]
    if b[name:].startswith(b'__mcount_loc\0'):
        struct.pack_into('<Q', b, at + 32, 1 << 39)
open('huge.ko.debug', 'wb').write(b)
P
"$python" grow.py
expect_flags huge.ko.debug "$(flags_known unknown noprobe) twin@unit_1.c=unknown \
twin@unit_2.c=unknown untraced=unknown "

begin 'a clone is accepted or rejected like its original function'
target gcc
link+=' -Wl,--defsym=__start_mcount_loc=__start___mcount_loc,--defsym=__stop_mcount_loc=__stop___mcount_loc'
# clone_unit FLAG...: compile a function of which gcc makes clones
clone_unit() {
	unit clones -O3 -fipa-cp-clone -pg -mfentry -mrecord-mcount "$@" <<-'C'
	int sink;
	__attribute__((noinline)) int orig(int a, int b)
	{
		for (int i = 0; i < b; i++)
			sink += a ^ i;
		return a + b;
	}
	#ifdef LISTED
	static void *entry __attribute__((section("_kprobe_blacklist"), used)) = orig;
	#endif
	int call_1(int a) { return orig(a, 3); }
	int call_2(int a) { return orig(a + 1, 3); }
	C
	image clones clones.o fentry.o
	need_symbol clones 't orig.constprop.0'
	need_symbol clones 'T orig'
}
unit fentry <<<'void __fentry__(void) {}'

# without IMAGE SYMBOL...: remove the first entry of each SYMBOL from ftrace's table
without() {
	local image=$1 name words

	section "$image" __mcount_loc table
	words=$(perl -0777 -ne 'print join " ", map { sprintf "%016x", $_ } unpack("Q<*", $_)' table)
	for name in "${@:2}"; do
		words=${words/$(nm "$image" | sed -n "s/ [tT] $name$//p")/0000000000000000}
	done
	perl -e 'print pack("Q<*", map { hex } @ARGV)' $words >table
	tool objcopy --update-section __mcount_loc=table "$image"
}

clone_unit
expect_flags clones '__fentry__=notrace call_1=- call_2=- orig.constprop.0=- orig=- '
without clones orig.constprop.0
expect_flags clones '__fentry__=notrace call_1=- call_2=- orig.constprop.0=- orig=- '
without clones orig
expect_flags clones '__fentry__=notrace call_1=- call_2=- orig.constprop.0=notrace orig=notrace '
clone_unit -DLISTED
expect_flags clones '__fentry__=notrace call_1=- call_2=- orig.constprop.0=noprobe orig=noprobe '

begin 'a part of a function in init text is rejected: after boot, ftrace has no entry for it'
unit parts -pg -mfentry -mrecord-mcount <<'C'
#define PART(name) ".type " name ", @function\n" name ": nop\n.size " name ", 1\n"
asm(".text\n" PART("later.cold") PART("begin.cold"));
int later(int a) { return a; }
int listed(int a) { return a; }
__attribute__((section(".init.text"))) int begin(int a) { return a; }
static void *entry __attribute__((section("_kprobe_blacklist"), used)) = listed;
C
image parts parts.o fentry.o
need_symbol parts 'T begin'
expect_flags parts \
	'__fentry__=notrace begin.cold=notrace begin=init later.cold=- later=- listed=noprobe '

begin 'a function that starts with a trap is rejected, although it is not from BUG()'
for trap in 'ud2=0x0f,0x0b' 'ud1=0x0f,0xb9' 'ud0=0x0f,0xff' 'int3=0xcc' 'int=0xcd,0x80' 'int1=0xf1'; do
	unit traps -pg -mfentry -mrecord-mcount <<-C
	asm(".text\n.type traced.cold, @function\ntraced.cold: .byte ${trap#*=}\n.size traced.cold, . - traced.cold\n"
	    ".type traced.part.0, @function\ntraced.part.0: .byte 0x0f, 0x1f, 0\n.size traced.part.0, 3\n");
	int traced(int a) { return a; }
	int listed(int a) { return a; }
	static void *entry __attribute__((section("_kprobe_blacklist"), used)) = listed;
	C
	image traps traps.o fentry.o
	expect_flags traps '__fentry__=notrace listed=noprobe traced.cold=noprobe traced.part.0=- traced=- '
done

# Entries of the kernel's tables for patched code: the first word is the distance to it; the other
# words are distances to code that can be probed, and to data
for machine_name in gcc aarch64 s390x riscv64 powerpc64le; do
	target $machine_name
	link+=' -Wl,-u,__start___jump_table,-u,__stop___jump_table,-u,__start___bug_table,-u,__stop___bug_table'
	unit patched <<-'C'
	#define INLINE static inline __attribute__((always_inline)) void
	#define ENTRY(name, words) "1: nop\n.pushsection " name ", \"aw\"\n.balign 4\n" words "\n.popsection\n2:\n"
	int data;
	INLINE jump(void) { __asm__ volatile(ENTRY("__jump_table", ".long 1b - ., 2f - ., 0, 0")); }
	INLINE bug(void) { __asm__ volatile(ENTRY("__bug_table", ".long 1b - ., data - .\n.short 7, 1")); }
	INLINE call(void) { __asm__ volatile(ENTRY(".static_call_sites", ".long 1b - ., data - .")); }
	INLINE plain(void) { __asm__ volatile("nop"); }
	void first(void) { jump(); plain(); }
	void second(void) { plain(); jump(); }
	void third(void) { bug(); plain(); }
	void fourth(void) { call(); plain(); }
	static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=my_mod";
	C
	image vmlinux patched.o
	module mod.ko patched.o

	for file in vmlinux mod.ko; do
		begin "$machine_name: $file: inlined calls that begin with an instruction that the kernel patches"
		expect 0 quietly "$ABTF" list --inlined --probe=json $file plain
		expect_eq "$(jq -r '.probes[].name' out | tr '\n' ' ')" 'first second third fourth '
		for name in jump bug; do
			expect 4 "$ABTF" list --inlined --probe=tracefs $file $name
			says 'rejects kprobes at ([12]) of \1 places, which are omitted: (\1 noprobe|1 noprobe, 1 instruction)$'
		done
	done
	# in vmlinux, the linker script would define symbols for the ends of the table
	expect 4 "$ABTF" list --inlined --probe=tracefs mod.ko call
	says 'rejects kprobes at 1 of 1 places, which are omitted: 1 noprobe$'
done
