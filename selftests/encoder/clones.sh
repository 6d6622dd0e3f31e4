#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# .isra, .constprop, .part and .cold: changed copies of a function, and pieces of one.
. "${0%/*}/../lib.sh"

unit a <<'C'
struct pair { int first, second; long rest[8]; };
int printk(const char *fmt, ...);

/* gcc passes p->first instead of p, so the argument differs from the prototype */
static __attribute__((noinline)) int moved(struct pair *p, int x)
{
	return printk("%d", p->first) + x;
}

/* every caller passes 3, the last argument: the others stay where they are */
static __attribute__((noinline)) long kept(struct pair *p, int item, long delta)
{
	printk("%p", (void *)p);
	p->rest[item] += delta;
	return p->rest[item] * delta;
}

/* every caller passes 3, the first argument: the others move up */
static __attribute__((noinline)) long shifted(long delta, struct pair *p, int item)
{
	printk("%p", (void *)p);
	p->rest[item] -= delta;
	return p->rest[item] * delta;
}

long user(struct pair *p, int x)
{
	int i, sum = 0;

	for (i = 0; i < x; i++)
		sum += moved(p + i, i);
	return sum + kept(p, x, 3) + kept(p, x + 1, 3) + shifted(3, p, x) + shifted(3, p, x + 1);
}
C
unit main <<'C'
int printk(const char *fmt, ...) { return *fmt; }
C
image vmlinux a.o main.o
need_symbol vmlinux 't moved\.isra\.0'
need_symbol vmlinux 't kept\.constprop\.0'
need_symbol vmlinux 't shifted\.constprop\.0'
need_no_symbol vmlinux 't (moved|kept|shifted)'
encode vmlinux

begin 'a clone has its own name, and its own parameters'
# "delta" is a constant for it, first or last
expect_funcs vmlinux kept kept.constprop.0 shifted shifted.constprop.0 <<'F'
kept.constprop.0 = kept.constprop.0: long int kept.constprop.0(struct pair *p, int item)
shifted.constprop.0 = shifted.constprop.0: long int shifted.constprop.0(struct pair *p, int item)
F

begin 'a clone may not return an unused result, which DWARF does not record'
unit counted <<'C'
struct pair { int a, b; };
static __attribute__((noinline)) int counted(struct pair *p) { p->a++; p->b += p->a; return p->a * p->b; }
int f(struct pair *p) { counted(p); return p->b; }
int g(struct pair *p) { counted(p); return p->a; }
C
image counted counted.o
need_symbol counted 't counted\.isra\.0'
encode counted
expect_funcs counted counted counted.isra.0 <<'F'
counted.isra.0 = counted.isra.0: void counted.isra.0(struct pair *p)
F

begin 'a clone with an argument that is not a parameter in the source is skipped, with the reason'
funcs vmlinux moved moved.isra.0 | expect_none
expect_eq "$(skipped vmlinux | grep moved)" 'moved.isra.0: unproven_signature'

begin 'without addresses, a clone whose parameters differ does not have the name of its source'
"$ABTF_PAHOLE" -J --btf_features=default --btf_encode_detached=as.btf vmlinux
"$dump" as.btf >as.dump
has_not as.dump 'FUNC (moved|kept|shifted)'

begin 'optimized_func off: no clone is encoded'
"$ABTF" encode -q --features=encode_force,var,func_addr,consistent_func -o off.btf \
	--report off.report vmlinux
"$dump" off.btf >off.dump
has_not off.dump 'FUNC (moved|kept|shifted)'
expect_eq "$(skipped off | grep kept)" 'kept.constprop.0: optimized_clone'
expect_eq "$(skipped off | wc -l)" 3

begin 'a clone of NAME does not make NAME ambiguous'
unit both -O3 <<'C'
int printk(const char *fmt, ...);
static __attribute__((noinline)) long both(int *p, int item, long mode)
{
	if (mode == 1) { printk("one %p", (void *)p); p[item] /= 3; return p[item]; }
	if (mode == 2) { printk("two"); p[item] %= 7; return p[0]; }
	if (mode == 3) { p[item] += item; return *p; }
	return printk("other %d %p", item, (void *)p);
}
long (*keep)(int *, int, long) = both;
long one(int *p) { return both(p, 1, 3) + both(p, 2, 3) + both(p, 4, 3); }
C
image vmlinux2 both.o main.o
need_symbol vmlinux2 't both'
need_symbol vmlinux2 't both\.constprop\.0'
encode vmlinux2
has vmlinux2.dump '^\[[0-9]+\] FUNC both '
expect_eq "$(grep -c 'FUNC both ' vmlinux2.dump)" 1 'FUNCs named both'
expect_eq "$(funcs vmlinux2 both | sed 's/:.*//')" 'both = both'
has_not vmlinux2.dump 'FUNC both.*@'
expect 0 "$ABTF" check vmlinux2 vmlinux2.btf
if grep -q 'FUNC both\.constprop\.0 ' vmlinux2.dump; then
	expect_eq "$(funcs vmlinux2 both.constprop.0 | sed 's/:.*//')" \
		'both.constprop.0 = both.constprop.0'
else
	expect_eq "$(skipped vmlinux2 | grep -c '^both\.constprop\.0: ')" 1
fi

begin '.cold and .part are not separate functions'
unit d <<'C'
int printk(const char *fmt, ...) __attribute__((cold));
void panic(void) __attribute__((cold, noreturn));
int has_cold(int *p, int x)
{
	if (__builtin_expect(x < 0, 0)) {
		printk("negative");
		panic();
	}
	return p[x] + 1;
}
int warn(const char *fmt, ...);
#define MUCH warn("%d %d", p[i], x); p[i] += warn("again %d", i);
static int has_part(int *p, int x)
{
	int i;
	if (__builtin_expect(!p, 1))
		return 0;
	for (i = 0; i < x; i++) { MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH }
	return p[0];
}
int u1(int *p, int x) { return has_part(p, x); }
int u2(int *p, int x) { return has_part(p, x + 1); }
int u3(int *p, int x) { return has_part(p, x + 2); }
C
unit main2 <<'C'
int printk(const char *fmt, ...) { return *fmt; }
int warn(const char *fmt, ...) { return *fmt; }
void panic(void) { for (;;) ; }
C
image vmlinux3 d.o main2.o
need_symbol vmlinux3 't has_cold\.cold'
need_symbol vmlinux3 't has_part\.part\.0'
encode vmlinux3
expect_funcs vmlinux3 has_cold <<'F'
has_cold = has_cold: int has_cold(int *p, int x)
F
has_not vmlinux3.dump 'FUNC (has_part|has_cold\.cold|has_part\.part\.0) '
expect_eq "$(skipped vmlinux3 | grep -E 'part|cold')" \
	"$(printf 'has_cold.cold: fragment\nhas_part.part.0: fragment')"

begin '__pfx_ and __cfi_ symbols are not separate functions'
unit e <<'C'
asm(".text\n.type __pfx_f, @function\n__pfx_f: nop\n.size __pfx_f, 1\n"
    ".type __cfi_f, @function\n__cfi_f: nop\n.size __cfi_f, 1\n");
int f(int a) { return a; }
C
image vmlinux4 e.o
need_symbol vmlinux4 't __pfx_f'
encode vmlinux4
expect_eq "$(funcs vmlinux4)" 'f = f: int f(int a)'
expect_eq "$(skipped vmlinux4)" "$(printf '__cfi_f: fragment\n__pfx_f: fragment')"

begin 'without variable tracking, a location may not be valid at the first instruction'
for flag in -fvar-tracking -fno-var-tracking -fno-var-tracking-assignments; do
	unit tracked $flag <<-'C'
	int printk(const char *fmt, ...);
	/* only the result is removed */
	static __attribute__((noinline)) int tracked(int *p, int x)
	{
		printk("%p", (void *)p);
		*p += x;
		return *p * x;
	}
	void users(int *p, int x) { tracked(p, x); tracked(p, x + 1); }
	C
	image tracked tracked.o main2.o
	need_symbol tracked 't tracked\.isra\.0'
	encode tracked
	case $flag in
	-fvar*)	expect_eq "$(funcs tracked tracked.isra.0)" \
			'tracked.isra.0 = tracked.isra.0: void tracked.isra.0(int *p, int x)' ;;
	*)	expect_eq "$(skipped tracked | grep ^tracked)" 'tracked.isra.0: unproven_signature' "$flag" ;;
	esac
done
