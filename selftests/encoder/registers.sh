#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Other machines pass arguments in other registers; locations prove prototypes there, too.
. "${0%/*}/../lib.sh"

cat >a.c <<'C'
#define noinline __attribute__((noinline))
int printk(const char *fmt, ...);

/* only the result is removed */
static noinline int noret(int *p, int x)
{
	printk("%p", (void *)p);
	*p += x;
	return *p * x;
}

/* the first parameter is removed: the others move up */
static noinline int gone(int n, int *p, int x)
{
	return printk("%p", (void *)p) + *p + x;
}

/* more arguments than any machine has registers */
static noinline int many(int *p, int a, int b, int c, int d, int e, int f, int g, int h)
{
	printk("%p", (void *)p);
	*p = a + b * c + d * e + f * g + h;
	return *p;
}

/* a pair of registers on 32-bit machines */
static noinline int wide(int a, long long b, int *p)
{
	printk("%p", (void *)p);
	*p = a + b;
	return *p;
}

int plain(int *p, long long b, int x, long long d) { return printk("%p", (void *)p) + b + x + d; }
int callback(int *p, int n, int x) { return printk("%p", (void *)p) + x; }

int user(int *p, int x)
{
	noret(p, x);
	noret(p + 1, x + 1);
	many(p, x, 1 + x, 2 + x, 3 + x, 4 + x, 5 + x, 6 + x, 7 + x);
	many(p, 2 * x, 3 + x, 2 + x, 3 + x, 4 + x, 5 + x, 6 + x, 7 + x);
	wide(x, 3 + x, p);
	wide(x + 1, 4 + x, p + 1);
	return gone(x, p, x) + gone(x + 2, p + 1, x + 3);
}
C
cat >main.c <<'C'
int printk(const char *fmt, ...) { return *fmt; }
C

# expect_proven WHERE SUFFIX WIDE: check which functions are encoded; WIDE: how often "wide" is
expect_proven() {
	local where=$1 suffix=$2

	begin "$where: a changed function whose arguments are all in place is encoded"
	expect_eq "$(funcs vmlinux "noret$suffix")" \
		"noret$suffix = noret$suffix: void noret$suffix(int *p, int x)"

	begin "$where: functions with arguments that moved, on the stack or in pairs, are skipped"
	funcs vmlinux | find_lines -E '^(many|gone)' | expect_none
	expect_eq "$(funcs vmlinux | find_lines -cE '^wide')" "$3" 'wide'
	expect_eq "$(skipped vmlinux | grep -cE '^(many|gone)[a-z0-9.]*: unproven_signature$')" 2

	begin "$where: unchanged functions are as in the source"
	expect_eq "$(funcs vmlinux plain callback | sed 's/.*: //; s/long long int/long long/g')" \
		"$(printf '%s\n' 'int callback(int *p, int n, int x)' \
			'int plain(int *p, long long b, int x, long long d)')"
	expect 0 "$ABTF" check vmlinux vmlinux.btf
}

for where in gcc aarch64 s390x; do
	target $where
	unit main <main.c
	unit a <a.c
	image vmlinux a.o main.o
	need_symbol vmlinux 't noret\.isra\.0'
	need_symbol vmlinux 't gone(\.[a-z]+\.0)+'
	need_symbol vmlinux 't many\.isra\.0'
	encode vmlinux
	expect_proven $where .isra.0 1
done

have clang-19 || { begin 'clang'; skip 'no clang-19'; exit 77; }
target clang
# lld 14 supports neither s390x nor RISC-V's relocations for the lists of DWARF 5
for where in x86_64-linux-gnu aarch64-linux-gnu riscv64-linux-gnu powerpc64le-linux-gnu \
		loongarch64-linux-gnu armv7a-linux-gnueabi; do
	# shellcheck disable=SC2034 # lib.sh's
	CC=clang-19 machine="-target $where"
	link="-fuse-ld=lld -nostdlib -static -Wl,-e,0 -Wl,--defsym=IMAGE_BASE=0x10000000"
	unit main -gdwarf-4 <main.c
	unit a -gdwarf-4 <a.c
	image vmlinux a.o main.o
	need_symbol vmlinux 't noret'
	need_dwarf vmlinux 'DW_AT_calling_convention.*nocall'
	encode vmlinux
	case $where in
	arm*)	expect_proven $where '' 0 ;;
	*)	expect_proven $where '' 1 ;;
	esac
done
