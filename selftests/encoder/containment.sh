#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A body that starts after its symbol, as in DWARF of functions with patchable entries, belongs to
# the symbol if both end at the same address.
. "${0%/*}/../lib.sh"

begin 'aarch64: gcc 12 describes code that starts after the nops'
target aarch64
unit a -fpatchable-function-entry=4,2 <<'C'
int plain(int *p, int x) { return *p * x; }
static __attribute__((noinline, used)) long local(long x) { return x + 1; }
C
image vmlinux a.o
need_dwarf vmlinux "DW_AT_name *: .*plain"
address=$(nm vmlinux | sed -nE 's/^0*([0-9a-f]+) T plain$/\1/p')
if [ -n "$(grep -A9 'DW_AT_name *: .*plain' dwarf.txt | find_lines "DW_AT_low_pc *: 0x$address")" ]; then
	echo 'precondition: its code begins at its symbol'
	exit 1
fi
encode vmlinux
expect_funcs vmlinux <<'F'
local = local: long int local(long int x)
plain = plain: int plain(int *p, int x)
F
expect 0 "$ABTF" check vmlinux vmlinux.btf

# DWARF uses other labels than the symbols, so that nops can be added in between.
target gcc
cat >b.c <<'C'
int both_ends(int *p, int x) { return *p * x; }
int ends_before(int *p, int x) { return *p - x; }
int ends_behind(int *p, int x) { return *p + x; }
int of_other(int *p, int x) { return *p ^ x; }
int alias_first(int *p, int x) { return *p | x; }
int no_size(int *p, int x) { return *p & x; }
int moved_constprop(int *p, int x) { return *p % x; }
int last(int *p, int x) { return *p / x; }
C
# shellcheck disable=SC2086 # lists of flags
$CC $common $machine -S -o b.s b.c
sed -E -e 's/^(both_ends|ends_before|ends_behind|of_other|alias_first|no_size|moved_constprop):/&\n\t.fill 8, 1, 0x90/' \
	-e 's/^(\t\.size\tends_before, .*)/\1 + 1/' \
	-e 's/^(\t\.size\tends_behind, .*)/\1 - 1/' \
	-e 's/^\t\.size\tno_size, .*/\t.size no_size, 0/' \
	-e 's/^of_other:/renamed:/; s/^(\t\.(globl|type)\t)of_other/\1renamed/' \
	-e 's/^\t\.size\tof_other, .-of_other/\t.size renamed, .-renamed/' \
	-e 's/^alias_first:/&\n\t.globl a_shorter_alias\n\t.type a_shorter_alias, @function\na_shorter_alias:\n\t.size a_shorter_alias, 4/' \
	-e 's/^moved_constprop:/moved_constprop.constprop.0:/; s/^(\t\.(globl|type)\t)moved_constprop/\1moved_constprop.constprop.0/' \
	-e 's/^\t\.size\tmoved_constprop, .-moved_constprop/\t.size moved_constprop.constprop.0, .-moved_constprop.constprop.0/' \
	b.s >moved.s
# shellcheck disable=SC2086
$CC $machine -c -o moved.o moved.s
image moved moved.o
for name in both_ends ends_before ends_behind renamed alias_first no_size a_shorter_alias; do
	need_symbol moved "T $name"
done
encode moved

begin "equal ends: the FUNC has the symbol's address"
expect_funcs moved both_ends last <<'F'
both_ends = both_ends: int both_ends(int *p, int x)
last = last: int last(int *p, int x)
F

begin 'another symbol at that address may have another size'
expect_funcs moved alias_first a_shorter_alias <<'F'
alias_first = a_shorter_alias/alias_first: int alias_first(int *p, int x)
F

begin 'the same for the body of a clone'
expect_funcs moved moved_constprop.constprop.0 <<'F'
moved_constprop.constprop.0 = moved_constprop.constprop.0: int moved_constprop.constprop.0(int *p, int x)
F

begin 'a body with another end, or a symbol without a size or with another name: not joined'
funcs moved | find_lines -E '^(ends|of_other|renamed|no_size)' | expect_none
expect_eq "$(skipped moved | grep -cE '^(ends_before|ends_behind|no_size|renamed): ')" 4
expect 0 "$ABTF" check moved moved.btf
