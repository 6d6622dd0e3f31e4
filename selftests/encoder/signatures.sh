#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A compiler that knows all callers of a function may change its signature.  A FUNC with an address
# then has the parameters of the code if DWARF proves them; otherwise, there is no FUNC.
. "${0%/*}/../lib.sh"

cat >a.c <<'C'
#define noinline __attribute__((noinline))
struct pair { int first, second; long rest[8]; };
struct two { long a, b; };
int printk(const char *fmt, ...);

/* --- arguments that are the same in all calls ------------------------------- */

static noinline long last(struct pair *p, int item, long delta)
{
	printk("%p", (void *)p);
	p->rest[item] += delta;
	return p->rest[item] * delta;
}

static noinline long first(long delta, struct pair *p, int item)
{
	printk("%p", (void *)p);
	p->rest[item] -= delta;
	return p->rest[item] * delta;
}

/* an address is a constant, too */
static int table[64];
static noinline long address(int *where, long x)
{
	printk("%p %ld", where, x);
	where[x & 63] += x;
	return where[(x + 1) & 63];
}

/* seven, of which six remain */
static noinline long six(long a, long b, long c, long d, long e, long f, long g)
{
	return printk("%ld %ld %ld", a, b, c, d, e, f, g) + g * a;
}

/* eight: the seventh remaining parameter is on the stack */
static noinline long seven(long a, long b, long c, long d, long e, long f, long g, long h)
{
	return printk("%ld %ld %ld", a, b, c, d, e, f, g, h) + h * a;
}

/* @b is passed, although for debuggers, it is 5 starting at the first instruction */
static noinline long reassigned(long a, long b, long c)
{
	long t = b;

	b = 5;
	printk("%ld %ld %ld", a, t, b);
	return a * b * c + t;
}

/* the first argument is @b, although for debuggers, it is @a */
static noinline long taken_over(long a, long b, long c)
{
	a = b;
	b = 7;
	printk("%ld %ld", a, b);
	return a * b * c;
}

/* --- unused parameters and results -------------------------------------------- */

/* the result is unused, and DWARF does not record that */
static noinline int noret(int *p, int x)
{
	printk("%p", (void *)p);
	*p += x;
	return *p * x;
}

static noinline int unused(int *p, int n, int x)
{
	return printk("%p", (void *)p) + *p + x;
}

/* the last parameter: the others stay in their registers */
static noinline int unused_last(int *p, int x, int n)
{
	return printk("%p", (void *)p) - *p - x;
}

/* p->first is passed instead of p */
static noinline int member(struct pair *p, int x)
{
	return printk("%d", p->first) + x;
}

/* --- arguments that do not have their own register ------------------------------- */

static noinline long by_value(struct two t, int k, long x)
{
	return printk("%ld", t.a) + t.b * x + k;
}

static noinline struct pair ret_struct(struct pair *p, long x, int k)
{
	struct pair q = *p;

	printk("%d", k);
	q.rest[x & 7] = k;
	return q;
}

/* its signature cannot change, and neither can that of a function whose address is taken */
static noinline long dots(long k, const char *fmt, ...)
{
	__builtin_va_list ap;
	long r;

	__builtin_va_start(ap, fmt);
	r = __builtin_va_arg(ap, long);
	__builtin_va_end(ap);
	return printk("%s", fmt) + r * k;
}

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
		sum += member(p + i, i) + unused(&x, i, 4 * i) + unused_last(&x, i, 4 * i);
		noret(&p->first, i);
	}
	*p = ret_struct(p, x, 9);
	p[1] = ret_struct(p + 2, x + 3, 9);
	sum += by_value(t, 3, x) + by_value(t, 3, x + 1);
	sum += six(x, 1 + x, 2 + x, 3 + x, 4, 5 + x, 6 + x) +
	       six(x, 2 + x, 3 + x, 4 + x, 4, 7 + x, 9 + x);
	sum += seven(x, 1 + x, 2 + x, 3 + x, 4, 5 + x, 6 + x, x) +
	       seven(x, 2 + x, 3 + x, 4 + x, 4, 7 + x, 9 + x, x);
	sum += address(table, x) + address(table, x + 4);
	sum += reassigned(x, x + 3, 4) + reassigned(x + 9, x - 1, 4);
	sum += taken_over(x, x + 3, 4) + taken_over(x + 9, x - 1, 4);
	sum += dots(3, "a", x, x) + dots(3, "b", x, 1);
	return sum + last(p, x, 3) + last(p, x + 1, 3) + first(3, p, x) + first(3, p, x + 1);
}
C
unit main <<'C'
int printk(const char *fmt, ...) { return *fmt; }
C

# build IMAGE CC [FLAG...]
build() {
	target gcc
	[[ $2 != clang* ]] || target clang
	CC=$2
	unit "$1" "${@:3}" <a.c
	image "$1.elf" "$1.o" main.o
	encode "$1.elf"
}

build gcc gcc
for suffixed in last first address six seven reassigned taken_over by_value ret_struct; do
	need_symbol gcc.elf "t $suffixed\.constprop\.0"
	need_no_symbol gcc.elf "t $suffixed"
done
for suffixed in noret member; do
	need_symbol gcc.elf "t $suffixed\.isra\.0"
	need_no_symbol gcc.elf "t $suffixed"
done
# .isra in gcc 16
for suffixed in unused unused_last; do
	need_symbol gcc.elf "t $suffixed\.(constprop|isra)\.0"
	need_no_symbol gcc.elf "t $suffixed"
done

begin 'gcc: a clone has the name of its symbol, and the parameters of its code'
need_dwarf gcc.elf 'DW_AT_const_value'
expect_funcs gcc.elf last.constprop.0 first.constprop.0 address.constprop.0 six.constprop.0 <<'F'
address.constprop.0 = address.constprop.0: long int address.constprop.0(long int x)
first.constprop.0 = first.constprop.0: long int first.constprop.0(struct pair *p, int item)
last.constprop.0 = last.constprop.0: long int last.constprop.0(struct pair *p, int item)
six.constprop.0 = six.constprop.0: long int six.constprop.0(long int a, long int b, long int c, long int d, long int f, long int g)
F

begin 'gcc: an isra clone may return void, whatever the source returns'
expect_funcs gcc.elf noret.isra.0 <<'F'
noret.isra.0 = noret.isra.0: void noret.isra.0(int *p, int x)
F

begin 'gcc: a parameter that the function changes at once is still passed'
expect_funcs gcc.elf reassigned.constprop.0 <<'F'
reassigned.constprop.0 = reassigned.constprop.0: long int reassigned.constprop.0(long int a, long int b)
F

begin 'gcc: functions without a proof are skipped, with the reason'
expect_text "$(skipped gcc.elf | sed '/^unused/s/\.isra/.constprop/')" <<'F'
by_value.constprop.0: unproven_signature
dots.constprop.0: unproven_signature
member.isra.0: unproven_signature
ret_struct.constprop.0: unproven_signature
seven.constprop.0: unproven_signature
taken_over.constprop.0: unproven_signature
unused.constprop.0: unproven_signature
unused_last.constprop.0: unproven_signature
F

begin 'gcc: a clone has no FUNC with the name in the source'
funcs gcc.elf last first address six seven reassigned taken_over noret unused \
	unused_last member by_value ret_struct dots | expect_none

begin 'gcc: functions that are not clones keep unused parameters'
expect_funcs gcc.elf callback user <<'F'
callback = callback: int callback(int *p, int n, int x)
user = user: int user(struct pair *p, int x)
F

begin 'gcc: an entry value does not prove that a parameter is passed'
unit copied -O3 -fno-ipa-icf <<'C'
int printk(const char *fmt, ...);
static __attribute__((noinline)) long copied(long *p)
{
	printk("copied");
	return 3;
}
long (*keep)(long *p) = copied;
long user(long *p) { return copied(p) + copied(p + 1); }
C
image copied.elf copied.o main.o
nm copied.elf >symbols
if grep -q copied.constprop symbols; then
	readelf --debug-dump=loc copied.elf 2>/dev/null | matches 'DW_OP_entry_value: (DW_OP_reg5'
	encode copied.elf
	expect_funcs copied.elf copied copied.constprop.0 <<-'F'
	copied = copied: long int copied(long int *p)
	F
	# gcc 14 and 15 append .isra.0
	expect_eq "$(skipped copied.elf | sed 's/\.isra\.0//')" 'copied.constprop.0: unproven_signature'
else
	skip 'the compiler does not create a clone'	# gcc 16
fi

begin 'gcc: ms_abi, which DWARF does not record: arguments in other registers, or on the stack'
cat >convention.c <<'C'
int printk(const char *fmt, ...);
#define ms __attribute__((ms_abi))
ms long one(long a) { return printk("one") + a; }
ms long two(long a, long b) { return printk("two") + a + b; }
long eight(long a, long b, long c, long d, long e, long f, long g, struct { long l[3]; } h, long i)
{
	return printk("eight") + a * b + c * d + e * f + g * h.l[1] + i;
}
C
for flag in -O2 -Og -O0; do
	unit convention $flag <convention.c
	image convention.elf convention.o main.o
	encode convention.elf
	expect_eq "$(funcs convention.elf | cut -d' ' -f1 | tr '\n' ' ')" 'eight printk ' $flag
	expect_eq "$(skipped convention.elf | tr '\n' ' ')" \
		'one: unexpected_register two: unexpected_register ' $flag
	verify convention.elf convention.elf.btf
done

begin 'gcc: DWARF 4, no views, no tracking of assignments: the same FUNCs, or fewer'
funcs gcc.elf >gcc.funcs
for flags in -gdwarf-4 -gno-variable-location-views -fno-var-tracking-assignments \
		'-gdwarf-4 -gno-variable-location-views' -fno-var-tracking; do
	# shellcheck disable=SC2086 # a list
	build other gcc $flags
	funcs other.elf >other.funcs
	find_lines -vxFf gcc.funcs other.funcs | expect_none "$flags"
	[[ $flags = -fno-var-tracking* ]] || has other.funcs '^noret.isra.0 ='
done

# A function that clang changed keeps its name, and has DW_CC_nocall.
have clang-19 || { begin 'clang'; skip 'no clang-19'; exit 77; }
build clang clang-19

begin 'clang: if only the result is removed, the FUNC returns void'
need_dwarf clang.elf 'DW_AT_calling_convention.*nocall'
need_symbol clang.elf 't noret'
expect_funcs clang.elf noret <<'F'
noret = noret: void noret(int *p, int x)
F

begin 'clang before 17: a result in memory is not removed, because its address precedes the arguments'
for machine_of in x86_64 s390x; do
	have clang-14 || { skip 'no clang-14'; continue; }
	(
		if [ $machine_of = s390x ]; then
			target s390x
			CC='clang-14 --target=s390x-linux-gnu'
		else
			target clang
			CC=clang-14
		fi
		unit memory <<-'C'
		struct large { long a[4]; };
		struct pair { long a, b; };
		long out;
		static __attribute__((noinline)) struct large large(int a, long b)
		{ struct large l = { { a, b } }; out += a ^ b; return l; }
		static __attribute__((noinline)) struct pair pair(int a, long b)
		{ struct pair p = { a, b }; out += a ^ b; return p; }
		void callers(int a, long b, struct large *l, struct pair *p)
		{ *l = large(a, b); *p = pair(a, b); }
		C
		[ $machine_of != s390x ] || CC=s390x-linux-gnu-gcc
		image memory.elf memory.o
		encode memory.elf
		expect_eq "$(funcs memory.elf large)" 'large = large: struct large large(int a, long b)'
		# in registers, or on s390x in memory, too
		expect_eq "$(funcs memory.elf pair)" "pair = pair: $([ $machine_of = s390x ] && echo struct pair || echo void) pair(int a, long b)"
	)
done

begin 'clang: a parameter that is passed may be a constant for debuggers'
need_dwarf clang.elf 'DW_AT_const_value *: 5'
funcs clang.elf reassigned taken_over | expect_none

begin 'clang: functions without a proof are skipped, with the reason'
expect_text "$(skipped clang.elf)" <<'F'
address: unproven_signature
by_value: unproven_signature
dots: unproven_signature
first: unproven_signature
last: unproven_signature
reassigned: unproven_signature
ret_struct: unproven_signature
seven: unproven_signature
six: unproven_signature
taken_over: unproven_signature
unused: unproven_signature
unused_last: unproven_signature
F

begin "clang: without DW_CC_nocall, a function has its source's prototype"
expect_funcs clang.elf callback user <<'F'
callback = callback: int callback(int *p, int n, int x)
user = user: int user(struct pair *p, int x)
F

begin 'clang: members passed instead of a pointer are not described'
unit member -O3 <<'C'
#define noinline __attribute__((noinline))
struct pair { int first, second; long rest[8]; };
struct big { long v[4]; };
int printk(const char *fmt, ...);

static noinline int one(struct pair *p, int x)
{
	return printk("%d", p->first) + x;
}

/* @x is moved to another register, but @p is not in the register of another parameter */
static noinline int two(int x, struct pair *p)
{
	return printk("%d %d", p->first, p->second) + x;
}

static noinline int by_value(int x, struct big b)
{
	return printk("%ld %ld", b.v[0], b.v[2]) + x;
}

/* its address is taken, so it does not change */
static noinline int pointed_to(struct pair *p, int x)
{
	return printk("%d", p->first) + x;
}
int (*keep)(struct pair *p, int x) = pointed_to;

int user(struct pair *p, int x)
{
	struct big b = { x, 1, x + 2, 3 };

	return one(p, x) + one(p + 1, x + 1) + two(x, p) + two(x + 1, p + 1) +
	       by_value(x, b) + by_value(x + 1, b) + pointed_to(p, x);
}
C
image member.elf member.o main.o
need_symbol member.elf 't one'
need_dwarf member.elf 'DW_AT_call_origin'
# only clang 23 marks them as changed
encode member.elf
expect_funcs member.elf one two by_value pointed_to <<'F'
pointed_to = pointed_to: int pointed_to(struct pair *p, int x)
F
expect_text "$(skipped member.elf)" <<'F'
by_value: unproven_signature
one: unproven_signature
two: unproven_signature
F

begin 'clang: calls do not pass arguments that the called function does not use'
cat >unused.c <<'C'
#define noinline __attribute__((noinline))
int printk(const char *fmt, ...);
/* other calls do pass @n, so that its signature stays */
noinline int called(int *p, long n, int x) { return printk("%d", *p) + x; }
noinline int not_called(int *p, long n, int x) { return printk("%d", *p) + x; }
static int callback(int *p, long n, int x) { return printk("%d", *p) + x; }
int (*keep)(int *p, long n, int x) = callback;
noinline int uses_all(int *p, long n, int x) { return printk("%d", *p) + x + n; }
/* inlined here, and called in another unit */
int expanded(int *p, long n, int x) { return printk("%d", *p) - x; }
int user(int *p, int x)
{
	return called(p, x, x) + uses_all(p, x, x) + expanded(p, x, x);
}
C
for flags in -gdwarf-5 -gdwarf-4; do
	unit unused $flags <unused.c
	image unused.elf unused.o main.o
	encode unused.elf
	expect_funcs unused.elf called not_called callback uses_all expanded <<-'F'
	callback = callback: int callback(int *p, long n, int x)
	expanded = expanded: int expanded(int *p, long n, int x)
	not_called = not_called: int not_called(int *p, long n, int x)
	uses_all = uses_all: int uses_all(int *p, long n, int x)
	F
	expect_eq "$(skipped unused.elf)" 'called: unproven_signature' "$flags"
done

begin 'gcc: calls pass arguments that the called function does not use'
target gcc
unit unused <unused.c
image unused.elf unused.o main.o
encode unused.elf
skipped unused.elf | expect_none
expect_eq "$(funcs unused.elf called)" 'called = called: int called(int *p, long int n, int x)'

begin 'gcc: a struct on the stack is packed only if it breaks the alignment of its members'
unit stack <<'C'
struct whole { union { short off[4]; unsigned short mask; }; signed char frame, count; };
struct bytes { struct { char s[8]; } name; char c; };
struct packed { short first; long second[2]; } __attribute__((packed));
struct restricted { short first; char *restrict second[2]; } __attribute__((packed));
struct short_size { union { long number; char bytes[8]; } first; char last; } __attribute__((packed));
#define FUNC(type) long in_##type(long a, long b, long c, long d, long e, long f, struct type s) \
{ return a + ((char *)&s)[b]; }
FUNC(whole)
FUNC(bytes)
FUNC(packed)
FUNC(restricted)
FUNC(short_size)
C
image stack.elf stack.o main.o
encode stack.elf
expect_eq "$(skipped stack.elf)" 'in_packed: uncertain_location
in_restricted: uncertain_location
in_short_size: uncertain_location'
expect_eq "$(funcs stack.elf | cut -d' ' -f1 | grep in_ | tr '\n' ' ')" 'in_bytes in_whole '
