#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The number of elements of an array that only records its upper bound depends on the language
# (DWARF 5, 7.12).  The expected values are libdw's.
. "${0%/*}/../lib.sh"

cat >libdw.c <<'C'
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>

/* language, and its default; languages that libdw does not know are omitted */
int main(void)
{
	Dwarf_Sword lower;

	for (int language = 1; language < 0x40; language++)
		if (!dwarf_default_lower_bound(language, &lower))
			printf("%d %d\n", language, (int)lower);
}
C
gcc -o libdw libdw.c -ldw
./libdw >defaults
expect_eq "$(wc -l <defaults | sed 's/^[2-9].$/many/')" many 'languages'
# newer than libdw: Fortran 18, Ada 2005 and 2012, Kotlin and Zig
printf '45 1\n46 1\n47 1\n38 0\n39 0\n' | while read -r language lower; do
	grep -q "^$language " defaults || echo "$language $lower"
done >newer
cat newer >>defaults

{
	cat <<-'S'
	.section .debug_abbrev,"",%progbits
	.uleb128 1, 0x11
	.byte 1
	.uleb128 0x13, 0x5, 0x03, 0x08, 0, 0	# compile_unit: language, name
	.uleb128 2, 0x24
	.byte 0
	.uleb128 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b, 0, 0	# base_type
	.uleb128 3, 0x13
	.byte 1
	.uleb128 0x03, 0x08, 0x0b, 0x0b, 0, 0	# structure_type
	.uleb128 4, 0x0d
	.byte 0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b, 0, 0	# member
	.uleb128 5, 0x01
	.byte 1
	.uleb128 0x49, 0x13, 0, 0	# array_type
	.uleb128 6, 0x21
	.byte 0
	.uleb128 0x2f, 0x0b, 0, 0	# subrange_type: upper_bound
	.uleb128 7, 0x21
	.byte 0
	.uleb128 0x22, 0x0b, 0x2f, 0x0b, 0, 0	# lower_bound, upper_bound
	.uleb128 8, 0x21
	.byte 0
	.uleb128 0x37, 0x0b, 0, 0	# count
	.uleb128 9, 0x21
	.byte 0
	.uleb128 0x2f, 0x0d, 0, 0	# upper_bound, signed
	.byte 0
	.section .debug_info,"",%progbits
	S
	while read -r language _; do
		cat <<-S
		unit$language: .long end$language - 1f
		1: .value 5
		.byte 1, 8
		.long .debug_abbrev
		.uleb128 1
		.value $language
		.asciz "unit"
		int$language: .uleb128 2
		.asciz "int"
		.byte 5, 4
		upper$language: .uleb128 5
		.long int$language - unit$language
		.uleb128 6
		.byte 9, 0
		both$language: .uleb128 5
		.long int$language - unit$language
		.uleb128 7
		.byte 3, 9, 0
		count$language: .uleb128 5
		.long int$language - unit$language
		.uleb128 8
		.byte 9, 0
		none$language: .uleb128 5
		.long int$language - unit$language
		.uleb128 9
		.sleb128 -1
		.byte 0
		two$language: .uleb128 5
		.long int$language - unit$language
		.uleb128 6
		.byte 2
		.uleb128 6
		.byte 3, 0
		.uleb128 3
		.asciz "s$language"
		.byte 200
		.uleb128 4
		.asciz "upper"
		.long upper$language - unit$language
		.byte 0
		.uleb128 4
		.asciz "both"
		.long both$language - unit$language
		.byte 40
		.uleb128 4
		.asciz "count"
		.long count$language - unit$language
		.byte 80
		.uleb128 4
		.asciz "two"
		.long two$language - unit$language
		.byte 120
		.uleb128 4
		.asciz "none"
		.long none$language - unit$language
		.byte 200
		.byte 0
		.byte 0
		end$language:
		S
	done <defaults
} >bounds.S
gcc -c -o bounds.o bounds.S
image bounds bounds.o
readelf --debug-dump=info bounds 2>&1 >dwarf.txt | expect_none

begin 'without a lower bound, the default of each language is used'
encode bounds --lang-exclude=
while read -r language lower; do
	echo "STRUCT s$language size 200 { int upper[$((10 - lower))] @0; int both[7] @320; int count[9] @640; int two[$((3 - lower))][$((4 - lower))] @960; int none[0] @1600; }"
done <defaults | sort >wanted
expect_text "$(types bounds ^STRUCT)" <wanted
has wanted 'upper\[9\]'
has wanted 'upper\[10\]'

# Pascal and Ada index arrays with enumerations and subranges.
cat >index.S <<'S'
	.section .debug_abbrev,"",%progbits
	.macro abbrev code, tag, children, attrs:vararg
	.uleb128 \code, \tag
	.byte \children
	.uleb128 \attrs, 0, 0
	.endm
	abbrev 1, 0x11, 1, 0x13, 0x0b, 0x03, 0x08		# compile_unit: language, name
	abbrev 2, 0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b	# base_type: name, encoding, byte_size
	abbrev 3, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b		# structure_type: name, byte_size
	abbrev 4, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b	# member: name, type, offset
	abbrev 5, 0x01, 1, 0x49, 0x13, 0x03, 0x08		# array_type: type, name
	abbrev 6, 0x04, 1, 0x03, 0x08, 0x0b, 0x0b		# enumeration_type: name, byte_size
	abbrev 7, 0x28, 0, 0x03, 0x08, 0x1c, 0x0d		# enumerator: name, const_value
	abbrev 8, 0x21, 0, 0x49, 0x13				# subrange_type: type
	abbrev 9, 0x21, 0, 0x49, 0x13, 0x22, 0x0d, 0x2f, 0x0d	# the same: lower_bound, upper_bound
	abbrev 10, 0x21, 0, 0x49, 0x13, 0x0b, 0x0b		# the same: byte_size
	abbrev 11, 0x21, 0, 0x49, 0x13, 0x0b, 0x18		# the same: byte_size, an expression
	abbrev 12, 0x21, 0, 0x49, 0x13, 0x2305, 0x0b		# the same: GNU_bias
	abbrev 13, 0x16, 0, 0x03, 0x08, 0x49, 0x13		# typedef: name, type
	abbrev 14, 0x04, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3c, 0x19	# enumeration_type: name, byte_size, declaration
	abbrev 15, 0x04, 1, 0x03, 0x08, 0x0b, 0x05		# enumeration_type: byte_size, 2 bytes
	.byte 0
	.section .debug_info,"",%progbits
cu:	.long end - start
start:	.value 5
	.byte 1, 8
	.long .debug_abbrev
	.uleb128 1
	.byte 9					# Pascal
	.asciz "unit"
	.macro refer code, to, name
\name:	.uleb128 \code
	.long \to - cu
	.endm
	.macro enum name, code, unit, size, values:vararg
\name:	.uleb128 \code
	.asciz "\name"
	.\unit \size
	.irp value, \values
	.uleb128 7
	.asciz "\name\()_\value"
	.sleb128 \value
	.endr
	.byte 0
	.endm
	.macro range name, to, lower, upper
	refer 9, \to, \name
	.sleb128 \lower
	.sleb128 \upper
	.endm
	.macro array name
	refer 5, int, \name
	.asciz "\name"
	.endm
	.macro indexed name, by:vararg
	array by_\name
	.irp to, \by
	.uleb128 8
	.long \to - cu
	.endr
	.byte 0
	.endm
	# first, because references also lead forward
	indexed color, color
	indexed small, small
	indexed part, part
	indexed named, named
	indexed no_range, no_range
	indexed huge, huge
	indexed int, int
	indexed gaps, gaps
	indexed unsorted, unsorted
	indexed declared, declared
	indexed several, color, small, color, int
	indexed misfit, small, gaps
	# a name of three characters: the fast path for types
	array nested
	enum two, 6, byte, 4, 0, 1, 2, 3
	.uleb128 8
	.long small - cu
	enum slow, 15, value, 1, 7, 8
	.byte 0
	array nested_gaps
	enum gap, 6, byte, 4, 0, 2
	.byte 0
	enum color, 6, byte, 4, -1, 0, 1
	enum gaps, 6, byte, 4, 0, 1, 5
	enum unsorted, 6, byte, 4, 1, 0
declared: .uleb128 14
	.asciz "declared"
	.byte 4
	range small, int, 3, 7
	refer 8, small, part
named:	.uleb128 13
	.asciz "named"
	.long part - cu
	range no_range, int, 7, 3
	range huge, int, 0, 0x100000000
	refer 10, int, same_size
	.byte 4
	refer 10, same_size, other_size
	.byte 1
	refer 10, other_size, inherited
	.byte 4
	refer 11, int, no_size
	.byte 2, 0x91, 0
	refer 12, int, biased
	.byte 10
int:	.uleb128 2
	.asciz "int"
	.byte 5, 4
	.uleb128 3
	.asciz "s"
	.byte 200
	.macro member type, offset
	.uleb128 4
	.asciz "\type"
	.long \type - cu
	.byte \offset
	.endm
	member by_color, 0
	member by_small, 12
	member by_part, 32
	member by_named, 52
	member by_no_range, 72
	member by_huge, 72
	member by_int, 72
	member by_gaps, 72
	member by_unsorted, 84
	member by_declared, 92
	member by_several, 92
	member by_misfit, 92
	member nested, 96
	member nested_gaps, 100
	member small, 104
	member part, 108
	member same_size, 112
	member other_size, 116
	member inherited, 120
	member no_size, 124
	member biased, 128
	member color, 132
	.byte 0
	.byte 0
end:
S

begin 'an array without bounds has the bounds of its index type; a subrange is encoded as its base type'
gcc -c -o index.o index.S
image index index.o
readelf --debug-dump=info index 2>&1 >dwarf.txt | expect_none
expect 0 "$ABTF" encode -o index.btf index
"$dump" index.btf >index.dump
says 'BTF cannot represent 2 arrays of 2\^32 elements or more, or whose index type has an unknown number of values: '
says 'BTF cannot represent 3 types with a value whose type BTF cannot represent: '
expect_text "$(types index ^STRUCT | sed 's/; /;\n/g')" <<'E'
STRUCT s size 200 { int by_color[3] @0;
int by_small[5] @96;
int by_part[5] @256;
int by_named[5] @416;
int by_no_range[0] @576;
int by_int[0] @576;
int by_several[3][5][3][0] @736;
int nested[4][5][2] @768;
int small @832;
int part @864;
int same_size @896;
enum color color @1056;
}
E
