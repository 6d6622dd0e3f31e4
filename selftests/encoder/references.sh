#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A DWARF reference to a missing DIE, or one of the wrong kind, only drops the type, function or
# variable that contains it.  references.py has the table: each attribute and owner with each target.
. "${0%/*}/../lib.sh"

target gcc
"$python" "$selftests/encoder/references.py" >a.S
as -o a.o a.S
image vmlinux a.o
units=$(nm vmlinux | grep -c ' D v__')

# usual: remove the labels of units from the lines of stdin, and count equal lines
usual() {
	sed -E 's/__[a-z_]+//g' | sort | uniq -c | sed -E 's/^ +//' | sort -k1,1nr -k2
}

# wrong FILE: print its lines about units whose reference is wrong
wrong() {
	grep -vE '^[^:{]*__[a-z_]*_(enum_dimension|struct|odd|base_type)_(here|other|partial)\b' "$1"
}

begin 'a wrong reference: independent types and functions are unaffected'
[ "$units" -gt 900 ] || fail "precondition: $units units"
expect 0 "$ABTF" encode --features=+global_var -o vmlinux.btf --report vmlinux.report vmlinux
cp out said
"$dump" vmlinux.btf >vmlinux.dump
expect_eq "$(types vmlinux '^STRUCT good__' | usual)" "$units STRUCT good size 4 { int a @0; }"
funcs vmlinux >funcs.txt
expect_eq "$(grep '^good__' funcs.txt | usual)" "$units good = good: int good(struct good *p)"
expect 0 "$ABTF" check vmlinux vmlinux.btf

begin 'a wrong reference: dependent types are omitted or void; one warning counts the units'
types vmlinux '^STRUCT odd__' | sed 's/^STRUCT //' >structs.txt
# the first one has no member that depends on it
expect_text "$(wrong structs.txt | usual | sed '1d; s/odd size 80 //')" <<'E'
72 { int *pointer_type @0; odd_t typedef @64; int const const_type @128; int volatile volatile_type @192; int atomic_type @256; int (*callback)(int) @384; enum odd_e enumeration_type @448; int subrange_type @512; int member @576; }
70 { int *pointer_type @0; odd_t typedef @64; int const const_type @128; int volatile volatile_type @192; int atomic_type @256; int array_type[2] @320; void *callback @384; enum odd_e enumeration_type @448; int subrange_type @512; int member @576; }
66 { int *pointer_type @0; odd_t typedef @64; int const const_type @128; int volatile volatile_type @192; int atomic_type @256; int array_type[0] @320; int (*callback)(int) @384; enum odd_e enumeration_type @448; int subrange_type @512; int member @576; }
35 { int *pointer_type @0; int const const_type @128; int volatile volatile_type @192; int atomic_type @256; int array_type[2] @320; int (*callback)(int) @384; enum odd_e enumeration_type @448; int subrange_type @512; int member @576; }
35 { int *pointer_type @0; odd_t typedef @64; int const const_type @128; int atomic_type @256; int array_type[2] @320; int (*callback)(int) @384; enum odd_e enumeration_type @448; int subrange_type @512; int member @576; }
35 { int *pointer_type @0; odd_t typedef @64; int const const_type @128; int volatile volatile_type @192; int array_type[2] @320; int (*callback)(int) @384; enum odd_e enumeration_type @448; int subrange_type @512; int member @576; }
35 { int *pointer_type @0; odd_t typedef @64; int const const_type @128; int volatile volatile_type @192; int atomic_type @256; int array_type[2] @320; int (*callback)(int) @384; enum odd_e enumeration_type @448; int member @576; }
35 { int *pointer_type @0; odd_t typedef @64; int const const_type @128; int volatile volatile_type @192; int atomic_type @256; int array_type[2] @320; int (*callback)(int) @384; enum odd_e enumeration_type @448; int subrange_type @512; }
35 { int *pointer_type @0; odd_t typedef @64; int volatile volatile_type @192; int atomic_type @256; int array_type[2] @320; int (*callback)(int) @384; enum odd_e enumeration_type @448; int subrange_type @512; int member @576; }
35 { void *pointer_type @0; odd_t typedef @64; int const const_type @128; int volatile volatile_type @192; int atomic_type @256; int array_type[2] @320; int (*callback)(int) @384; enum odd_e enumeration_type @448; int subrange_type @512; int member @576; }
E
skipped vmlinux >skipped.txt
expect_text "$(wrong skipped.txt | usual)" <<'E'
70 odd: invalid_type
70 odd: other_name
E
jq -r '.variables[] | select(.encoded | not) | "\(.name): \(.reason)"' vmlinux.report >variables.txt
expect_text "$(wrong variables.txt | usual)" <<'E'
62 v: no_name
35 v: invalid_type
E
expect_text "$(grep -o 'BTF cannot represent .*: they' said)" <<'E'
BTF cannot represent 7 types that contain themselves, as a value or without a named struct, union or enum in between: they
BTF cannot represent 1 arrays of 2^32 elements or more, or whose index type has an unknown number of values: they
BTF cannot represent 721 compile units with references that lead nowhere or to something else (such as DW_AT_type), names of more than 8191 bytes, or enumerators without a name: they
E
