#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# As pahole, without addresses, the encoder writes the same FUNCs as pahole 1.32 for functions with
# a changed signature: with the source's name or, with true_signature, the symbol's.  pahole needs no
# proof, so the expected FUNCs here are the output of 1.32.
. "${0%/*}/../lib.sh"

cat >a.c <<'C'
#define noinline __attribute__((noinline))
struct pair { int first, second; long rest[8]; };
struct two { long a, b; };
int printk(const char *fmt, ...);

/* the last argument is constant: the others stay in their registers */
static noinline long last(struct pair *p, int item, long delta)
{
	printk("%p", (void *)p);
	p->rest[item] += delta;
	return p->rest[item] * delta;
}

/* the first argument is constant: the others move up */
static noinline long first(long delta, struct pair *p, int item)
{
	printk("%p", (void *)p);
	p->rest[item] -= delta;
	return p->rest[item] * delta;
}

/* only the result is removed */
static noinline int noret(int *p, int x)
{
	printk("%p", (void *)p);
	*p += x;
	return *p * x;
}

static noinline int unused_last(int *p, int x, int n)
{
	return printk("%p", (void *)p) - *p - x;
}

/* with a struct by value, 1.32 does not look at registers */
static noinline long by_value(struct two t, int k, long x)
{
	return printk("%ld", t.a) + t.b * x + k;
}

/* it does not use @n, and does not change */
static noinline int callback(int *p, int n, int x)
{
	return printk("callback") + *p + x;
}
int (*keep)(int *p, int n, int x) = callback;

int user(struct pair *p, int x)
{
	struct two t = { x, x + 1 };
	int i, sum = 0;

	for (i = 0; i < x; i++) {
		sum += unused_last(&x, i, 4 * i);
		noret(&p->first, i);
	}
	sum += by_value(t, 3, x) + by_value(t, 3, x + 1);
	return sum + last(p, x, 3) + last(p, x + 1, 3) + first(3, p, x) + first(3, p, x + 1);
}
C
unit main <<'C'
int printk(const char *fmt, ...) { return *fmt; }
C

# written FEATURES: print the FUNCs
written() {
	"$ABTF_PAHOLE" -J --btf_features="$1" --btf_encode_detached=t.btf vmlinux 2>warnings
	"$dump" t.btf | sed -nE 's/^\[[0-9]+\] FUNC [^:]*: //p' | grep -v printk | sort
}

unit a <a.c
image vmlinux a.o main.o
for clone in last.constprop first.constprop by_value.constprop noret.isra; do
	need_symbol vmlinux "t ${clone/./\\.}\.0"
done
# gcc 16 names it .isra
need_symbol vmlinux 't unused_last\.(constprop|isra)\.0'

begin 'gcc: by default, a clone has the name of its source, if no parameter is removed'
expect_text "$(written default)" <<'F'
int callback(int *p, int n, int x)
int noret(int *p, int x)
int user(struct pair *p, int x)
F

begin 'gcc: true_signature: the name of the symbol; removed parameters may stay'
expect_text "$(written default,true_signature | sed '/unused_last/s/\.isra/.constprop/')" <<'F'
int callback(int *p, int n, int x)
int noret.isra.0(int *p, int x)
int unused_last.constprop.0(int *p, int x, int n)
int user(struct pair *p, int x)
long int by_value.constprop.0(struct two t, long int x)
long int last.constprop.0(struct pair *p, int item, long int delta)
F

begin 'gcc: true_signature: in a relocatable file, clones have the name and prototype of their source'
module relocatable.o a.o main.o
"$ABTF_PAHOLE" -J --btf_features=default,true_signature --btf_encode_detached=relocatable.btf relocatable.o
"$dump" relocatable.btf >relocatable.dump
has relocatable.dump 'FUNC printk '
has_not relocatable.dump 'FUNC [^ ]*\.(isra|constprop)'

begin 'gcc: +true_signature has the same effect'
written default,true_signature >one
written +true_signature | diff one - || fail 'the functions differ'

begin 'with addresses, only proven prototypes are used'
written default,true_signature,func_addr | find_lines -E 'unused_last|by_value' | expect_none
expect_eq "$(written default,true_signature,func_addr | grep last)" \
	'long int last.constprop.0(struct pair *p, int item)'

have clang-19 || { begin 'clang'; skip 'no clang-19'; exit 77; }
target clang
# shellcheck disable=SC2034 # lib.sh's
CC=clang-19
unit a <a.c
image vmlinux a.o main.o
need_dwarf vmlinux 'DW_AT_calling_convention.*nocall'

begin 'clang: by default, a changed function is encoded if no parameter is removed'
expect_text "$(written default)" <<'F'
int callback(int *p, int n, int x)
int noret(int *p, int x)
int user(struct pair *p, int x)
F

begin 'clang: true_signature: removed parameters are omitted'
expect_text "$(written default,true_signature)" <<'F'
int callback(int *p, int n, int x)
int noret(int *p, int x)
int unused_last(int *p, int x)
int user(struct pair *p, int x)
long by_value(struct two t, long x)
long first(struct pair *p, int item)
long last(struct pair *p, int item)
F
