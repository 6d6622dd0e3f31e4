#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Each attribute has the same meaning in each form that DWARF allows, in expressions and lists:
# attributes.py has the table.  One image describes the same types, function and variable in
# some 600 ways.
. "${0%/*}/../lib.sh"

# usual FILE: remove labels from its lines, and count equal lines
usual() {
	sed -E 's/__[a-z0-9_]+//g' "$1" | sort | uniq -c | sed -E 's/^ +//'
}

for where in gcc s390x; do
	target $where
	case $where in
	gcc) machine_facts='little 5 4 0xc3c3' ;;
	s390x) machine_facts='big 2 3 0x07fe' ;;
	esac
	for version in 2 3 4 5 3-64 4-64 5-64; do
		begin "$where, DWARF $version: every form of every attribute has the same meaning"
		offsets=$([ "${version#*-}" = 64 ] && echo 8 || echo 4) version=${version%-64}
		# shellcheck disable=SC2086 # a list
		"$python" "$selftests/encoder/attributes.py" $version $offsets $machine_facts >a.S
		# shellcheck disable=SC2086
		$CC $common $machine -c -o a.o a.S
		image vmlinux a.o
		nr=$(nm vmlinux | grep -c ' T f__')
		bad=$(nm vmlinux | grep -c ' T f__bad_')
		nowhere=$(nm vmlinux | grep -c ' D v__nowhere_')
		[ "$nr" -gt 150 ] && [ "$bad" -gt 8 ] || fail "$nr units, $bad bad"
		# readelf treats the number of a list as an offset
		readelf --debug-dump=info vmlinux 2>&1 >dwarf.txt | find_lines -v 'loc_offset' |
			expect_none readelf
		encode vmlinux --features=+global_var
		sed -E 's/^\[[0-9]+\] //; s/ (->|on|index|type) \[[0-9]+\]/ \1/' vmlinux.dump >dump
		grep -E '^(INT|STRUCT|ENUM) [a-z]' dump >types.txt
		got=$(usual types.txt)
		expect_eq "$got" "$nr ENUM e unsigned size 4 { five = 5; }
$((nr + 1)) INT int size 4 bits 32 encoding 0x1
$nr STRUCT s size 40 { int a @0; int b[5] @32; int c:3 @197; struct s *d @256; }"
		funcs vmlinux >funcs.txt
		expect_eq "$(usual funcs.txt)" "$((nr - bad)) f = f: struct s *f(int x)"
		comm -3 <(sed 's/ .*//' funcs.txt | sort) \
			<(nm vmlinux | sed -n 's/.* T \(f__\)/\1/p' | grep -v '^f__bad_' | sort) | expect_none functions
		grep '^VAR ' dump >vars.txt || true
		expect_eq "$(usual vars.txt)" "$((nr - nowhere)) VAR v linkage 1: int v[5]"
		comm -3 <(grep -oE 'v__[a-z0-9_]+' vars.txt | sort -u) \
			<(nm vmlinux | sed -n 's/.* D \(v__\)/\1/p' | grep -v '^v__nowhere_' | sort) | expect_none variables
		expect 0 "$ABTF" check vmlinux vmlinux.btf
		# units with a name that has another definition are read twice
		unit other <<<'struct s__struct_size_indirect_data1 { long other; } other;'
		image conflict a.o other.o
		encode conflict --features=+global_var
		expect_eq "$(grep -o 'STRUCT s__struct_size_indirect_data1 .*' conflict.dump | sort)" \
			"STRUCT s__struct_size_indirect_data1 size 40 { int__struct_size_indirect_data1 a @0; int__struct_size_indirect_data1 b[5] @32; int__struct_size_indirect_data1 c:3 @197; struct s__struct_size_indirect_data1 *d @256; }
STRUCT s__struct_size_indirect_data1 size 8 { long int other @0; }"
		# libdw returns a default entry as one that is valid everywhere, and the first entry is used;
		# to it, a number of 16 bytes is not one
		expect $((version == 5)) "$judge" vmlinux vmlinux.btf
		says " contradicts $((version == 5 ? 6 : 0)) and does not describe 0;"
	done
done
