# SPDX-License-Identifier: GPL-2.0-only
# For tests of types that BTF cannot represent, after ../../lib.sh
# shellcheck shell=bash

# encode_and_warn IMAGE [OPTION...]: like encode, and write the warnings to IMAGE.warnings
encode_and_warn() {
	local image=$1

	shift
	rm -f "$image.btf" "$image.dump" "$image.report"
	expect 0 "$ABTF" encode "$@" -o "$image.btf" --report "$image.report" "$image"
	grep 'warning: ' out | sed "s/.*warning: $image: //" >"$image.warnings" || true
	"$dump" "$image.btf" >"$image.dump"
	# other readers accept it
	"$ABTF" strip "$image.btf" plain.btf
	bpftool btf dump file plain.btf >/dev/null || fail 'bpftool rejects the BTF'
}

# assemble_unit NAME LANGUAGE <<'S': assemble NAME.o from the DIEs of a unit, for DWARF that the installed
# compilers do not generate
assemble_unit() {
	as -o "$1.o" - <<-S
	.section .debug_abbrev,"",%progbits
	.macro abbrev code, tag, children, attrs:vararg
	.uleb128 \\code, \\tag
	.byte \\children
	.ifnb \\attrs
	.uleb128 \\attrs
	.endif
	.uleb128 0, 0
	.endm
	abbrev 1, 0x11, 1, 0x13, 0x0b, 0x03, 0x08		# compile_unit: language, name
	abbrev 2, 0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b	# base_type: name, encoding, byte_size
	abbrev 3, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b		# structure_type: name, byte_size
	abbrev 4, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b	# member: name, type, data_member_location
	.uleb128 5, 0x0d					# the same, -1 for all
	.byte 0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x21
	.sleb128 -1
	.uleb128 0, 0
	abbrev 6, 0x04, 0, 0x03, 0x08, 0x0b, 0x0b		# enumeration_type: name, byte_size
	abbrev 7, 0x0f, 0, 0x49, 0x13				# pointer_type: type
	abbrev 8, 0x16, 0, 0x49, 0x13				# typedef: type, no name
	abbrev 9, 0x13, 0, 0x3c, 0x19				# structure_type: declaration
	abbrev 10, 0x24, 0, 0x3e, 0x0b, 0x0b, 0x0b		# base_type: encoding, byte_size
	abbrev 12, 0x16, 0, 0x03, 0x08, 0x49, 0x13		# typedef: name, type
	abbrev 13, 0x47, 0, 0x49, 0x13				# atomic_type: type
	abbrev 14, 0x01, 1, 0x49, 0x13				# array_type: type
	abbrev 15, 0x21, 0, 0x37, 0x0b				# subrange_type: count
	abbrev 16, 0x0d, 0, 0x03, 0x08, 0x49, 0x1f20, 0x38, 0x0b # member: its type in another file
	abbrev 17, 0x04, 1, 0x03, 0x08, 0x0b, 0x0b		# enumeration_type: name, byte_size
	abbrev 18, 0x28, 0, 0x1c, 0x0b				# enumerator: const_value
	abbrev 19, 0x28, 0, 0x03, 0x08, 0x1c, 0x0b		# the same, with a name
	abbrev 20, 0x28, 0, 0x03, 0x0e, 0x1c, 0x0b
	abbrev 21, 0x0b, 1					# lexical_block
	.uleb128 11, 0x04					# enumeration_type: name, 4, name
	.byte 0
	.uleb128 0x03, 0x08, 0x0b, 0x21
	.sleb128 4
	.uleb128 0x03, 0x08, 0, 0
	.byte 0
	.section .debug_info,"",%progbits
	cu:	.long end - start
	start:	.value 5
	.byte 1, 8
	.long .debug_abbrev
	.uleb128 1
	.byte $2
	.asciz "unit"
	.macro base name, encoding, size
	.uleb128 2
	.asciz "\\name"
	.byte \\encoding, \\size
	.endm
	.macro struct name, size
	.uleb128 3
	.asciz "\\name"
	.byte \\size
	.endm
	.macro member name, type, offset
	.uleb128 4
	.asciz "\\name"
	.long \\type - cu
	.byte \\offset
	.endm
	int:	base int, 5, 4
	$(cat)
	.byte 0
	end:
	S
}
