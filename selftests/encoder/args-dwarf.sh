#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args reads the locations of arguments at an instruction from DWARF: expressions and constants in
# handwritten DWARF that no compiler generates.  A wrong location is worse than none.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/args-dwarf.sh"

begin 'arguments in registers and memory, and constants, are found'
cat >params <<'S'
	param reg int 0x55
	param regx long 0x90, 14
	param ip long 0x60
	param xmm long 0x61
	param far_reg long 0x90, 0xac, 2
	param breg int 0x75, 8
	param value long 0x75, 8, 0x9f
	param below ptr 0x75, 0x80, 0x80, 0x80, 0x80, 0x78, 0x9f
	param deref long 0x75, 8, 6
	param deref_size long 0x75, 8, 0x94, 4, 0x9f
	param masked long 0x75, 0, 8, 1, 0x1a, 0x9f
	param sum long 0x75, 0, 0x74, 0, 0x22, 0x9f
	param fixed long 8, 16
	param lit int 0x35, 0x9f
	param neg long 9, 0xff, 0x9f
	param big long 12, 0xff, 0xff, 0xff, 0xff, 0x9f
	param implicit int 0x9e, 4, 0xfe, 0xff, 0xff, 0xff
	param odd int 0x9e, 3, 1, 2, 3
	param wide long 0x9e, 16, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0
	param empty int
	param address ptr 3, 0, 0, 0, 0x81, 0xff, 0xff, 0xff, 0xff, 0x9f
	param static long 3, 0, 0, 0, 0x81, 0xff, 0xff, 0xff, 0xff
S
image_from_dwarf plain $cfa
expect_text "$(show_args plain f@w.c+0x5)" <<T
reg: di
regx: r14
ip: $no_register
xmm: $no_register
far_reg: $no_register
breg: $unset_yet
value: di +8
below: di +-2147483648
deref: $not
deref_size: $not
masked: $not
sum: $not
fixed: it is at a fixed address
lit: +5
neg: +-1
big: +4294967295
implicit: +4294967294
odd: $not
wide: $not
empty: it was optimized out
address: it is an address in the image
static: it is at a fixed address in the image
T

begin 'on entry, values relative to a register that the function sets are not there yet'
cat >params <<'S'
	param later long 0x73, 8, 0x9f
	param passed long 0x75, 8, 0x9f
S
image_from_dwarf later $cfa
expect_text "$(show_args later f)" <<T
later: $no_frame
passed: di +8
T

begin 'malformed expressions, and expressions that depend on unknown values, have a reason'
cat >params <<'S'
	param cut long 0x75
	param cut_block long 0x9e, 8, 1
	param underflow long 0x22
	param no_value long 0x9f
	param after_reg long 0x55, 0x31
	param twice long 0x31, 0x9f, 0x31, 0x9f
	param entry long 0xa3, 1, 0x55, 0x9f
	param entry_sum long 0xf3, 1, 0x55, 0x23, 8, 0x9f
	param entry_memory long 0xa3, 2, 0x75, 0, 0x9f
	param pointer ptr 0xa0, 0, 0, 0, 0, 0
	param gnu_pointer ptr 0xf2, 0, 0, 0, 0, 0
	param convert long 0x75, 0, 0xa8, 0, 0x9f
	param parameter long 0xfa, 0, 0, 0, 0, 0x9f
	param call long 0x98, 0, 0
	param tls long 0x75, 0, 0xe0
	param unknown long 0xff
	param piece long 0x55, 0x93, 4
	param pieces long 0x55, 0x93, 4, 0x54, 0x93, 4
	param bit_pieces bits 0x55, 0x9d, 32, 0, 0x54, 0x9d, 32, 0
	param no_piece pair 0x93, 8
	param one_piece pair 0x55, 0x93, 8
	param divided long 0x75, 0, 0x31, 0x1b, 0x9f
	param shifted long 0x31, 0x08, 64, 0x24, 0x9f
S
image_from_dwarf hard $cfa
expect_text "$(show_args hard f@w.c+0x5 | sed 's/^one_piece\..*: /one_piece: /' | uniq)" <<T
cut: $malformed
cut_block: $malformed
underflow: $malformed
no_value: $malformed
after_reg: $not
twice: $not
entry: $entry_value
entry_sum: $entry_value
entry_memory: $not
pointer: $not
gnu_pointer: $not
convert: $not
parameter: $not
call: $not
tls: $not
unknown: $not
piece: it is in pieces
pieces: it is in pieces
bit_pieces: it is in pieces
no_piece: it is in pieces
one_piece: $unset_register
divided: $not
shifted: $not
T

begin 'members of a struct that is a constant are found'
cat >params <<'S'
	param c pair 0x9e, 8, 5, 0, 0, 0, 0xf9, 0xff, 0xff, 0xff
	param b bits 0x9e, 8, 0x50, 0x1f, 0, 0, 0, 0, 0, 0
S
producer='clang version 19.1.7' image_from_dwarf constant $cfa
expect_text "$(show_args --args=c.x,c.y,b.a,b.b,c.y:x16 constant f@w.c+0x5)" <<'T'
c.x: +5
c.y: +4294967289
b.a: +5 3@0
b.b: +62 9@0
c.y: +4294967289
T
expect 0 quietly "$ABTF" list --probe=tracefs --args='c.x,c.y' constant f@w.c+0x5
says ' x=\\5:s32 y=\\4294967289:s32$'

begin 'parts of a struct in two registers are found, also on a big-endian machine'
cat >params <<'S'
	listed t two .Ltwo
	param c pair 0x9e, 8, 0, 0, 0, 5, 0xff, 0xff, 0xff, 0xf9
S
set_lists <<'S'
.Ltwo: .byte 7
	.quad f + 1, .Lf_end
	.byte 6, 0x52, 0x93, 8, 0x53, 0x93, 8, 0
S
producer='clang version 19.1.7' image_from_dwarf parts $cfa
expect_text "$(show_args --args=t.a,t.b,t.c parts f@w.c+0x5)" <<'T'
t.a: cx
t.b: bx
t.c: bx 32@32
T
(
	target s390x
	producer='clang version 19.1.7'
	code='nopr
		nopr
		br %r14'
	image_from_dwarf parts.s390x $cfa
	expect_text "$(show_args --args=t.a,t.b,t.c,t.a:u16,c.x,c.y parts.s390x f@w.c+0x2)" <<-'T'
	t.a: r2
	t.b: r3 32@32
	t.c: r3
	t.a: r2
	c.x: +5
	c.y: +4294967289
	T
)

begin 'gcc: structs, and values in several registers, are not used inside a function: their changes are not tracked'
cat >params <<'S'
	param t two 0x52, 0x93, 8, 0x53, 0x93, 8
	listed l two .Lpieces
	listed p pair .Lregister
	listed r ptr .Lpointer
	listed o long .Lpiece
	param c pair 0x9e, 8, 5, 0, 0, 0, 6, 0, 0, 0
S
set_lists <<'S'
.Lpieces: .byte 7
	.quad f, .Lf_end
	.byte 6, 0x55, 0x93, 8, 0x54, 0x93, 8, 0
.Lregister: .byte 7
	.quad f, .Lf_end
	.byte 1, 0x51, 0
.Lpointer: .byte 7
	.quad f, .Lf_end
	.byte 1, 0x52, 0
.Lpiece: .byte 7
	.quad f, .Lf_end
	.byte 3, 0x58, 0x93, 8, 0
S
image_from_dwarf untracked-parts $cfa
expect_text "$(show_args --args=t.a,l.a,p.x,r,o,c.y untracked-parts f@w.c)" <<T
t.a: $unset_register
l.a: di
p.x: dx
r: cx
o: r8
c.y: +6
T
expect_text "$(show_args --args=t.a,l.a,p.x,r,o,c.y untracked-parts f@w.c+0x5)" <<T
t.a: $unset_register
l.a: $another
p.x: $another
r: cx
o: $another
c.y: $another
T

begin 'a constant is not used if the function may assign it, or if DWARF has only a part of it'
cat >params <<'S'
	constant k int -36
	constant wide two -2
	param expr two 0x35, 0x9f
	param moved two 0x52, 0x93, 8, 0x53, 0x93, 8
S
image_from_dwarf constants $cfa
expect_text "$(show_args --args=k,wide,expr constants f@w.c)" <<T
k: $another
wide: $another
expr: $part
T
expect_text "$(show_args --args=k,wide,expr constants f@w.c+0x5)" <<T
k: +-36
wide: $part
expr: $another
T

begin 'clang: constants on entry, stack slots before the frame is set up, and structs of the caller are not used'
cat >params <<'S'
	param c int 0x35, 0x9f
	listed sp int .Lsp
	param callers long 0x91, 32
	param struct pair 0x91, 40
	listed passed int .Lpassed
	listed loaded int .Lloaded
	listed later int .Llater
S
set_lists <<'S'
.Lsp: .byte 7
	.quad f, .Lf_end
	.byte 2, 0x77, 16, 0
.Lpassed: .byte 7
	.quad f, .Lf_end
	.byte 1, 0x58, 0
.Lloaded: .byte 7
	.quad f, .Lf_end
	.byte 1, 0x5b, 0
.Llater: .byte 7
	.quad f + 1, .Lf_end
	.byte 1, 0x5b, 0
S
producer='clang version 19.1.7' image_from_dwarf clang 0x57
expect_text "$(show_args --args=c,sp,callers,struct.x,passed,loaded clang f@w.c)" <<T
c: $another
sp: $no_frame
callers: $no_frame
struct.x: $no_frame
passed: r8
loaded: $unset_register
T
expect_text "$(show_args --args=c,sp,callers,struct.x,loaded,later clang f@w.c+0x1)" <<T
c: +5
sp: $no_frame
callers: $no_frame
struct.x: $no_frame
loaded: $unset_register
later: r11
T
expect_text "$(show_args --args=c,sp,callers,struct.x clang f@w.c+0x5)" <<'T'
c: +5
sp: sp 16
callers: sp 32
struct.x: clang may not have stored it
T

begin 'on entry, a register is not used if it does not match the order of the parameters'
cat >params <<'S'
	param a long 0x55
	param b two 0x52, 0x93, 8, 0x58, 0x93, 8
	param c int 0x52
	param d long 0x59
	param e long 0x59
S
producer='clang version 19.1.7' image_from_dwarf order $cfa
expect_text "$(show_args --args=a,b.a,c,d,e order f@w.c)" <<T
a: di
b.a: $another
c: $another
d: $another
e: $another
T
expect_text "$(show_args --args=a,b.a,c,d,e order f@w.c+0x5)" <<T
a: di
b.a: cx
c: cx
d: r9
e: r9
T

begin 'a parameter with two DIEs has no location'
cat >params <<'S'
.Lparam: param a int 0x55
	.byte 10
	.long .Lparam - .Linfo
	.byte 1, 0x54
S
image_from_dwarf twice $cfa
# f() has no prototype, which types need
unit other <<<'int other(int a) { return a; }'
image twice twice.o other.o
expect_text "$(show_args --args=a twice f@w.c+0x5)" <<<'a: DWARF has several entries of it'
