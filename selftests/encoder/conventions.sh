#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# gcc does not record ms_abi, preserve_none and -fpcc-struct-return.  A function with such a
# convention has no FUNC, whatever its parameters are, unless the C ABI has all arguments in the
# same places.  At -O0, DWARF describes copies, so some of these functions are not detected.
. "${0%/*}/../lib.sh"

cat >types.h <<'C'
struct s1 { long a; }; struct s2 { long a; int b; }; struct s4 { long a, b, c, d; }; struct __attribute__((packed)) p3 { char c; long a; int b; };
struct fl { double d; long a; }; struct ff { float a, b; }; struct dd { double a, b; }; struct ld { long double a; };
union ul { long a; double b; };
/* it stays where it was passed in memory, or in the space that ms_abi reserves for it */
#define KEEP(x) asm volatile("" : : "r" (&(x)) : "memory")
C
cat >others.c <<'C'
#include "types.h"
#define NI __attribute__((noinline))
#define MS __attribute__((ms_abi)) NI
MS struct s2 ms_ret2(long a, long b) { struct s2 r = { a, b }; return r; }
MS struct s4 ms_ret4(long a, long b) { struct s4 r = { a, b }; return r; }
MS struct s1 ms_ret1(long a, long b) { struct s1 r = { a+ b }; return r; }
MS long ms_struct1(struct s1 s) { return s.a; }
MS long ms_struct0(struct s2 s) { return s.a + s.b; }
MS long ms_struct0b(struct s2 s, long a) { return s.a + s.b + a; }
MS long ms_struct4(struct s4 s, long a) { return s.a + s.b + a; }
MS long ms_i128(__int128 s, long a) { return (long)s + a * 3; }
struct five { long a[5]; };
MS struct five ms_i128_five(int b, long a, __int128 s) { return (struct five){ { s, a, b } }; }
MS long ms_i128_more(__int128 s, int b, long a) { return (long)s + b + a * 3; }
MS long ms_dbl(double d, long a) { return d + a * 3; }
MS long ms_dbl2(long b, double d, long a) { return d + a * 3 + b; }
MS double ms_donly(double d) { return d*2; }
MS long ms_plain(long a) { return a; }
MS long ms_fl(struct fl f, int x) { return f.a + x; }
MS long ms_ff(struct ff f, int x) { return f.a + x; }
MS long ms_union(union ul u) { KEEP(u); return 0; }
MS long ms_union3(int a, struct s1 s, union ul u) { KEEP(u); return a; }
MS long ms_ff_kept(struct ff f) { KEEP(f); return 0; }
MS long ms_5(long a, long b, long c, long d, long e) { return a+b+c+d+e; }
MS long ms_last(struct s2 a, struct s2 b, long d, long e) { return a.a+b.b+d+e; }
MS long ms_unused(struct s2 a, long d) { return d; }
MS long ms_ld(long double a, long d) { return d+a; }
MS long double ms_second(float f) { return f; }
MS struct s4 ms_x87(struct ld s) { KEEP(s); return (struct s4){}; }
MS long ms_fifth(double a, double b, double c, double d, double e) { return e; }
#if __has_attribute(preserve_none)
#define PN __attribute__((preserve_none)) NI
PN long pn_struct(struct s2 s, long a) { return s.a + a; }
PN struct s4 pn_ret(long a, long b) { struct s4 r = { a, b, a, b }; return r; }
PN struct s2 pn_ret2(long a, long b) { struct s2 r = { a, b }; return r; }
PN long pn_plain(long a) { return a; }
PN long pn_dbl(double d, long a) { return a+d; }
PN long pn_i128(__int128 i, long a) { return a+i; }
PN long pn_5(long a, long b, long c, long d, long e) { return a+b+c+d+e; }
PN long pn_unused(long u, long a) { return a; }
PN long pn_kept(struct s2 s) { KEEP(s); return 0; }
PN long pn_address(int a) { KEEP(a); return 0; }
PN long pn_fl(struct fl s) { return 0; }
#endif
C
cat >plain.c <<'C'
#include "types.h"
long plain(long a) { return a; }
struct s2 c_ret2(long a, long b) { struct s2 r = { a, b }; return r; }
struct s4 c_ret4(long a, long b) { struct s4 r = { a, b }; return r; }
struct p3 c_retp(long a, long b) { struct p3 r = { a, b }; return r; }
long c_struct2(struct s2 s, long a) { return s.a + s.b + a; }
long c_struct4(struct s4 s, long a) { return s.a + s.b + a; }
long c_i128(__int128 s, long a) { return (long)s + a * 3; }
long c_i128_more(__int128 s, int b, long a) { return (long)s + b + a * 3; }
long c_dbl(double d, long a) { return d + a * 3; }
long c_fl(struct fl f, int x) { return f.a + x; }
long c_ff(struct ff f, int x) { return f.a + x; }
long c_many(long a, long b, long c, long d, long e, struct s2 s, long f) { return a + s.a + f + e; }
long c_ld(long double a, long d) { return d+a; }
long c_x87(struct ld s, long a) { KEEP(s); return a; }
long c_dd(struct dd a, struct dd b, struct dd c, struct dd d, struct dd e, long f) { KEEP(e); return f; }
long c_union(union ul u, long a) { KEEP(u); return a; }
long c_doubles(double a, double b, double c, double d, double e, double f, double g, double h, struct ff s, long x) { KEEP(s); return x; }
long c_ninth(double a, double b, double c, double d, double e, double f, double g, double h, double i) { return i; }
double c_mixed(long a, struct dd s, float b, struct fl c, int d, double e) { return s.a + b + c.d + e; }
double c_quad(__float128 a, double b) { return b; }
double c_after_ld(long double a, double b) { return b; }
struct s4 c_ld_kept(struct ld s) { KEEP(s); return (struct s4){}; }
C
for level in 0 1 2 s; do
	begin "-O$level: functions with ms_abi or preserve_none have no FUNC if their registers differ"
	others=others
	[ $level != 0 ] || { sed '/__has_attribute/,/#endif/d; /ms_struct0/d' others.c >detected.c; others=detected; }
	unit o$level -O$level <$others.c
	image others$level o$level.o
	encode others$level
	need_symbol others$level 'T ms_plain'
	# a double is in xmm0 in both conventions, but at -O0 in the space that ms_abi reserves
	expect_eq "FUNC: $(funcs others$level | sed 's/ = .*//' | tr '\n' ' ')" "FUNC: $([ $level = 0 ] || echo 'ms_donly ')"

	begin "-O$level: functions with the same types and the usual convention have a FUNC, but __int128 only at -O0"
	unit p$level -O$level <plain.c
	image plain$level p$level.o
	encode plain$level
	# without a location, it may be in memory, unless a later register shows that it is not;
	# at -O0, a __float128 is taken for a long double
	skipped plain$level >reasons
	expect_eq "skipped: $(cat reasons)" "skipped: $([ $level = 0 ] && echo 'c_quad: unexpected_register' || echo 'c_i128: unexpected_register')"
done

cat >results.c <<'C'
#include "types.h"
struct s2 pcc_ret2(long a, long b) { struct s2 r = { a, b }; return r; }
struct ff pcc_ff(struct ff f) { return f; }
struct s1 pcc_none(void) { return (struct s1){ 1 }; }
struct s4 ret4(long a, long b) { return (struct s4){ a, b, 0, 0 }; }
long ret_long(struct s1 s) { return s.a; }
C
for level in 0 2; do
	begin "-O$level: results in memory (-fpcc-struct-return), except those that the C ABI returns there"
	unit results -O$level -fpcc-struct-return <results.c
	image results results.o
	encode results
	expect_eq "$(skipped results)" "$(printf 'pcc_%s: unexpected_register\n' ff none ret2)"

	begin "-O$level: -mabi=ms, also of a function in assembly"
	{ echo 'long called(double);'; echo 'long none(void) { return called(1); }'; } >none.c
	unit ms -O$level -mabi=ms <none.c
	printf '.globl called\n.type called, @function\ncalled:\n ret\n.size called, .-called\n' >called.s
	gcc -g -c called.s -o called.o
	image ms ms.o called.o
	encode ms
	expect_eq "$(skipped ms)" "$(printf 'called: no_prototype\nnone: unexpected_register')"
done

# gcc 16, which has preserve_none, or a unit that looks as if it had compiled it
cat >hidden.c <<'C'
#include "types.h"
__attribute__((noipa)) void use(const void *p) { }
struct s3 { char c[3]; };
void hidden(struct s3 s) { use(&s); }
void shown(struct s3 s, long *a) { use(&s); *a = 0; }
void shown_before(long *a, int b) { *a = 0; use(&b); }
void shown_nothing(double d, struct s4 s) { use(&s); use(&d); }
C
# by_gcc VERSION FLAG...: print the functions without a FUNC
by_gcc() {
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine "${@:2}" -S -o hidden.s hidden.c
	sed "s/GNU C11 [0-9][0-9]*/GNU C11 $1/" hidden.s >edited.s
	has edited.s "GNU C11 $1"
	gcc -c edited.s -o hidden.o
	image hidden hidden.o
	encode hidden
	skipped hidden | tr '\n' ' '
}
begin 'gcc 16: no FUNC if nothing shows that a function does not have preserve_none'
expect_eq "$(by_gcc 16)" 'hidden: unexpected_register '

begin 'earlier versions do not have preserve_none, and at -O0 all arguments are in the frame'
by_gcc 15 | expect_none
by_gcc 16 -O0 | expect_none
