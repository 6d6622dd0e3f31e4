#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The number of elements of an array that only records its upper bound depends on the language
# (DWARF 5, 7.12).  libdw is the witness.
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

begin 'the default of each language'
encode bounds --lang-exclude=
while read -r language lower; do
	echo "STRUCT s$language size 200 { int upper[$((10 - lower))] @0; int both[7] @320; int count[9] @640; int two[$((3 - lower))][$((4 - lower))] @960; int none[0] @1600; }"
done <defaults | sort >wanted
expect_text "$(types bounds ^STRUCT)" <wanted
has wanted 'upper\[9\]'
has wanted 'upper\[10\]'
