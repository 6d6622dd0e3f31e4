#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions that compilers change because they know all callers, and that DWARF describes
# poorly: they have no FUNC with the source's prototype.
. "${0%/*}/../lib.sh"

begin "gcc: a nested function's hidden argument is the frame of the enclosing function"
unit nested <<'C'
int outer(int x, int y)
{
	int q = x * y;
	__attribute__((noinline)) int inner(int z) { return z + q++; }
	__attribute__((noinline)) int alone(int z) { return z * 3; }
	return inner(3) + inner(x) + alone(y) + alone(q);
}
C
image nested.image nested.o
need_dwarf nested.image DW_AT_static_link
encode nested.image
expect_eq "$(funcs nested.image | sed 's/[. ].*//' | tr '\n' ' ')" 'alone outer '
expect_eq "$(skipped nested.image | sed 's/[.][0-9]*:/:/')" 'inner: unproven_signature'

begin 'gcc -g1: a function has a name, but no arguments'
unit terse -g1 <<'C'
int terse(int a, int b) { return a + b; }
C
unit full <<'C'
int full(int a, int b) { return a - b; }
C
image terse.image terse.o full.o
encode terse.image
expect_eq "$(funcs terse.image | sed 's/ .*//' | tr '\n' ' ')" 'full '
expect_eq "$(skipped terse.image | sed 's/[.][0-9]*:/:/')" 'terse: no_prototype'
verify terse.image terse.image.btf
says '; 0 functions are missing'

# gcc 16 compiles a function with undefined behaviour to a trap.
traps() {
	objdump -d empty.o | matches ud2
}

# empty_functions [MISSING]: check a function without code, because of undefined behaviour; the next
# function has the same address.
empty_functions() {
	unit empty <<-'C'
	struct s { int a; };
	int never(int x, struct s *p) { __builtin_unreachable(); }
	int next(int a, int b) { return a + b; }
	int afterwards(struct s *p) { return p->a; }
	C
	image empty.image empty.o
	if traps; then
		skip 'the compiler emits a trap'
		return
	fi
	encode empty.image
	expect_eq "$(funcs empty.image | sed 's/ .*//' | tr '\n' ' ')" 'afterwards next '
	expect_eq "$(skipped empty.image)" 'never: no_code'
	verify empty.image empty.image.btf
	says "; ${1:-0} functions are missing"
}
begin 'gcc: a function without code has no FUNC'
empty_functions
begin 'the judge finds a FUNC without code'
if traps; then
	skip 'the compiler emits a trap'
else
	"$ABTF" encode -q empty.image
	addr_edit empty.image afterwards string afterwards=never
	addr_edit empty.image never like next
	expect 1 "$judge" empty.image
	says "FUNC never\): .*is without code, as 'never' there is empty"
fi

# has_lld CLANG: test for an lld of its version; an older one cannot read its bitcode and relocations
has_lld() {
	local lld version

	lld=$($1 -print-prog-name=ld.lld) version=$($1 -dumpversion)
	have "$lld" && "$lld" --version | matches "LLD ${version%%.*}\."
}

for compiler in clang clang-19; do
	have $compiler || { begin $compiler; skip "no $compiler"; continue; }
	target clang
	# shellcheck disable=SC2034 # lib.sh's
	CC=$compiler

	begin "$compiler: a parameter is overwritten with a computed value, so callers do not pass it"
	unit computed <<-'C'
	struct s { int a; };
	int g;
	__attribute__((noinline)) int f(struct s *p, long n) { p = (struct s *)(5 - n); return g + n; }
	__attribute__((noinline)) int h(struct s *p, long n)
	{
		struct s l;

		p = &l;
		asm volatile("" : "=m"(l));
		return p->a + n;
	}
	__attribute__((noinline)) int kept(struct s *p, long n) { return p->a + n; }
	int use(struct s *p, long n)
	{
		return f(p, n) + f(p + 1, n + 3) + h(p, n) + h(p + 1, n + 3) + kept(p, n) + kept(p + 1, 2);
	}
	C
	image computed.image computed.o
	encode computed.image
	expect_eq "$(funcs computed.image | sed 's/ .*//' | tr '\n' ' ')" 'kept use '

	begin "$compiler: functions without code have no FUNC, with space for ftrace and without"
	empty_functions
	# abtf check treats that space as code
	machine="$machine -fpatchable-function-entry=5" empty_functions 1

	begin "$compiler: a struct by value whose contents are known is no longer passed"
	unit byvalue <<-'C'
	struct s { int a; };
	struct w { int x; long y; };
	void see(void *p);
	struct s *gs;
	static __attribute__((noinline)) int dropped(struct w w, struct s *p) { see(&w); return w.x + p->a; }
	static __attribute__((noinline)) int passed(struct s *p, struct w w) { return w.x + w.y + p->a; }
	void see(void *p) { asm volatile("" : : "r"(p) : "memory"); }
	int use(struct w *w) { return dropped((struct w){ 0, 0 }, gs) + passed(gs, *w) + passed(gs, w[1]); }
	C
	image byvalue.image byvalue.o
	encode byvalue.image
	expect_eq "$(funcs byvalue.image | sed 's/ .*//' | tr '\n' ' ')" 'passed see use '
	expect_eq "$(skipped byvalue.image)" 'dropped: unproven_signature'

	begin "$compiler: a function is skipped if clang 14 passes a struct that belongs on the stack in registers"
	unit members -O3 <<-'C'
	struct one { long a; };
	struct three { long a, b, c; };
	void note(long v) { asm volatile("" : : "r"(v) : "memory"); }
	static __attribute__((noinline)) void first(struct three s) { note(s.a); note(s.b); note(s.c); }
	static __attribute__((noinline)) void second(struct one o, struct three s)
	{
		note(o.a); note(s.a); note(s.b); note(s.c);
	}
	void use(long n)
	{
		first((struct three){ n, 2, 3 });
		first((struct three){ 4, n, n });
		second((struct one){ n }, (struct three){ n, 5, 6 });
		second((struct one){ 1 }, (struct three){ 4, n, n });
	}
	C
	image members.image members.o
	wanted=
	case $($compiler -dumpversion) in
	14.*)
		readelf --debug-dump=loc members.image 2>/dev/null | grep 'DW_OP_reg5 (rdi); DW_OP_piece: 8'
		wanted=$(printf '%s: unexpected_register\n' first second)
		;;
	esac
	encode members.image
	skipped members.image >reasons
	expect_eq "skipped: $(cat reasons)" "skipped: $wanted"
	verify members.image members.image.btf

	begin "$compiler: a result that no caller uses is removed; clang before 17 does not record that"
	unit results <<-'C'
	int g;
	static __attribute__((noinline)) int unused(int *p, int x) { *p += x; g++; return *p * x; }
	static __attribute__((noinline)) int by_address(int *p, int x) { *p -= x; return *p * x; }
	int (*volatile pointer)(int *p, int x) = by_address;
	__attribute__((noinline)) int global(int *p, int x) { *p ^= x; g++; return *p * x; }
	void use(int *p) { unused(p, 1); unused(p, 2); global(p, g); global(p, 3); pointer(p, 4); }
	C
	image results.image results.o
	encode results.image
	expect_funcs results.image unused by_address global <<-'F'
	by_address = by_address: int by_address(int *p, int x)
	global = global: int global(int *p, int x)
	unused = unused: void unused(int *p, int x)
	F
	verify results.image results.image.btf

	begin "$compiler: functions with other calling conventions have no FUNC if their registers differ"
	unit conventions <<-'C'
	struct s { long a, b; };
	__attribute__((ms_abi)) long windows(struct s s, long x) { return s.a + x; }
	__attribute__((swiftcall)) long swift(__attribute__((swift_context)) long *c) { return *c; }
	__attribute__((sysv_abi)) long sysv(long a, long b) { return a - b; }
	__attribute__((preserve_most)) long most(long a, long b) { return a - b; }
	C
	image conventions.image conventions.o
	encode conventions.image
	expect_eq "$(funcs conventions.image | sed 's/ .*//' | tr '\n' ' ')" 'most sysv '
	expect_eq "$(skipped conventions.image | sed 's/[.][0-9]*:/:/' | sort | tr '\n' ' ')" \
		'swift: unexpected_register windows: unexpected_register '
	verify conventions.image conventions.image.btf
	says '; 0 functions are missing'

	begin "$compiler: a word of a struct is unused, so callers do not pass it"
	for level in -O2 -O3; do
		unit halves $level <<-'C'
		struct pair { long a, b; };
		struct tail { void *p; int n; };
		long other(long a);
		static __attribute__((noinline)) long second(struct pair s) { return s.b * 3 + other(s.b); }
		static __attribute__((noinline)) long first(struct pair s, long x)
		{
			return s.a * 3 + other(s.a + x) * x;
		}
		static __attribute__((noinline)) long tail(struct tail s, long x)
		{
			return s.n * 3 + other(s.n) * x;
		}
		static __attribute__((noinline)) long whole(struct pair s, long x)
		{
			return s.a * 3 + other(s.b + x) * x;
		}
		long other(long a) { asm volatile(""); return a; }
		long use(struct pair *p, struct tail *t, long x)
		{
			return second(*p) + second(p[1]) + first(*p, x) + first(p[1], x + 1) +
			       tail(*t, x) + tail(t[1], x + 1) + whole(*p, x) + whole(p[1], x + 1);
		}
		C
		image halves.image halves.o
		encode halves.image
		expect_eq "$(funcs halves.image | sed 's/ .*//' | tr '\n' ' ')" 'other use whole '
		verify halves.image halves.image.btf
	done

	# The compiler passes the value that the pointer leads to, because all callers know it.
	cat >callee.c <<-'C'
	__attribute__((noinline)) int callee(const int *p) { return *p * 3; }
	C
	cat >caller.c <<-'C'
	int callee(const int *p);
	int caller(int n, int *q)
	{
		int m = n + 1;

		*q = 1;
		return callee(&n) + callee(&m);
	}
	C
	begin "$compiler: link-time optimization knows calls from other units, and does not record the callers"
	if has_lld $compiler; then
		unit callee -flto <callee.c
		unit caller -flto <caller.c
		(
			# options of GNU ld only
			link=${link/-Wl,--no-warn-rwx-segments/}
			image whole -fuse-ld=lld -flto -Wl,-u,caller callee.o caller.o
		)
		need_symbol whole '[tT] callee'
		encode whole
		expect_eq "$(funcs whole | sed 's/ .*//' | tr '\n' ' ')" 'caller '
		expect_eq "$(skipped whole)" 'callee: unproven_signature'
	else
		skip 'no lld of the same version'
	fi

	begin "$compiler: a static function is skipped if DWARF does not record its calls"
	for flag in -gdwarf-3 '-gdwarf-4 -gsce'; do
		# shellcheck disable=SC2086 # two flags
		sed 's/^__attr/static &/' callee.c caller.c | grep -v '^int callee' | unit silent $flag -O3
		image silent.image silent.o
		encode silent.image
		expect_eq "$(funcs silent.image | sed 's/ .*//' | tr '\n' ' ')" 'caller ' "$flag"
	done

	begin "$compiler: a function with more argument registers than in the ABI is skipped"
	if has_lld $compiler && $compiler --print-targets | matches riscv64; then
		cat >many.c <<-'C'
		__attribute__((noinline)) static long f(long a, long b, long c, long d, long e, long f,
							long g, long h, long i, long j)
		{
			return a * b + c * d + e * f + g * h + i * j;
		}
		long use(long n)
		{
			return f(n, 1 + n, 2 * n, n - 3, 4 ^ n, 5 | n, n * 6, n * 7, n * 8, n * 9) +
			       f(n, n, n, n, n, n, n, n, n, n);
		}
		C
		$compiler --target=riscv64-linux-gnu -O2 -g -ffreestanding -fno-pic -c many.c
		$compiler --target=riscv64-linux-gnu -fuse-ld=lld -nostdlib -static -o many many.o \
			-Wl,-e,use,-Ttext=0x1000000,--defsym=_text=0x1000000
		encode many
		expect_eq "$(funcs many | sed 's/ .*//')" use
		expect_eq "$(skipped many | sed 's/:.*//')" f
	else
		skip "no lld of its version, or no $compiler for riscv64"
	fi

	begin "$compiler: code that several functions share is not a source function"
	if has_lld $compiler && $compiler --print-targets | matches aarch64; then
		for i in 1 2 3 4 5; do
			echo "int u$i(int *p, long n) { p[0] = n * 3; p[1] = n ^ 77; p[2] = n + $i; p[3] = n * 3;
				p[4] = n ^ 77; p[5] = n | 1; p[6] = n & 5; return p[n]; }"
		done >shared.c
		$compiler --target=aarch64-linux-gnu -Oz -moutline -g -ffreestanding -fno-pic -c shared.c
		$compiler --target=aarch64-linux-gnu -fuse-ld=lld -nostdlib -static -o shared shared.o \
			-Wl,-e,u1,-Ttext=0x1000000,--defsym=_text=0x1000000
		need_symbol shared '[tT] OUTLINED_FUNCTION_0'
		encode shared
		expect_eq "$(funcs shared | sed 's/ .*//' | tr '\n' ' ')" 'u1 u2 u3 u4 u5 '
		expect_eq "$(skipped shared | sed 's/.*: //' | sort -u)" no_prototype
	else
		skip "no lld of its version, or no $compiler for aarch64"
	fi
done
