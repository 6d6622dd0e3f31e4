#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args: location lists in handwritten DWARF.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/args-dwarf.sh"

begin 'lists with bases, defaults, empty and unknown ranges, and several locations are read'
cat >params <<'S'
	listed pair int .Lpair
	listed length int .Llength
	listed empty int .Lempty
	listed reversed int .Lreversed
	listed several int .Lseveral
	listed same int .Lsame
	listed before int .Lbefore
	listed default int .Ldefault
	listed no_base int .Lno_base
	listed index int .Lindex
	listed cut int .Lcut
	listed outside int 0x7fffffff
S
set_lists <<'S'
.Lpair:	.byte 6
	.quad f
	.byte 4, 5, 6, 1, 0x55, 4, 6, 7, 1, 0x54, 0
.Llength: .byte 8
	.quad f
	.byte 6, 1, 0x55, 0
.Lempty: .byte 4, 5, 5, 1, 0x55, 0
.Lreversed: .byte 4, 6, 4, 1, 0x55, 0
.Lseveral: .byte 4, 0, 6, 1, 0x55, 4, 5, 9, 1, 0x54, 0
.Lsame:	.byte 4, 0, 9, 1, 0x55, 4, 0, 9, 1, 0x55, 0
.Lbefore: .byte 4, 0, 5, 1, 0x55, 4, 6, 9, 1, 0x55, 0
.Ldefault: .byte 5, 1, 0x55, 0
.Lno_base: .byte 1, 0x7f, 4, 0, 9, 1, 0x55, 0
.Lindex: .byte 2, 0, 0x7f, 1, 0x55, 0
.Lcut:	.byte 4, 0, 9, 99
S
image_from_dwarf ranges $cfa
expect_text "$(show_args ranges f@w.c+0x5)" <<T
pair: di
length: di
empty: $none
reversed: $none
several: DWARF has several locations of it at this instruction
same: DWARF has several locations of it at this instruction
before: $none
default: di
no_base: $none
index: $none
cut: $malformed
outside: $none
T

begin 'inside a function, the last location at an instruction applies, and on entry the first one'
cat >params <<'S'
	.byte 11
	.asciz "viewed"
	.long .Ltype_int - .Linfo, .Lviewed, .Lviews
S
set_lists <<'S'
.Lviewed: .byte 4, 0, 0, 1, 0x52, 4, 0, 5, 1, 0x55, 4, 5, 9, 1, 0x54, 0
.Lviews: .byte 0, 1, 1, 2, 2, 0
S
image_from_dwarf viewed $cfa
for at in 0 1 5; do
	show_args viewed f@w.c+0x$at
done >said
expect_text "$(cat said)" <<'T'
viewed: cx
viewed: di
viewed: si
T
