#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Bodies in several pieces have DW_AT_ranges instead of low_pc: the first is the
# entry.
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

begin 'gcc -freorder-blocks-and-partition'
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
	begin "clang -fbasic-block-sections=all, DWARF $version"
	target clang
	unit chot -gdwarf-$version -fbasic-block-sections=all <hot.c
	unit cmain -gdwarf-$version <main.c
	image vmlinux-clang$version chot.o cmain.o
	readelf --debug-dump=info chot.o >dwarf.txt
	awk '/DW_AT_name.*: split$/ { found = 1 } END { exit !found }' dwarf.txt
	need_symbol vmlinux-clang$version 't split'
	encode vmlinux-clang$version
	expect_funcs vmlinux-clang$version split <<-'F'
	split = split: int split(int *p, int x)
	F
	expect 0 "$ABTF" check vmlinux-clang$version vmlinux-clang$version.btf
done
