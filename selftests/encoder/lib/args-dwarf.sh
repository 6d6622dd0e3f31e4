# SPDX-License-Identifier: GPL-2.0-only
# For tests of list --args, after ../../lib.sh: an image with handwritten DWARF, the reasons that abtf prints,
# and a function that prints locations
# shellcheck shell=bash disable=SC2034 # tests use these variables

[ "$(uname -m)" = x86_64 ] || { begin 'locations in DWARF'; skip 'not on x86-64'; exit 77; }

# show_args [OPTION...] IMAGE NAME: print "EXPRESSION: LOCATION", or the reason, one per line
show_args() {
	local args=--args

	case "$*" in *--args=*) args= ;; esac
	{ quietly "$ABTF" list --probe=json $args "$@" || [ $? = 4 ]; } |
		jq -r '.probes[].args[] | .expression + ": " + (.reason // ((.registers +
			(.offsets | map(tostring)) + [.add | select(. != 0) | "+" + tostring]) | join(" ")) +
			(if .shift != 0 or .bits != 8 * .size then " \(.bits)@\(.shift)" else "" end))'
}

# Handwritten DWARF: f() has set up its frame of 32 bytes at f+5.

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

# image_from_dwarf NAME FRAME_BASE: link an image whose f() has the parameters in the file "params", and the
# location lists in the file "lists". Lines of "params" are macros of gas: param NAME TYPE BYTE..., constant
# NAME TYPE VALUE, listed NAME TYPE LABEL, and variable NAME TYPE BYTE...; inlined OFFSET starts a call of
# inl(), and block a block, which .byte 0 ends; arg NAME BYTE... and arg_listed NAME LABEL
image_from_dwarf() {
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
		.asciz "$producer"
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

# set_lists <<'S': write the file "lists", with a header of DWARF 5, without offsets
set_lists() {
	{
		printf '\t.long .Llists_end - .Llists\n.Llists: .2byte 5\n\t.byte 8, 0\n\t.long 0\n'
		cat
		printf '.Llists_end:\n'
	} >lists
}

set_lists </dev/null

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
