#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Bodies in several pieces have DW_AT_ranges instead of low_pc: the first range is the entry.
. "${0%/*}/../lib.sh"

cat >hot.c <<'C'
int printk(const char *fmt, ...) __attribute__((cold));
static __attribute__((noinline)) int split(int *p, int x)
{
	if (__builtin_expect(x < 0, 0)) {
		printk("negative %d", x);
		printk("really %d", p[0]);
		return printk("no");
	}
	return p[x] + 1;
}
int (*keep)(int *, int) = split;
C
cat >main.c <<'C'
int printk(const char *fmt, ...) { return *fmt; }
C

begin 'gcc -freorder-blocks-and-partition: functions in several ranges have their address'
unit hot -freorder-blocks-and-partition <hot.c
unit main <main.c
sed 's/split/twin/; s/keep/keep2/' hot.c | sed 's/= split/= twin/' >hot2.c
unit other -freorder-blocks-and-partition <<'C'
int printk(const char *fmt, ...) __attribute__((cold));
static __attribute__((noinline)) long split(long *p)
{
	if (__builtin_expect(*p < 0, 0)) {
		printk("negative %ld", *p);
		printk("really");
		return printk("no");
	}
	return *p + 1;
}
long (*keep2)(long *) = split;
C
image vmlinux hot.o other.o main.o
need_symbol vmlinux 't split\.cold'
readelf --debug-dump=info vmlinux >dwarf.txt
awk '/DW_AT_name.*: split$/ { n = 12 } n-- > 0 && /DW_AT_ranges/ { found = 1 } END { exit !found }' \
	dwarf.txt || { echo 'precondition: split has no DW_AT_ranges'; exit 1; }
encode vmlinux
expect_funcs vmlinux split <<'F'
split@hot.c = split: int split(int *p, int x)
split@other.c = split: long int split(long int *p)
F
expect 0 "$ABTF" check vmlinux vmlinux.btf

for version in 4 5; do
	begin "clang -fbasic-block-sections=all, DWARF $version: functions in several ranges have their address"
	target clang
	unit chot -gdwarf-$version -fbasic-block-sections=all <hot.c
	unit cmain -gdwarf-$version <main.c
	image vmlinux-clang$version chot.o cmain.o
	readelf --debug-dump=info chot.o >dwarf.txt
	awk '/DW_TAG/ { r = 0 } /DW_AT_ranges/ { r = 1 } r && /DW_AT_name.*: split$/ { found = 1 } END { exit !found }' \
		dwarf.txt || { echo 'precondition: split has no DW_AT_ranges'; exit 1; }
	need_symbol vmlinux-clang$version 't split'
	encode vmlinux-clang$version
	expect_funcs vmlinux-clang$version split <<-'F'
	split = split: int split(int *p, int x)
	F
	expect 0 "$ABTF" check vmlinux-clang$version vmlinux-clang$version.btf
done

begin 'range lists are read in every form'
target gcc
cat >hand.s <<'S'
	.section .note.GNU-stack,""
	.text
.Lhand_start:
	.macro function name
	.globl \name
	.type \name, @function
\name:	nop
	ret
.L\name\()_end:
	.size \name, .L\name\()_end - \name
	.endm
	nop
	function offset_pair
	function start_end
	function start_length
	function base_addressx
	function startx_length
	function startx_endx
	function selected_base
	function addresses

	.section .debug_abbrev,""
	.macro abbrev nr, tag, children, rest:vararg
	.uleb128 \nr, \tag
	.byte \children
	.uleb128 \rest, 0, 0
	.endm
five:	abbrev 1, 0x11, 1, 0x03, 0x08, 0x13, 0x0b, 0x11, 0x01, 0x73, 0x17
	abbrev 2, 0x2e, 0, 0x03, 0x08, 0x3f, 0x19, 0x49, 0x13, 0x55, 0x17
	abbrev 3, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b
	.byte 0
four:	abbrev 1, 0x11, 1, 0x03, 0x08, 0x13, 0x0b, 0x11, 0x01
	abbrev 2, 0x2e, 0, 0x03, 0x08, 0x3f, 0x19, 0x49, 0x13, 0x55, 0x17
	abbrev 3, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b
	.byte 0

	.section .debug_info,""
	.macro described name, unit
	.uleb128 2
	.asciz "\name"
	.4byte int_\unit - start_\unit
	.4byte ranges_\name
	.endm
	.macro int unit
int_\unit: .uleb128 3
	.asciz "int"
	.byte 4, 5
	.endm
start_five: .4byte end_five - . - 4
	.2byte 5
	.byte 1, 8
	.4byte five
	.uleb128 1
	.asciz "hand5.c"
	.byte 0x0c
	.8byte 0
	.4byte addr_base
	int five
	described offset_pair, five
	described start_end, five
	described start_length, five
	described base_addressx, five
	described startx_length, five
	described startx_endx, five
	.byte 0
end_five:
start_four: .4byte end_four - . - 4
	.2byte 4
	.4byte four
	.byte 8
	.uleb128 1
	.asciz "hand4.c"
	.byte 0x0c
	.8byte 0
	int four
	described selected_base, four
	described addresses, four
	.byte 0
end_four:

	.section .debug_addr,""
	.4byte end_addr - . - 4
	.2byte 5
	.byte 8, 0
addr_base: .8byte .Lhand_start, startx_length, startx_endx, .Lstartx_endx_end
end_addr:

	.section .debug_rnglists,""
	.4byte end_lists - . - 4
	.2byte 5
	.byte 8, 0
	.4byte 0
ranges_offset_pair: .byte 5
	.8byte .Lhand_start
	.byte 4
	.uleb128 offset_pair - .Lhand_start, .Loffset_pair_end - .Lhand_start
	.byte 0
ranges_start_end: .byte 6
	.8byte start_end, .Lstart_end_end
	.byte 0
ranges_start_length: .byte 7
	.8byte start_length
	.uleb128 .Lstart_length_end - start_length
	.byte 0
ranges_base_addressx: .byte 1
	.uleb128 0
	.byte 4
	.uleb128 base_addressx - .Lhand_start, .Lbase_addressx_end - .Lhand_start
	.byte 0
ranges_startx_length: .byte 3
	.uleb128 1, .Lstartx_length_end - startx_length
	.byte 0
ranges_startx_endx: .byte 2
	.uleb128 2, 3
	.byte 0
end_lists:

	.section .debug_ranges,""
ranges_selected_base: .8byte -1, .Lhand_start
	.8byte selected_base - .Lhand_start, .Lselected_base_end - .Lhand_start, 0, 0
ranges_addresses: .8byte addresses, .Laddresses_end, 0, 0
S
# shellcheck disable=SC2086
$CC $machine -c -o hand.o hand.s
image hand hand.o
encode hand
for name in offset_pair start_end start_length base_addressx startx_length startx_endx \
	selected_base addresses; do
	expect_funcs hand $name <<<"$name = $name: int $name(void)"
done
verify hand hand.btf
