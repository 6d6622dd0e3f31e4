#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args reads the locations of arguments at an instruction from DWARF.  One program has DWARF
# that no compiler generates; others are compiled, and their DWARF is easily misread.  A wrong location
# is worse than none.
. "${0%/*}/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { begin 'locations in DWARF'; skip 'not on x86-64'; exit 77; }

# shows [OPTION...] IMAGE NAME: print "EXPRESSION=LOCATION", or the reason, one per line
shows() {
	local args=--args

	case "$*" in *--args=*) args= ;; esac
	{ quietly "$ABTF" list --probe=json $args "$@" || [ $? = 4 ]; } |
		jq -r '.probes[].args[] | .expression + ": " + (.reason // ((.registers +
			(.offsets | map(tostring)) + [.add | select(. != 0) | "+" + tostring]) | join(" ")) +
			(if .shift != 0 or .bits != 8 * .size then " \(.bits)@\(.shift)" else "" end))'
}

# --- handwritten DWARF: f() has set up its frame of 32 bytes at f+5

code='push %rbx
	.cfi_adjust_cfa_offset 8
	sub $16, %rsp
	.cfi_adjust_cfa_offset 16
	nop
	nop
	add $16, %rsp
	.cfi_adjust_cfa_offset -16
	pop %rbx
	.cfi_adjust_cfa_offset -8
	ret'

producer='GNU C17 12 -O2'

# written NAME FRAME_BASE: link an image whose f() has the parameters in file "params", and the
# location lists in file "lists".  gas's macros: param NAME TYPE BYTE..., constant NAME TYPE VALUE,
# listed NAME TYPE LABEL, and variable NAME TYPE BYTE...; inlined OFFSET begins a call of inl(), and block
# a block, which .byte 0 ends; arg NAME BYTE... and arg_listed NAME LABEL
written() {
	cat >"$1.s" - params <(printf '\t.byte 0, 0\n.Linfo_end:\n\t.section .debug_loclists,""\n') lists <<-S
	.macro located abbrev name type bytes:vararg
		.byte \abbrev
		.asciz "\name"
		.long .Ltype_\type - .Linfo
		.uleb128 .Lend\@ - .Lstart\@
	.Lstart\@: .byte \bytes
	.Lend\@:
	.endm
	.macro param name type bytes:vararg
		located 4, \name, \type, \bytes
	.endm
	.macro constant name type value
		.byte 12
		.asciz "\name"
		.long .Ltype_\type - .Linfo
		.sleb128 \value
	.endm
	.macro listed name type label
		.byte 5
		.asciz "\name"
		.long .Ltype_\type - .Linfo
		.long \label
	.endm
	.macro variable name type bytes:vararg
		located 13, \name, \type, \bytes
	.endm
	.macro inlined offset
		.byte 15
		.long .Linl - .Linfo
		.quad f + \offset, .Lf_end - f - \offset
	.endm
	.macro arg name bytes:vararg
		.byte 10
		.long .Linl_\name - .Linfo
		.uleb128 .Lend\@ - .Lstart\@
	.Lstart\@: .byte \bytes
	.Lend\@:
	.endm
	.macro arg_listed name label
		.byte 17
		.long .Linl_\name - .Linfo
		.long \label
	.endm
	.macro block
		.byte 16
		.quad f, .Lf_end - f
	.endm
		.cfi_sections .debug_frame
		.text
	.globl f
	.type f, @function
	f:	.cfi_startproc
		$code
		.cfi_endproc
	.Lf_end:
	.size f, .Lf_end - f
		.section .debug_abbrev,""
	.Labbrev:
		.byte 1, 0x11, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0x13, 0x05, 0x25, 0x08, 0, 0	# unit
		.byte 2, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0			# base type
		.byte 3, 0x2e, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0x40, 0x18, 0x27, 0x19, 0, 0 # subprogram
		.byte 4, 0x05, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0			# parameter
		.byte 5, 0x05, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x17, 0, 0			# with a list
		.byte 6, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b, 0, 0					# struct
		.byte 7, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b, 0, 0			# member
		.byte 8, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x0d, 0x0b, 0x6b, 0x0b, 0, 0		# bit-field
		.byte 9, 0x0f, 0, 0x49, 0x13, 0x0b, 0x0b, 0, 0					# pointer
		.byte 10, 0x05, 0, 0x31, 0x13, 0x02, 0x18, 0, 0					# parameter with an origin
		.byte 11, 0x05, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x17, 0xb7, 0x42, 0x17, 0, 0	# with a list and views
		.byte 12, 0x05, 0, 0x03, 0x08, 0x49, 0x13, 0x1c, 0x0d, 0, 0			# a constant
		.byte 13, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0			# variable
		.byte 14, 0x2e, 1, 0x03, 0x08, 0x20, 0x0b, 0x27, 0x19, 0, 0			# abstract function
		.byte 15, 0x1d, 1, 0x31, 0x13, 0x11, 0x01, 0x12, 0x07, 0, 0			# inlined call
		.byte 16, 0x0b, 1, 0x11, 0x01, 0x12, 0x07, 0, 0					# block
		.byte 17, 0x05, 0, 0x31, 0x13, 0x02, 0x17, 0, 0					# with an origin and a list
		.byte 18, 0x05, 0, 0x03, 0x08, 0x49, 0x13, 0, 0					# without a location
		.byte 0
		.section .debug_info,""
	.Linfo:	.long .Linfo_end - .Linfo - 4
		.2byte 5
		.byte 1, 8
		.long .Labbrev
		.byte 1
		.asciz "w.c"
		.quad f, .Lf_end - f
		.2byte 0x1d
		.asciz "$producer ${3-}"
	.Ltype_int: .byte 2
		.asciz "int"
		.byte 4, 5
	.Ltype_long: .byte 2
		.asciz "long"
		.byte 8, 5
	.Ltype_wide: .byte 2
		.asciz "__int128"
		.byte 16, 5
	.Ltype_pair: .byte 6
		.asciz "pair"
		.byte 8, 7
		.asciz "x"
		.long .Ltype_int - .Linfo
		.byte 0, 7
		.asciz "y"
		.long .Ltype_int - .Linfo
		.byte 4, 0
	.Ltype_bits: .byte 6
		.asciz "bits"
		.byte 8, 8
		.asciz "a"
		.long .Ltype_int - .Linfo
		.byte 3, 4, 8
		.asciz "b"
		.long .Ltype_int - .Linfo
		.byte 9, 7, 0
	.Ltype_two: .byte 6
		.asciz "two"
		.byte 16, 7
		.asciz "a"
		.long .Ltype_long - .Linfo
		.byte 0, 7
		.asciz "b"
		.long .Ltype_int - .Linfo
		.byte 8, 7
		.asciz "c"
		.long .Ltype_int - .Linfo
		.byte 12, 0
	.Ltype_ptr: .byte 9
		.long .Ltype_pair - .Linfo
		.byte 8
	.Linl:	.byte 14
		.asciz "inl"
		.byte 3
	.Linl_x: .byte 18
		.asciz "x"
		.long .Ltype_long - .Linfo
	.Linl_y: .byte 18
		.asciz "y"
		.long .Ltype_int - .Linfo
	.Linl_s: .byte 18
		.asciz "s"
		.long .Ltype_two - .Linfo
	.Linl_w: .byte 18
		.asciz "w"
		.long .Ltype_wide - .Linfo
	.Linl_p: .byte 18
		.asciz "p"
		.long .Ltype_ptr - .Linfo
		.byte 0
		.byte 3
		.asciz "f"
		.quad f, .Lf_end - f
		.uleb128 .Lframe_end - .Lframe
	.Lframe: .byte $2
	.Lframe_end:
	S
	# shellcheck disable=SC2086 # lists of flags
	$CC $machine -c -o "$1.o" "$1.s"
	image "$1" "$1.o"
}

# the list's header: DWARF 5, without offsets
lists() {
	{
		printf '\t.long .Llists_end - .Llists\n.Llists: .2byte 5\n\t.byte 8, 0\n\t.long 0\n'
		cat
		printf '.Llists_end:\n'
	} >lists
}
lists </dev/null

cfa=0x9c not='abtf does not understand DWARF'"'"'s expression'
malformed="DWARF's expression is malformed"
unset_yet='it is in the frame, but DWARF does not record from which instruction on'
no_frame='it is in the frame, whose address is not known here'
no_register='it is in a register that probes cannot read'
entry_value='it is a value that a register had when the function was entered'
none='DWARF has no location of it at this instruction'
another='DWARF may describe another value of it'
unset_register='it is in a register, but DWARF does not record from which instruction on'
part='DWARF has only a part of the constant'

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
written plain $cfa
expect_text "$(shows plain f@w.c+0x5)" <<T
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
written later $cfa
expect_text "$(shows later f)" <<T
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
written hard $cfa
expect_text "$(shows hard f@w.c+0x5 | sed 's/^one_piece\..*: /one_piece: /' | uniq)" <<T
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
producer='clang version 19.1.7' written constant $cfa
expect_text "$(shows --args=c.x,c.y,b.a,b.b,c.y:x16 constant f@w.c+0x5)" <<'T'
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
lists <<'S'
.Ltwo: .byte 7
	.quad f + 1, .Lf_end
	.byte 6, 0x52, 0x93, 8, 0x53, 0x93, 8, 0
S
producer='clang version 19.1.7' written parts $cfa
expect_text "$(shows --args=t.a,t.b,t.c parts f@w.c+0x5)" <<'T'
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
	written parts.s390x $cfa
	expect_text "$(shows --args=t.a,t.b,t.c,t.a:u16,c.x,c.y parts.s390x f@w.c+0x2)" <<-'T'
	t.a: r2
	t.b: r3 32@32
	t.c: r3
	t.a: r2
	c.x: +5
	c.y: +4294967289
	T
)

begin 'gcc does not track all changes of a struct, or of several registers, inside a function'
cat >params <<'S'
	param t two 0x52, 0x93, 8, 0x53, 0x93, 8
	listed l two .Lpieces
	listed p pair .Lregister
	listed r ptr .Lpointer
	listed o long .Lpiece
	param c pair 0x9e, 8, 5, 0, 0, 0, 6, 0, 0, 0
S
lists <<'S'
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
written untracked-parts $cfa
expect_text "$(shows --args=t.a,l.a,p.x,r,o,c.y untracked-parts f@w.c)" <<T
t.a: $unset_register
l.a: di
p.x: dx
r: cx
o: r8
c.y: +6
T
expect_text "$(shows --args=t.a,l.a,p.x,r,o,c.y untracked-parts f@w.c+0x5)" <<T
t.a: $unset_register
l.a: $another
p.x: $another
r: cx
o: $another
c.y: $another
T

begin 'a constant that the function may assign, or that has more bytes than DWARF has'
cat >params <<'S'
	constant k int -36
	constant wide two -2
	param expr two 0x35, 0x9f
	param moved two 0x52, 0x93, 8, 0x53, 0x93, 8
S
written constants $cfa
expect_text "$(shows --args=k,wide,expr constants f@w.c)" <<T
k: $another
wide: $another
expr: $part
T
expect_text "$(shows --args=k,wide,expr constants f@w.c+0x5)" <<T
k: +-36
wide: $part
expr: $another
T

begin 'clang: constants on entry, the stack pointer before the frame is set up, structs of the caller'
cat >params <<'S'
	param c int 0x35, 0x9f
	listed sp int .Lsp
	param callers long 0x91, 32
	param struct pair 0x91, 40
	listed passed int .Lpassed
	listed loaded int .Lloaded
	listed later int .Llater
S
lists <<'S'
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
producer='clang version 19.1.7' written clang 0x57
expect_text "$(shows --args=c,sp,callers,struct.x,passed,loaded clang f@w.c)" <<T
c: $another
sp: $no_frame
callers: $no_frame
struct.x: $no_frame
passed: r8
loaded: $unset_register
T
expect_text "$(shows --args=c,sp,callers,struct.x,loaded,later clang f@w.c+0x1)" <<T
c: +5
sp: $no_frame
callers: $no_frame
struct.x: $no_frame
loaded: $unset_register
later: r11
T
expect_text "$(shows --args=c,sp,callers,struct.x clang f@w.c+0x5)" <<'T'
c: +5
sp: sp 16
callers: sp 32
struct.x: clang may not have stored it
T

# framed FRAME_BASE: show the parameters before and after the frame is set up
framed() {
	written framed "$@"
	shows framed f@w.c+0x1
	shows framed f@w.c+0x5
}
cat >params <<'S'
	listed local int .Lfbreg_local
	param callers long 0x91, 8
	param single int 0x91, 0x70
S
lists <<'S'
.Lfbreg_local: .byte 7
	.quad f, .Lf_end
	.byte 2, 0x91, 0x70, 0
S

begin 'the frame is at the canonical frame address'
expect_text "$(framed $cfa)" <<T
local: sp 0
callers: sp 24
single: $unset_yet
local: sp 16
callers: sp 40
single: $unset_yet
T

begin 'the frame is relative to a register that the function sets'
for base in 0x57 0x77,0; do
	expect_text "$(framed $base)" <<-T
	local: $no_frame
	callers: $no_frame
	single: $no_frame
	local: sp -16
	callers: $unset_yet
	single: $unset_yet
	T
done
begin 'a frame base that is another register, itself, missing, or not an address is not used'
for base in 0x56 0x76,0 0x91,0 '' 0x31,0x9f 0x77 0x77,0,6 0x77,0,0x9f 0xa3,1,0x57,0x9f 0x31; do
	expect_text "$(framed "$base" | sed 's/.*: //' | sort -u)" <<<"$no_frame"
done

begin 'without .debug_frame, the frame is only known on entry'
written framed $cfa
tool objcopy -R .debug_frame framed.o
image framed framed.o
expect_text "$(shows framed f@w.c+0x5)" <<T
local: $no_frame
callers: $no_frame
single: $no_frame
T

begin 'lists may have bases, defaults, empty and unknown ranges, and several locations'
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
lists <<'S'
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
written ranges $cfa
expect_text "$(shows ranges f@w.c+0x5)" <<T
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
lists <<'S'
.Lviewed: .byte 4, 0, 0, 1, 0x52, 4, 0, 5, 1, 0x55, 4, 5, 9, 1, 0x54, 0
.Lviews: .byte 0, 1, 1, 2, 2, 0
S
written viewed $cfa
for at in 0 1 5; do
	shows viewed f@w.c+0x$at
done >said
expect_text "$(cat said)" <<'T'
viewed: cx
viewed: di
viewed: si
T

# inlined_args NAME: show the arguments of the inlined calls of inl()
inlined_args() {
	shows --inlined "${args:---args=x,y,s.a,w}" "$1" inl
}

begin 'clang: an inlined call, whose parameter is in the register of a narrower variable of the caller'
upper="DWARF does not record whether its upper bits are in the register"
cat >params <<'S'
	param narrow int 0x55
	param wide long 0x54
	listed ended int .Lended
	inlined 5
	arg x 0x54
	arg y 0x55
	.byte 0
	inlined 5
	arg x 0x55
	.byte 0
	block
	variable inner int 0x51
	inlined 5
	arg x 0x51
	.byte 0, 0
	inlined 5
	arg x 0x51
	.byte 0
	variable part two 0x52, 0x93, 4, 0x53, 0x93, 8
	inlined 5
	arg x 0x52
	.byte 0
	inlined 5
	arg x 0x53
	.byte 0
	inlined 5
	arg x 0x58
	arg y 0x58
	.byte 0
	inlined 5
	arg x 0x59
	.byte 0
	inlined 5
	arg x 0x55
	inlined 5
	arg x 0x5a
	.byte 0, 0
S
lists <<'S'
.Lended: .byte 7
	.quad f, f + 5
	.byte 1, 0x59, 0
S
narrow=(si "$upper" "$upper" dx "$upper" bx "$upper" r9 "$upper" r10)
producer='clang version 19.1.7' written narrow 0x57
expect_text "$(args=--args=x inlined_args narrow)" <<<"$(printf 'x: %s\n' "${narrow[@]}")"
written narrow 0x57
expect_text "$(args=--args=x inlined_args narrow | sort -u)" <<<"x: $unset_register"

begin 'clang: a value that may be another one has a doubt, and the first of them a note'
cat >params <<'S'
	listed moved long .Lmoved
	listed kept long .Lkept
	inlined 5
	arg x 0x52
	arg_listed y .Lspilled
	arg_listed p .Lkept
	arg_listed s .Lconstant
	.byte 0
S
lists <<'S'
.Lmoved: .byte 7
	.quad f, f + 1
	.byte 1, 0x55
	.byte 7
	.quad f + 1, .Lf_end
	.byte 1, 0x53, 0
.Lkept: .byte 7
	.quad f, .Lf_end
	.byte 1, 0x54, 0
.Lspilled: .byte 7
	.quad f, .Lf_end
	.byte 2, 0x73, 8, 0
.Lconstant: .byte 7
	.quad f, .Lf_end
	.byte 3, 0x35, 0x9f, 0
S
doubts() {
	{ quietly "$ABTF" list --probe=json "$@" || [ $? = 4 ]; } |
		jq -r '[.probes[].args[] | select(.doubt) | .expression + .doubt[:5]] | join(" ")'
}
producer='clang version 19.1.7' written doubt 0x57
written sure 0x57
inlined=(--inlined --args='x,y,p,p->x,s.a,nosuch')
doubts --args doubt f@w.c | expect_none
expect_eq "$(doubts --args doubt f@w.c+0x5)" 'movedit ma'
expect_eq "$(doubts "${inlined[@]}" doubt inl)" 'xit ma yit ma pit ma p->xit ma'
doubts --args sure f@w.c+0x5 | expect_none
doubts "${inlined[@]}" sure inl | expect_none
# notes OPTION...: print the notes
notes() {
	"$ABTF" list "$@" 2>&1 >out | sed -n 's/^abtf: note: \([^:]*: [^:]*\):.*/\1/p'
}
for tool in bpftrace tracefs libbpf; do
	expect_eq "$(notes --probe=$tool "${inlined[@]}" doubt inl)" 'x: it may be another value'
	expect_eq "$(notes --probe=$tool --args=kept,moved doubt f@w.c+0x5)" 'moved: it may be another value'
	notes --probe=$tool --args=kept doubt f@w.c+0x5 | expect_none
	notes --probe=$tool --args doubt f@w.c | expect_none
	notes --probe=$tool "${inlined[@]}" sure inl | expect_none
done
notes --probe=json "${inlined[@]}" doubt inl | expect_none

begin 'gcc: a constant of an inlined call, and a register elsewhere'
cat >params <<'S'
	inlined 5
	arg_listed x .Lmerged
	arg_listed y .Lconstant
	.byte 0
S
lists <<'S'
.Lmerged: .byte 7
	.quad f + 5, f + 6
	.byte 2, 0x33, 0x9f
	.byte 7
	.quad f + 6, .Lf_end
	.byte 1, 0x55, 0
.Lconstant: .byte 7
	.quad f + 5, f + 6
	.byte 2, 0x33, 0x9f
	.byte 7
	.quad f + 6, .Lf_end
	.byte 2, 0x34, 0x9f, 0
S
written merged $cfa
expect_text "$(args=--args=x,y inlined_args merged)" <<T
x: $another
y: +3
T

begin 'an inlined call whose argument is in two registers, or a part of it in memory'
cat >params <<'S'
	inlined 5
	arg_listed s .Ltwo
	arg_listed w .Lmemory
	arg_listed x .Lmemory
	.byte 0
S
lists <<'S'
.Ltwo: .byte 7
	.quad f, .Lf_end
	.byte 6, 0x52, 0x93, 8, 0x53, 0x93, 8, 0
.Lmemory: .byte 7
	.quad f, .Lf_end
	.byte 2, 0x76, 8, 0
S
for producer in 'clang version 19.1.7' 'GNU C17 12 -O2'; do
	written inlined-parts $cfa
	expect_text "$(args=--args=s.a,w,x inlined_args inlined-parts)" <<-T
	s.a: $another
	w: DWARF may describe a part of it
	x: bp 8
	T
done

begin 'on entry, registers of arguments are in the order of the parameters'
cat >params <<'S'
	param a long 0x55
	param b two 0x52, 0x93, 8, 0x58, 0x93, 8
	param c int 0x52
	param d long 0x59
	param e long 0x59
S
producer='clang version 19.1.7' written order $cfa
expect_text "$(shows --args=a,b.a,c,d,e order f@w.c)" <<T
a: di
b.a: $another
c: $another
d: $another
e: $another
T
expect_text "$(shows --args=a,b.a,c,d,e order f@w.c+0x5)" <<T
a: di
b.a: cx
c: cx
d: r9
e: r9
T

begin 'a parameter may have two DIEs'
cat >params <<'S'
.Lparam: param a int 0x55
	.byte 10
	.long .Lparam - .Linfo
	.byte 1, 0x54
S
written twice $cfa
# f() has no prototype, which types need
unit other <<<'int other(int a) { return a; }'
image twice twice.o other.o
expect_text "$(shows --args=a twice f@w.c+0x5)" <<<'a: DWARF has several entries of it'

# --- information that is missing in the DWARF of compilers

cat >changed.c <<'C'
int sink;
static inline __attribute__((always_inline)) void inl(int k, long l)
{
	k += 3;
	l *= 5;
	sink++;
	asm volatile("nop" : : "r"(k), "r"(l));
}
#define F __attribute__((noinline, used)) static
F void passes(int k, long l) { inl(k, l); }
F void passes_constants(void) { inl(7, 100); }
static __attribute__((noinline)) int clone(int unused, int k) { k += 3; sink++; asm volatile("nop" : : "r"(k)); return k; }
int calls(int k) { return clone(1, k) + clone(2, k + 1); }
C

begin 'gcc: on entry, the passed value is found, although DWARF has a changed one at the first instruction'
for flags in -gdwarf-5 -gdwarf-4; do
	# shellcheck disable=SC2086 # lists of flags
	unit changed $flags <changed.c
	image changed changed.o
	need_dwarf changed DW_AT_GNU_entry_view
	need_dwarf changed DW_AT_GNU_locviews
	need_symbol changed 't clone\.constprop\.0'
	expect_text "$(shows --inlined changed inl)" <<-'T'
	k: di
	l: si
	k: +7
	l: +100
	T
	expect_text "$(shows --args=k changed clone)" <<<'k: di'
done

begin 'a register for the whole function, without the instruction after which it is valid'
cat >untracked.c <<'C'
int sink(int a);
static __attribute__((noinline)) int clone(int *p, int unused, int k) { return sink(1) + sink(2) + *p + k; }
int calls(int *p, int k) { return clone(p, 1, k) + clone(p + 1, 1, k + 2); }
C
unit sink <<<'int sink(int a) { asm volatile("" : : : "memory", "di", "si", "dx"); return a; }'
unit untracked -fno-var-tracking <untracked.c
image untracked untracked.o sink.o
need_symbol untracked 't clone\.constprop\.0'
expect_text "$(shows --args=p,k untracked clone)" <<'T'
p: it is in a register, but DWARF does not record from which instruction on
k: it is in a register, but DWARF does not record from which instruction on
T

begin 'the cold part of a function is not its entry'
unit cold -freorder-blocks-and-partition <<'C'
struct big { long a[6]; };
__attribute__((cold, noinline)) void bad(struct big *o, int k) { asm volatile("" : : "r"(k), "r"(o) : "memory"); }
__attribute__((noinline)) int ext(int k) { asm volatile("" : "+r"(k) : : "memory"); return k; }
int f(int a, int b, int c, int d, int e, int g, long h, struct big s)
{
	struct big l = s;
	int r = ext(a);

	asm volatile("" : : "r"(&l) : "memory");
	if (__builtin_expect(r == 77, 0)) {
		bad(&l, h);
		bad(&s, r);
		return s.a[2] + h;
	}
	return r + l.a[3];
}
C
image cold cold.o
need_symbol cold 't f\.cold'
shows -a --args=h cold f.cold >shown
has shown '^h: '
has_not shown 'h: sp 8$'
tool objcopy -R .debug_frame cold.o
image cold cold.o
expect_text "$(shows -a --args=h cold f.cold)" <<<"h: $no_frame"

begin 'link-time optimization: parameters are described in later units'
types='struct object { int a; struct object *next; }; int sink(int);'
types+='static inline __attribute__((always_inline)) int inl'
unit lto_a -flto -fno-fat-lto-objects <<C
$types(struct object *o, int k) { return sink(o->a + k) + sink(o->next->a); }
int outer(struct object *o, int m) { return inl(o->next, 5) + m; }
C
unit lto_b -flto -fno-fat-lto-objects <<C
$types(struct object *o, int k) { return sink(o->a + k) + sink(o->next->a); }
__attribute__((noinline)) int sink(int a) { asm volatile("" : "+r"(a)); return a; }
int outer_b(struct object *o) { return inl(o, 3); }
C
# shellcheck disable=SC2086 # lists of flags
gcc $common $machine $link -flto -flto-partition=one -Wl,-T,"$selftests/example/vmlinux.lds" \
	-Wl,-u,outer -Wl,-u,outer_b -o lto lto_a.o lto_b.o
need_dwarf lto DW_TAG_inlined_subroutine
expect 0 quietly "$ABTF" list --inlined --probe=tracefs --args='o->next->a,k' lto inl
says ' a=\+0\(\+8\(%[a-z0-9]+\)\):s32 k=\\5:s32$'
says ' a=\+0\(\+8\(%[a-z0-9]+\)\):s32 k=\\3:s32$'

begin 'clang: a struct that the function copies to its frame later'
(
	target clang
	unit copied <<-'C'
	struct wide { unsigned n; char c; } __attribute__((aligned(64)));
	struct padded { unsigned n; } __attribute__((aligned(16)));
	struct pair { int x, y; };
	#define F __attribute__((noinline, used)) static
	F void f(struct pair p, struct padded q, struct wide w, int b)
	{
		asm volatile("" : : "m"(p));
		asm volatile("" : : "m"(q));
		asm volatile("" : : "m"(w), "r"(b));
	}
	C
	image copied copied.o
	need_dwarf copied 'DW_OP_breg7 \(rsp\)'
	expect_text "$(shows --args=p.x,b copied f)" <<-T
	p.x: $no_frame
	b: dx
	T
)
