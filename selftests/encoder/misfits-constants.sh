#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Sizes, counts, offsets and values in DWARF that are not constants, or do not fit in BTF.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/misfits.sh"

begin 'types with sizes, counts, offsets or values that are not constants, or too big, are omitted or only declared'
cat >unknown.S <<'S'
	.section .debug_abbrev,"",%progbits
	.macro abbrev code, tag, children, attrs:vararg
	.uleb128 \code, \tag
	.byte \children
	.uleb128 \attrs, 0, 0
	.endm
	abbrev 1, 0x11, 1, 0x13, 0x0b, 0x03, 0x08		# compile_unit: language, name
	abbrev 2, 0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b	# base_type: name, encoding, byte_size
	abbrev 3, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b		# structure_type: name, byte_size
	abbrev 4, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x18	# member, its location an expression
	abbrev 5, 0x13, 0, 0x03, 0x08, 0x0b, 0x18		# structure_type, its size one
	abbrev 6, 0x01, 1, 0x49, 0x13				# array_type
	abbrev 7, 0x21, 0, 0x37, 0x07				# subrange_type: count, 8 bytes
	abbrev 8, 0x21, 0, 0x2f, 0x07				# the same: upper_bound
	abbrev 9, 0x04, 1, 0x03, 0x08, 0x0b, 0x0b		# enumeration_type
	abbrev 10, 0x28, 0, 0x03, 0x08, 0x1c, 0x1e		# enumerator: 16 bytes
	abbrev 11, 0x16, 0, 0x03, 0x08, 0x49, 0x13		# typedef
	abbrev 12, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x07	# member, its offset 8 bytes
	.uleb128 13, 0x0d					# the same in the declaration
	.byte 0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x21
	.sleb128 0x2000000000000004
	.uleb128 0, 0
	abbrev 14, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x0b, 0x07, 0x0d, 0x0b, 0x0c, 0x0b # member: byte_size, bit_size, bit_offset
	abbrev 15, 0x21, 0, 0x37, 0x1e				# subrange_type: count, 16 bytes
	abbrev 16, 0x21, 0, 0x37, 0x0b, 0x51, 0x0b		# the same: byte_stride
	abbrev 17, 0x21, 0, 0x37, 0x0b, 0x2e, 0x0b		# the same: bit_stride
	abbrev 18, 0x01, 1, 0x49, 0x13, 0x2e, 0x0b		# array_type: bit_stride
	abbrev 19, 0x21, 0, 0x37, 0x0b				# subrange_type
	abbrev 20, 0x28, 0, 0x03, 0x08, 0x1c, 0x07		# enumerator: 8 bytes
	.uleb128 21, 0x28					# the same in the declaration
	.byte 0
	.uleb128 0x03, 0x08, 0x1c, 0x21
	.sleb128 0x100000005
	.uleb128 0, 0
	abbrev 22, 0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0d, 0x0b	# base_type: bit_size
	abbrev 23, 0x13, 1, 0x03, 0x08, 0x0d, 0x0b		# structure_type: bit_size
	abbrev 24, 0x21, 0, 0x2f, 0x0d				# subrange_type: upper_bound, sdata
	abbrev 25, 0x21, 0, 0x2f, 0x13				# the same: a reference
	abbrev 26, 0x01, 1, 0x49, 0x13, 0x50, 0x18		# array_type: data_location
	abbrev 27, 0x01, 1, 0x49, 0x13, 0x50, 0x18, 0x51, 0x0b	# the same, and byte_stride
	.byte 0
	.section .debug_info,"",%progbits
cu:	.long end - start
start:	.value 5
	.byte 1, 8
	.long .debug_abbrev
	.uleb128 1
	.byte 0x1d
	.asciz "unit"
int:	.uleb128 2
	.asciz "int"
	.byte 5, 4
bits:	.uleb128 22
	.asciz "bits"
	.byte 5, 31
	.uleb128 23
	.asciz "struct_bits"
	.byte 61
	.uleb128 4
	.asciz "a"
	.long bits - cu
	.uleb128 2
	.byte 0x23, 4
	.byte 0
	.macro far name, code, last:vararg
	.uleb128 3
	.asciz "\name"
	.byte 16
	.uleb128 \code
	.asciz "a"
	.long int - cu
	\last
	.byte 0
	.endm
	far far_offset, 12, .quad 0x2000000000000004
	far far_back, 12, .quad 0xe000000000000004
	far far_constant, 13
	far far_storage, 14, .byte 4, 0, 0, 0, 0, 0, 0, 0x20, 3, 5
	.macro member name, bytes:vararg
	.uleb128 3
	.asciz "\name"
	.byte 16
	.uleb128 4
	.asciz "a"
	.long int - cu
	.uleb128 .Lend\@ - .Lstart\@
.Lstart\@: .byte \bytes
.Lend\@:
	.byte 0
	.endm
	member known, 0x23, 4
	member virtual, 0x12, 6, 0x48, 0x1c, 6, 0x22
	member constant, 0x34
	member cut_off, 0x23
	.uleb128 5
	.asciz "dynamic"
	.uleb128 2
	.byte 0x91, 0
	.macro array name, code, number
\name:	.uleb128 6
	.long int - cu
	.uleb128 \code
	.quad \number
	.byte 0
	.uleb128 11
	.asciz "\name"
	.long \name - cu
	.endm
	array count_most, 7, 0xffffffff
	array count_big, 7, 0x100000000
	array count_five, 7, 0x100000005
	array bound_most, 8, 0xfffffffe
	array bound_big, 8, 0xffffffff
	array bound_none, 8, -1
	array count_huge, 7, 0x8000000000000005
	array bound_huge, 8, 0x8000000000000005
	.macro other name, array, code, last:vararg
\name:	.uleb128 \array
	.long int - cu
	.ifeq \array - 18
	.byte 3
	.endif
	.ifeq \array - 26
	.byte 2, 0x97, 6
	.endif
	.ifeq \array - 27
	.byte 2, 0x97, 6, 4
	.endif
	.uleb128 \code
	\last
	.byte 0
	.uleb128 11
	.asciz "\name"
	.long \name - cu
	.endm
	other count_wide, 6, 15, .quad 5, 1
	other byte_stride, 6, 16, .byte 5, 8
	other bit_stride, 6, 17, .byte 5, 3
	other array_stride, 18, 19, .byte 5
	other elsewhere, 26, 19, .byte 5
	other elsewhere_adjacent, 27, 19, .byte 5
	other byte_adjacent, 6, 16, .byte 5, 4
	other bit_adjacent, 6, 17, .byte 5, 32
	other both_adjacent, 6, 16, .byte 2, 12, 16, 3, 4
	other rows_apart, 6, 16, .byte 2, 16, 16, 3, 4
	other columns_apart, 6, 16, .byte 2, 12, 16, 3, 12
	other bound_minus, 6, 24, .sleb128 -5
	other bound_variable, 6, 25, .long int - cu
	.macro enum name, code, last:vararg
	.uleb128 9
	.asciz "\name"
	.byte 4
	.uleb128 \code
	.asciz "\name\()_a"
	\last
	.byte 0
	.endm
	enum most, 20, .quad 0xffffffff
	enum least, 20, .quad -0x80000000
	enum too_much, 20, .quad 0x100000005
	enum too_little, 20, .quad -0x80000001
	enum constant, 21
	.uleb128 9
	.asciz "wide"
	.byte 8
	.uleb128 10
	.asciz "big"
	.quad 1, 1
	.byte 0
	.uleb128 9
	.asciz "narrow"
	.byte 8
	.uleb128 10
	.asciz "minus"
	.quad -1, -1
	.byte 0
	.byte 0
end:
S
as -o unknown.o unknown.S
image unknown unknown.o
encode_and_warn unknown
expect_text "$(sed 's/: they, .*//' unknown.warnings)" <<'E'
BTF cannot represent 4 structs with a member at an offset that BTF cannot represent, or outside of the struct
BTF cannot represent 3 arrays of 2^32 elements or more, or whose index type has an unknown number of values
BTF cannot represent 2 arrays whose elements are elsewhere, or may not be adjacent (DW_AT_data_location, DW_AT_byte_stride, DW_AT_bit_stride)
BTF cannot represent 4 enums with a value that does not fit in the enum, or in 64 bits (DW_AT_const_value)
BTF cannot represent 1 types whose size is not a constant (DW_AT_byte_size, DW_AT_bit_size)
BTF cannot represent 3 structs with a member whose offset is not a constant (DW_AT_data_member_location, DW_AT_bit_offset, DW_AT_data_bit_offset)
E
expect_text "$(types unknown '^(INT bits|STRUCT|FWD|ENUM|TYPEDEF)')" <<'E'
ENUM constant unsigned size 4 { }
ENUM least unsigned size 4 { least_a = 2147483648; }
ENUM most unsigned size 4 { most_a = 4294967295; }
ENUM too_little unsigned size 4 { }
ENUM too_much unsigned size 4 { }
ENUM64 narrow signed size 8 { minus = -1; }
ENUM64 wide unsigned size 8 { }
FWD constant struct
FWD cut_off struct
FWD dynamic struct
FWD far_back struct
FWD far_constant struct
FWD far_offset struct
FWD far_storage struct
FWD virtual struct
INT bits size 4 bits 32 encoding 0x1
STRUCT known size 16 { int a @32; }
STRUCT struct_bits size 8 { bits a @32; }
TYPEDEF array_stride -> void
TYPEDEF bit_adjacent -> int [5]
TYPEDEF bit_stride -> void
TYPEDEF both_adjacent -> int [2][3]
TYPEDEF bound_big -> void
TYPEDEF bound_huge -> void
TYPEDEF bound_minus -> int [0]
TYPEDEF bound_most -> int [4294967295]
TYPEDEF bound_none -> int [0]
TYPEDEF bound_variable -> int [0]
TYPEDEF byte_adjacent -> int [5]
TYPEDEF byte_stride -> void
TYPEDEF columns_apart -> void
TYPEDEF count_big -> void
TYPEDEF count_five -> void
TYPEDEF count_huge -> void
TYPEDEF count_most -> int [4294967295]
TYPEDEF count_wide -> void
TYPEDEF elsewhere -> void
TYPEDEF elsewhere_adjacent -> void
TYPEDEF rows_apart -> void
E
