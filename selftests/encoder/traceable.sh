#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# If the image has ftrace's table, a function with a shared name has a FUNC only if ftrace can patch
# it.
. "${0%/*}/../lib.sh"

# trace_units FLAG...: three functions twin(), the second of them notrace, and functions
# with unique names, all notrace
trace_units() {
	local nr attr

	for nr in 1 2 3; do
		attr=
		[ $nr != 2 ] || attr=NOTRACE
		unit unit_$nr "$@" <<-C
		#define NOTRACE $notrace
		static $attr __attribute__((noinline)) int twin(int a) { __asm__ volatile("nop"); return a + $nr; }
		NOTRACE __attribute__((noinline)) int alone_$nr(int a) { __asm__ volatile("nop"); return a; }
		int call_$nr(int a) { return twin(a) + alone_$nr(a); }
		C
	done
}

# expect_twins IMAGE 'NAME...' 'REASON...'
expect_twins() {
	expect_eq "$("$ABTF" list -aj "$1.btf" | jq -r '.functions[] | select(.name | startswith("twin")).name' | tr '\n' ' ')" "$2"
	expect_eq "$("$ABTF" list -aj "$1.btf" | jq -r '.functions[] | select(.name | startswith("alone")).name' | wc -l)" 3
	skipped "$1" | sed -n 's/^twin: //p' | tr '\n' ' ' >reasons
	expect_eq "skipped: $(cat reasons)" "skipped: $3"
}
all='twin@unit_1.c twin@unit_2.c twin@unit_3.c '
traceable='twin@unit_1.c twin@unit_3.c '

# words IMAGE: print the words of the table in the file
words() {
	tool readelf -x $sec "$1" | sed -n 's/^  0x[0-9a-f]* \([0-9a-f ]*\)  .*/\1/p' | tr -d ' \n'
}

for machine_name in gcc aarch64 s390x; do
	target $machine_name
	notrace='__attribute__((no_instrument_function))' flags='-pg -mfentry -mrecord-mcount'
	sec=__mcount_loc
	if [ $machine_name = aarch64 ]; then
		notrace='__attribute__((patchable_function_entry(0)))'
		flags=-fpatchable-function-entry=4,2 sec=__patchable_function_entries
	fi
	# shellcheck disable=SC2086 # several flags
	trace_units $flags
	unit fentry <<<'void __fentry__(void) {}'
	objects='unit_1.o unit_2.o unit_3.o fentry.o'
	plain_link=$link
	link+=" -Wl,--defsym=__start_mcount_loc=__start_$sec,--defsym=__stop_mcount_loc=__stop_$sec"
	# shellcheck disable=SC2086
	image vmlinux $objects
	need_symbol vmlinux '[^U] __start_mcount_loc'
	encode vmlinux

	begin "$machine_name: functions that ftrace cannot patch have no FUNC"
	expect_twins vmlinux "$traceable" 'not_traceable '
	verify vmlinux vmlinux.btf

	begin "$machine_name: list prints functions that ftrace cannot patch, with prototypes"
	expect_eq "$("$ABTF" list -j vmlinux twin | jq -r '.functions[] | select(.prototype).name' | tr '\n' ' ')" "$all"

	begin "$machine_name: check reports a FUNC of a function that ftrace cannot patch"
	# shellcheck disable=SC2086
	(link=$plain_link; image unknown $objects)
	encode unknown
	expect 1 "$ABTF" check vmlinux unknown.btf
	says "FUNC twin@unit_2.c\): its name is not unique, and ftrace cannot patch 'twin'"

	begin "$machine_name: without the table, all functions have a FUNC"
	expect_twins unknown "$all" ''
	expect 0 "$ABTF" check unknown unknown.btf
	tool objcopy --only-keep-debug vmlinux debug
	encode debug
	expect_twins debug "$all" ''

	begin "$machine_name: functions of a module that ftrace cannot patch have no FUNC"
	# shellcheck disable=SC2086
	module target.ko unit_1.o unit_2.o unit_3.o
	"$ABTF" encode -q --report target.ko.report target.ko
	section target.ko .BTF target.ko.btf
	expect_twins target.ko "$traceable" 'not_traceable '
	expect 0 "$ABTF" check target.ko
	says ': 0 violations'

	begin "$machine_name: in a module without the table, all functions have a FUNC"
	trace_units
	module quiet.ko unit_1.o unit_2.o unit_3.o
	"$ABTF" encode -q --report quiet.ko.report quiet.ko
	section quiet.ko .BTF quiet.ko.btf
	expect_twins quiet.ko "$all" ''
done

begin 'in a module, an entry for another section with the same offset is for another function'
target gcc
unit apart -pg -mfentry -mrecord-mcount <<'C'
#define IN(name) __attribute__((section(name), noinline))
int IN(".text.a") __attribute__((no_instrument_function)) quiet(int a) { return a; }
int IN(".text.b") loud(int a) { return a; }
C
unit twins -pg -mfentry -mrecord-mcount <<'C'
static int __attribute__((noinline)) quiet(int a) { __asm__ volatile("nop"); return a + 1; }
int call(int a) { return quiet(a); }
C
module apart.ko apart.o twins.o
"$ABTF" encode -q --report apart.ko.report apart.ko
expect_eq "$(skipped apart.ko)" 'quiet: not_traceable'
section apart.ko .BTF apart.ko.btf
expect_eq "$("$ABTF" list -aj apart.ko.btf | jq -r '.functions[].name' | sort | tr '\n' ' ')" 'call loud quiet@twins.c '

target aarch64
sec=__patchable_function_entries
notrace='__attribute__((patchable_function_entry(0)))'
trace_units -fpatchable-function-entry=4,2 -fPIE
link="-nostdlib -shared -Wl,-Bsymbolic -Wl,-z,max-page-size=4096 -Wl,--no-warn-rwx-segments
	-Wl,--defsym=IMAGE_BASE=0xffff800080000000
	-Wl,--defsym=__start_mcount_loc=__start_$sec,--defsym=__stop_mcount_loc=__stop_$sec"
begin 'the table may be in .rela.dyn'
# ld would add it to the notes
sed 's/^\t\.notes : {/\t.rela.dyn : { *(.rela*) } :text\n&/' "$selftests/example/vmlinux.lds" >pie.lds
# shellcheck disable=SC2086 # several flags
$CC $link -Wl,--no-apply-dynamic-relocs -Wl,-T,pie.lds -o pie unit_1.o unit_2.o unit_3.o
[[ $(words pie) =~ ^0+$ ]] || fail "the words are not zero: $(words pie)"
encode pie
expect_twins pie "$traceable" 'not_traceable '

begin 'the table may be in place, with addresses of its words in .relr.dyn'
if have ld.lld; then
	# shellcheck disable=SC2086
	ld.lld -shared -Bsymbolic --pack-dyn-relocs=relr -z max-page-size=4096 -e 0 \
		--defsym=IMAGE_BASE=0xffff800080000000 --defsym=__start_mcount_loc=__start_$sec \
		--defsym=__stop_mcount_loc=__stop_$sec -T "$selftests/example/vmlinux.lds" \
		-o relr unit_1.o unit_2.o unit_3.o
	readelf -SW relr | matches ' \.relr\.dyn ' || fail 'no .relr.dyn'
	encode relr
	expect_twins relr "$traceable" 'not_traceable '
else
	skip 'no lld'
fi

begin 'the table may be sorted, with zeros'
target gcc
sec=__mcount_loc
notrace='__attribute__((no_instrument_function))'
trace_units -pg -mfentry -mrecord-mcount
unit fentry <<<'void __fentry__(void) {}'
link+=" -Wl,--defsym=__start_mcount_loc=__start_$sec,--defsym=__stop_mcount_loc=__stop_$sec"
image vmlinux unit_1.o unit_2.o unit_3.o fentry.o
section vmlinux $sec table
perl -0777 -ne 'my @w = sort { $a <=> $b } unpack("Q<*", $_); $w[-1] = 0; print pack("Q<*", sort { $a <=> $b } @w)' table >zeros
tool objcopy --update-section $sec=zeros vmlinux sorted.vmlinux
encode sorted.vmlinux
expect_twins sorted.vmlinux "$traceable" 'not_traceable '

begin 'a table whose end is before its start, or outside of all sections, is not used'
for end in 0 0xffffffffffff0000; do
	link="$plain_link -Wl,--defsym=__start_mcount_loc=__start_$sec,--defsym=__stop_mcount_loc=$end"
	image odd unit_1.o unit_2.o unit_3.o fentry.o
	encode odd
	expect_twins odd "$all" ''
done
