#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Types that BTF cannot represent, in handwritten DWARF: like misfits.sh.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/misfits.sh"

begin 'a type with two names gets one of them, and the DIEs after it are read'
assemble_unit twice 0x1d <<'S'
	.uleb128 11
	.asciz "one"
	.asciz "two"
	base after, 5, 4
S
image twice twice.o
"$ABTF" encode -q -o twice.btf twice
"$dump" twice.btf >twice.dump
has twice.dump '(one|two)'
has twice.dump 'after'

begin 'floating point types and enums of odd sizes are omitted or only declared'
assemble_unit odd 0x1d <<'S'
f10:	base f10, 4, 10
f16:	base f16, 4, 16
	.uleb128 6
	.asciz "e3"
	.byte 3
e16:	.uleb128 6
	.asciz "e16"
	.byte 16
ptr:	.uleb128 7
	.long f10 - cu
	struct s, 64
	member a, f10, 0
	member b, f16, 16
	member c, e16, 32
	member d, ptr, 48
	.byte 0
S
image odd odd.o
encode_and_warn odd
expect_text "$(cat odd.warnings)" <<'E'
BTF cannot represent 1 floating point types whose size is not 2, 4, 8, 12 or 16: they, and what needs them, are omitted or only declared
BTF cannot represent 2 enums whose size is not 1, 2, 4 or 8: they, and what needs them, are omitted or only declared
E
expect_text "$(types odd '')" <<'E'
FLOAT f16 size 16
INT int size 4 bits 32 encoding 0x1
PTR -> void
STRUCT s size 64 { f16 b @128; void *d @384; }
E

begin 'members of a struct are sorted by offset'
assemble_unit order 0x1d <<'S'
	struct s, 16
	member c, int, 12
	member a, int, 0
	member b, int, 4
	.byte 0
S
image order order.o
encode_and_warn order
expect_eq "$(wc -l <order.warnings)" 0 'warnings'
expect_text "$(types order ^STRUCT)" <<'E'
STRUCT s size 16 { int a @0; int b @32; int c @96; }
E

begin 'a struct with a member before or after it is only declared'
# the name is known, and more members follow; otherwise, the fast path for members is not taken
assemble_unit outside 0x1d <<'S'
	struct t, 16
	member a, int, 20
	.byte 0
	struct s, 16
	.uleb128 5
	.asciz "a"
	.long int - cu
	.byte 0
	base long, 5, 8
S
image outside outside.o
encode_and_warn outside
has outside.warnings '^BTF cannot represent 2 structs with a member at an offset that BTF cannot represent, or outside of the struct'
expect_text "$(types outside '^(STRUCT|FWD)')" <<'E'
FWD s struct
FWD t struct
E

begin 'an unnamed typedef is replaced with its type, an unnamed integer gets a name, a declaration is omitted'
assemble_unit nameless 0x1d <<'S'
int2:	.uleb128 8
	.long int - cu
decl:	.uleb128 9
ptr:	.uleb128 7
	.long decl - cu
none:	.uleb128 10
	.byte 5, 8
	struct s, 24
	member a, int2, 0
	member b, ptr, 8
	member c, none, 16
	.byte 0
S
image nameless nameless.o
encode_and_warn nameless
expect_text "$(cat nameless.warnings)" <<'E'
BTF cannot represent 1 declarations without a name: they, and what needs them, are omitted or only declared
E
expect_text "$(types nameless ^STRUCT)" <<'E'
STRUCT s size 24 { int a @0; void *b @64; __SANITIZED_FAKE_INT__ c @128; }
E

begin 'unnamed types that contain themselves: only types that depend on them are omitted'
assemble_unit cycles 0x1d <<'S'
loop:	.uleb128 7			# a pointer to itself
	.long loop - cu
anon:	struct "", 8			# a struct without a name that has a pointer to itself
	member next, panon, 0
	.byte 0
panon:	.uleb128 7
	.long anon - cu
one:	.uleb128 12
	.asciz "one"
	.long two - cu
two:	.uleb128 12
	.asciz "two"
	.long one - cu
atom:	.uleb128 13
	.long atom2 - cu
atom2:	.uleb128 13
	.long atom - cu
whole:	struct whole, 16		# valid
	member self, pwhole, 0
	member a, int, 8
	.byte 0
pwhole:	.uleb128 7
	.long whole - cu
	struct s, 64
	member a, int, 0
	member b, loop, 8
	member c, anon, 16
	member d, two, 24
	member e, atom, 32
	member f, pwhole, 40
	member g, int, 48
	.byte 0
S
image cycles cycles.o
encode_and_warn cycles
expect_text "$(sed -E 's/[0-9]+/N/' cycles.warnings)" <<'E'
BTF cannot represent N types that contain themselves, as a value or without a named struct, union or enum in between: they, and what needs them, are omitted or only declared
E
has cycles.dump 'STRUCT whole size 16 \{ struct whole \*self @0; int a @64; \}'
has cycles.dump 'STRUCT s size 64 \{ int a @0; .*int g @384; \}'
"$ABTF" encode -q -j 1 -o again.btf cycles
cmp again.btf cycles.btf || fail 'the bytes differ'

begin 'structs that contain themselves as values are only declared; those that contain them lose a member'
assemble_unit contained 0x1d <<'S'
self:	struct self, 16			# in itself
	member a, int, 0
	member b, self, 8
	.byte 0
one:	struct one, 24			# in two cycles, through an array and a typedef
	member two, pair, 0
	member self, self, 16
	.byte 0
two:	struct two, 8
	member three, two_t, 0
	member four, four, 0
	.byte 0
three:	struct three, 8
	member one, one, 0
	.byte 0
four:	struct four, 8
	member two, two, 0
	member inside, inside, 0
	.byte 0
inside:	struct inside, 8		# in structs of a cycle, but not in itself
	member a, int, 0
	member pself, pself, 0
	.byte 0
outside:	struct outside, 32	# contains structs of a cycle
	member a, int, 0
	member one, one, 0
	member pself, pself, 24
	.byte 0
pself:	.uleb128 7
	.long self - cu
pair:	.uleb128 14
	.long two - cu
	.uleb128 15
	.byte 2
	.byte 0
two_t:	.uleb128 12
	.asciz "three_t"
	.long three - cu
S
image contained contained.o
encode_and_warn contained
expect_text "$(cat contained.warnings)" <<'E'
BTF cannot represent 5 types that contain themselves, as a value or without a named struct, union or enum in between: they, and what needs them, are omitted or only declared
E
expect_text "$(types contained '^(STRUCT|FWD|TYPEDEF)')" <<'E'
FWD four struct
FWD one struct
FWD self struct
FWD three struct
FWD two struct
STRUCT inside size 8 { int a @0; struct self *pself @0; }
STRUCT outside size 32 { int a @0; struct self *pself @192; }
TYPEDEF three_t -> struct three
E
bpftool btf dump file plain.btf format c >contained.h || fail 'bpftool cannot declare the types'
"$ABTF" encode -q -j 1 -o again.btf contained
cmp again.btf contained.btf || fail 'the bytes differ'

begin 'a member with two errors: only the first one is reported'
assemble_unit both 0x1d <<'S'
	struct s, 16
	.uleb128 16
	.byte 1, 1, 1, 1, 0
	.long 0
	.byte 0, 0
S
image both both.o
expect 1 "$ABTF" encode -o both.btf both
says 'a name that is not text'
has_not out 'a reference to another file'

begin 'an enumerator without a name, or with an empty one, is omitted'
assemble_unit unnamed 0x1d <<'S'
	.uleb128 17
	.asciz "e"
	.byte 4
	.uleb128 18
	.byte 3
	.uleb128 19
	.asciz "v"
	.byte 4
	.uleb128 20
	.long empty
	.byte 5
	.uleb128 19
	.asciz ""
	.byte 6
	.byte 0
	.pushsection .debug_str,"MS",%progbits,1
	.asciz "some"
empty:	.asciz ""
	.popsection
S
image unnamed unnamed.o
encode_and_warn unnamed
expect_eq "$(types unnamed ^ENUM)" 'ENUM e unsigned size 4 { v = 4; }'
has unnamed.warnings '^BTF cannot represent 1 compile units with .* or enumerators without a name:'

begin 'DIEs that are nested deeply are read'
assemble_unit nested 0x1d <<'S'
	.rept 20000
	.uleb128 21
	.endr
	struct inner, 4
	member a, int, 0
	.byte 0
	.zero 20000
	struct after, 4
	member b, int, 0
	.byte 0
S
image nested nested.o
encode_and_warn nested
expect_text "$(types nested ^STRUCT)" <<'E'
STRUCT after size 4 { int b @0; }
STRUCT inner size 4 { int a @0; }
E
