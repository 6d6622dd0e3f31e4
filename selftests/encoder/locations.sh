#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# On entry, arguments must be where the ABI puts them.  Otherwise, programs that use the FUNC's
# prototype would read other values.
. "${0%/*}/../lib.sh"

for version in 4 5; do
	begin "location lists: an argument may move after the entry, DWARF $version"
	unit a$version -gdwarf-$version <<-'C'
	int printk(const char *fmt, ...);
	/* p and n are used after calls, so both move after the entry */
	int moves(int *p, int n)
	{
		int i, sum = 0;
		for (i = 0; i < n; i++)
			sum += printk("%d", p[i]) + n;
		return sum;
	}
	/* unused: optimized out, but the caller passes it */
	int unused(int *p, int n, long m) { return n; }
	/* more than six: the others are on the stack */
	int many(int a, int b, int c, int d, int e, int f, int g, long h) { return g + (int)h + a; }
	/* by value, larger than two registers: in memory */
	struct big { long a[5]; };
	long by_value(struct big b, int x) { return b.a[1] + x; }
	/* by value in two registers */
	struct two { long a, b; };
	long in_two(struct two t, int x) { return t.b + x; }
	double fp(double d, int x) { return d + x; }
	int none(void) { return 1; }
	int dots(const char *fmt, ...) { return *fmt; }
	C
	unit main$version -gdwarf-$version <<-'C'
	int printk(const char *fmt, ...) { return *fmt; }
	C
	image vmlinux$version a$version.o main$version.o
	need_dwarf vmlinux$version 'DW_AT_location.*location list'
	encode vmlinux$version
	expect_funcs vmlinux$version moves unused many by_value in_two none dots <<-'F'
	by_value = by_value: long int by_value(struct big b, int x)
	dots = dots: int dots(char const *fmt, ...)
	in_two = in_two: long int in_two(struct two t, int x)
	many = many: int many(int a, int b, int c, int d, int e, int f, int g, long int h)
	moves = moves: int moves(int *p, int n)
	none = none: int none(void)
	unused = unused: int unused(int *p, int n, long int m)
	F
done

begin 'a clone with its remaining parameters in other registers has its own prototype'
unit swap <<'C'
struct pair { int first, second; long rest[8]; };
int printk(const char *fmt, ...);
static __attribute__((noinline)) long shifted(long delta, struct pair *p, int item)
{
	printk("%p", (void *)p);
	p->rest[item] -= delta;
	return p->rest[item] * delta;
}
long user(struct pair *p, int x) { return shifted(3, p, x) + shifted(3, p, x + 1); }
C
image vmlinux-swap swap.o main5.o
need_symbol vmlinux-swap 't shifted\.constprop\.0'
encode vmlinux-swap
expect_eq "$(funcs vmlinux-swap | grep shifted)" \
	'shifted.constprop.0 = shifted.constprop.0: long int shifted.constprop.0(struct pair *p, int item)'
skipped vmlinux-swap | expect_none

begin 'as pahole: the clone is skipped, and -V reports it'
expect 0 "$ABTF_PAHOLE" -J -V --btf_encode_detached=v.btf \
	--btf_features=encode_force,optimized_func,consistent_func vmlinux-swap
says '^shifted : skipping BTF encoding of function due to optimized parameters$'

begin 'without consistent_func, a FUNC with an address still needs a proven prototype'
"$ABTF" encode -q --features=encode_force,optimized_func,func_addr -o off.btf vmlinux-swap
"$dump" off.btf >off.dump
has_not off.dump 'FUNC shifted '
has off.dump 'FUNC shifted\.constprop\.0 '

begin 'other machines use other registers'
for machine_name in aarch64 s390x m32; do
	target $machine_name
	unit "a-$machine_name" <a5.c
	unit "main-$machine_name" <main5.c
	image "vmlinux-$machine_name" "a-$machine_name.o" "main-$machine_name.o"
	encode "vmlinux-$machine_name"
	expect_eq "$(funcs "vmlinux-$machine_name" moves unused many none | sed 's/ = .*//' | tr '\n' ' ')" \
		'many moves none unused ' "$machine_name"
done
