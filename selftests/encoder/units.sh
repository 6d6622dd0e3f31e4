#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Units that are omitted because of their language, units without DIEs, and zeroes between units.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/misfits.sh"

begin 'Rust is omitted by default'
assemble_unit rust 0x1c <<'S'
	struct "Option<u32>", 4
	member __0, int, 0
	.byte 0
S
unit c <<'C'
struct in_c { int a; };
int f(struct in_c *s) { return s->a; }
C
image rust rust.o c.o
encode_and_warn rust
expect_eq "$(wc -l <rust.warnings)" 0 'warnings'
expect_text "$(types rust ^STRUCT)" <<'E'
STRUCT in_c size 4 { int a @0; }
E
for option in --lang-exclude= --lang-exclude=c++ --lang=rust,c11; do
	encode_and_warn rust $option
	expect_text "$(types rust ^STRUCT)" <<-'E'
	STRUCT Option_u32_ size 4 { int __0 @0; }
	STRUCT in_c size 4 { int a @0; }
	E
done
encode_and_warn rust --lang=rust
expect_text "$(types rust ^STRUCT)" <<'E'
STRUCT Option_u32_ size 4 { int __0 @0; }
E
expect 2 "$ABTF" encode --lang=no_such -o rust.btf rust
expect 2 "$ABTF" encode --from-btf --lang=rust -o rust.btf rust
for option in '' --lang_exclude=c++ --lang=rust,c11; do
	# shellcheck disable=SC2086 # none or one
	expect 0 "$ABTF_PAHOLE" -J $option --btf_encode_detached=rust.btf rust
	"$dump" rust.btf >rust.dump
	has rust.dump 'STRUCT Option_u32_ '
done
for option in --lang_exclude=rust --lang_exclude=Rust --lang=c11 --lang=C11; do
	expect 0 "$ABTF_PAHOLE" -J $option --btf_encode_detached=rust.btf rust
	"$dump" rust.btf >rust.dump
	has_not rust.dump 'STRUCT Option_u32_ '
	has rust.dump 'STRUCT in_c '
done

begin 'a unit without DIEs does not affect other units'
printf 'struct s { int a; } s; int f(struct s *s) { return s->a; }' | unit full
printf '.section .debug_info,"",%%progbits\n.long 8\n.value 5\n.byte 1, 8\n.long 0\n.long 9\n.value 5\n.byte 1, 8\n.long 0\n.byte 0\n' |
	as -o empty.o -
image empty full.o empty.o
encode_and_warn empty
expect_eq "$(cat empty.warnings)" '2 compile units are empty'
expect_eq "$(funcs empty)" 'f = f: int f(struct s *s)'

begin 'zeroes between units and at the end do not affect the units'
for zeroes in 4 60 3; do
	printf '.section .debug_info,"",%%progbits\n.zero %s\n' $zeroes | as -o zeroes.o -
	image padded full.o zeroes.o
	encode_and_warn padded
	expect_eq "$(funcs padded)" 'f = f: int f(struct s *s)' "$zeroes at the end"
	expect_eq "$(cat padded.warnings)" '1 compile units are empty'
done
printf '.section .debug_info,"",%%progbits\n.zero 64\n' | as -o zeroes.o -
image padded zeroes.o full.o zeroes.o
encode_and_warn padded
expect_eq "$(funcs padded)" 'f = f: int f(struct s *s)' 'between units'
expect_eq "$(cat padded.warnings)" '2 compile units are empty'
