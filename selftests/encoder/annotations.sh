#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# btf_type_tag and btf_decl_tag as gcc 16 writes them: DW_AT_GNU_annotation refers to a chain of
# DW_TAG_GNU_annotation.  Owners share chains, and chains share their ends.
. "${0%/*}/../lib.sh"

# annotated FIRST: DWARF of
#	struct __inner s { int __outer __inner *p (decl outer, inner); int __inner *q; };
#	int f(struct s *s, int x (decl inner)) (decl outer, inner);
#	int var (decl inner);
# where the chain of p's type starts with the annotation FIRST.
annotated() {
	cat >annotated.s <<-S
		.text
		.globl f
		.type f, @function
	f:	ret
		.size f, 1
		.section .data..percpu, "aw"
		.globl var
		.type var, @object
	var:	.long 0
		.size var, 4

		.macro abbrev code, tag, children, specs:vararg
		.uleb128 \code, \tag
		.byte \children
		.uleb128 \specs, 0, 0
		.endm
		.section .debug_abbrev, "", @progbits
		# attributes: 0x03 name, 0x0b byte_size, 0x1c const_value, 0x38 data_member_location,
		#	0x49 type, 0x2139 GNU_annotation
		# forms: 0x08 string, 0x0b data1, 0x10 ref_addr, 0x13 ref4, 0x18 exprloc
		abbrev 1, 0x11, 1, 0x13, 0x0b					# compile_unit
		abbrev 2, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b		# base_type
		abbrev 3, 0x0f, 0, 0x49, 0x13, 0x2139, 0x13			# pointer_type
		abbrev 4, 0x0f, 0, 0x49, 0x13
		abbrev 5, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b, 0x2139, 0x13		# structure_type
		abbrev 6, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b		# member
		abbrev 7, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b, 0x2139, 0x13
		# subprogram: and external, low_pc, high_pc
		abbrev 8, 0x2e, 1, 0x3f, 0x19, 0x03, 0x08, 0x49, 0x13, 0x11, 0x01, 0x12, 0x0b, 0x2139, 0x13
		abbrev 9, 0x05, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18		# formal_parameter
		abbrev 10, 0x05, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0x2139, 0x13
		abbrev 11, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x3f, 0x19, 0x02, 0x18, 0x2139, 0x13 # variable
		abbrev 12, 0x6001, 0, 0x03, 0x08, 0x1c, 0x08			# GNU_annotation
		abbrev 13, 0x6001, 0, 0x03, 0x08, 0x1c, 0x08, 0x2139, 0x10
		.byte 0
	second_abbrevs:
		abbrev 1, 0x11, 1, 0x13, 0x0b
		abbrev 2, 0x6001, 0, 0x1c, 0x08, 0x03, 0x08, 0x2139, 0x10
		.byte 0

		.section .debug_info, "", @progbits
	first:	.long first_end - first - 4
		.short 4
		.long 0
		.byte 8
		.byte 1, 12		# DW_LANG_C99
	int:	.byte 2
		.asciz "int"
		.byte 4, 5
	p:	.byte 3
		.long int - first, $1 - first
	q:	.byte 3
		.long int - first, inner - first
	ps:	.byte 4
		.long s - first
	s:	.byte 5
		.asciz "s"
		.byte 16
		.long dinner - first
		.byte 7
		.asciz "p"
		.long p - first
		.byte 0
		.long douter - first
		.byte 6
		.asciz "q"
		.long q - first
		.byte 8
		.byte 0
		.byte 8
		.asciz "f"
		.long int - first
		.quad f
		.byte 1
		.long douter - first
		.byte 9
		.asciz "s"
		.long ps - first
		.byte 1, 0x55
		.byte 10
		.asciz "x"
		.long int - first
		.byte 1, 0x54
		.long dinner - first
		.byte 0
		.byte 11
		.asciz "var"
		.long int - first
		.byte 9, 3
		.quad var
		.long dinner - first
	outer:	.byte 13
		.asciz "btf_type_tag", "outer"
		.long inner - first
	inner:	.byte 12
		.asciz "btf_type_tag", "inner"
	away:	.byte 13
		.asciz "btf_type_tag", "away"
		.long there - first
	ring:	.byte 13
		.asciz "btf_type_tag", "ring"
		.long ring - first
	douter:	.byte 13
		.asciz "btf_decl_tag", "outer"
		.long dinner - first
	dinner:	.byte 12
		.asciz "btf_decl_tag", "inner"
		.byte 0
	first_end:
		.long second_end - . - 4
		.short 4
		.long second_abbrevs
		.byte 8
		.byte 1, 12
	there:	.byte 2
		.asciz "there", "btf_type_tag"
		.long there2 - first
	there2:	.byte 2
		.asciz "there2", "btf_type_tag"
		.long outer - first
		.byte 0
	second_end:
		.section .note.GNU-stack, "", @progbits
	S
	$CC -c -o annotated.o annotated.s
	image annotated annotated.o
}

begin 'type tags: the first one is nearest to the pointer'
annotated outer
encode annotated
expect_text "$(types annotated '^(STRUCT|TYPE_TAG)')" <<'T'
STRUCT s size 16 { int __tag(inner) __tag(outer) *p @0; int __tag(inner) *q @64; }
TYPE_TAG inner -> int
TYPE_TAG outer -> int __tag(inner)
T

begin 'decl tags of structs, members, functions and parameters; as with pahole, variables get none'
expect_text "$(sed -nE 's/^\[[0-9]+\] (DECL_TAG [a-z]+) on \[[0-9]+\]/\1/p' annotated.dump)" <<'T'
DECL_TAG inner s component -1
DECL_TAG inner s component 0
DECL_TAG outer s component 0
DECL_TAG inner f component -1
DECL_TAG outer f component -1
DECL_TAG inner f component 1
T
verify annotated annotated.btf

begin 'a chain of annotations is followed through another unit and back'
annotated away
encode annotated
expect_text "$(types annotated '^STRUCT')" <<'T'
STRUCT s size 16 { int __tag(inner) __tag(outer) __tag(there2) __tag(there) __tag(away) *p @0; int __tag(inner) *q @64; }
T

begin 'without the feature for tags, none are written'
expect 0 "$ABTF" encode -q --features=encode_force,decl_tag -o few.btf annotated
"$dump" few.btf >few.dump
has_not few.dump TYPE_TAG
has few.dump DECL_TAG
expect 0 "$ABTF" encode -q --features=encode_force,type_tag -o few.btf annotated
"$dump" few.btf >few.dump
has few.dump TYPE_TAG
has_not few.dump DECL_TAG

begin 'a circular chain of annotations is ignored'
annotated ring
encode annotated
expect_text "$(types annotated '^(STRUCT|TYPE_TAG)')" <<'T'
STRUCT s size 16 { int *p @0; int __tag(inner) *q @64; }
TYPE_TAG inner -> int
T

begin 'a chain that leads to a DIE that is not an annotation is ignored'
annotated int
encode annotated
expect_text "$(types annotated '^(STRUCT|TYPE_TAG)')" <<'T'
STRUCT s size 16 { int *p @0; int __tag(inner) *q @64; }
TYPE_TAG inner -> int
T

begin 'true_signature: an omitted parameter has no tag'
have clang-19 || { skip 'no clang-19'; exit 77; }
target clang
CC=clang-19
unit dropped <<'C'
#define __tag(x) __attribute__((btf_decl_tag(x)))
static __attribute__((noinline)) __tag("f")
int f(int *p __tag("p"), int unused __tag("unused"), long q __tag("q")) { return p[q]; }
int g(int *p) { return f(p, 1, 2) + f(p + 1, 2, 3); }
C
image dropped dropped.o
need_dwarf dropped 'DW_AT_calling_convention: 3'
expect 0 "$ABTF_PAHOLE" -J --btf_features=default,true_signature --btf_encode_detached=dropped.btf dropped
"$dump" dropped.btf >dropped.dump
expect_text "$(types dropped ' f($|:| )')" <<'T'
DECL_TAG f on f component -1
DECL_TAG p on f component 0
FUNC f linkage 0: int f(int *p, long q)
T
