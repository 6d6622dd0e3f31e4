#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The judge (selftests/judge) finds each prototype that contradicts the DWARF at its address.  The
# BTF here is edited, so the tests do not depend on the encoder's decisions.
. "${0%/*}/../lib.sh"

# judge IMAGE BTF STATUS [REGEX]: expect that the judge exits with STATUS, and its output matches REGEX
judge() {
	expect "$3" "$judge" -v "$1" "$2"
	[ $# = 3 ] || says "$4"
}

# counted: print "agreed contradicted undescribed missing" from the last judge's output
counted() {
	sed -nE 's/.*DWARF agrees with ([0-9]+) prototypes, contradicts ([0-9]+) and does not describe ([0-9]+); ([0-9]+) .*/\1 \2 \3 \4/p' out
}

# give IN OUT FUNC OTHER: give FUNC the prototype of OTHER
give() {
	"$edit" "$1" "$2" "$3" 2 ":$4"
}

# put IN OUT FUNC IMAGE SYMBOL: give FUNC the address of SYMBOL and, if it has the same length, its
# name
put() {
	local text address

	text=$(nm "$4" | awk '$3 == "_text" { print $1 }')
	address=$(nm "$4" | awk -v name="$5" '$3 == name { print $1 }')
	"$edit" "$1" put.tmp "$3" 3 $((0x$address - 0x$text))
	expect_eq ${#3} ${#5} "lengths of $3 and $5"
	LC_ALL=C sed "s/$3/$5/" put.tmp >"$2"
}

# --- ordinary functions --------------------------------------------------------

cat >a.c <<'C'
struct s { int x; };
struct t { int x; };
typedef int number;
int taken(int a, int b) { return a * b; }
int fewer(int a) { return a; }
int more(int a, int b, int c) { return a * b + c; }
int named(int a, int c) { return a * c; }
int wider(int a, long b) { return a * b; }
long longer(int a, int b) { return a * b; }
void nothing(int a, int b) { }
int dotted(int a, int b, ...) { return a * b; }
number aliased(int a, int b) { return a * b; }
int of_s(struct s *p) { return p->x; }
int of_t(struct t *p) { return p->x; }
int of_const(const struct s *p) { return p->x; }
int of_pointer(struct s **p) { return (*p)->x; }
int calls(int (*p)(struct s *)) { return p(0); }
int calls_t(int (*p)(struct t *)) { return p(0); }
int rows(int (*p)[4]) { return (*p)[0]; }
int longer_rows(int (*p)[5]) { return (*p)[0]; }
int planes(int (*p)[2][4]) { return (*p)[0][0]; }
C
nr=$(grep -c '(.*{ ' a.c)

for where in gcc clang m32 aarch64 s390x; do
	target $where
	no_icf=-fno-ipa-icf
	[ $where != clang ] || no_icf=
	begin "$where: correct BTF passes"
	unit a-$where $no_icf <a.c
	image $where a-$where.o
	encode $where
	expect_eq "$(grep -c ' FUNC ' $where.dump)" "$nr" 'FUNCs'
	judge $where $where.btf 0
	expect_eq "$(counted)" "$nr 0 0 0"

	begin "$where: a wrong prototype is a violation"
	while read -r func other reason; do
		give $where.btf lie.btf "$func" "$other"
		judge $where lie.btf 1 "\\(FUNC $func\\): DWARF of '$func': $reason"
		expect_eq "$(counted)" "$((nr - 1)) 1 0 0" "$func $other"
	done <<-'F'
	taken fewer has 1 parameters, the source 2
	taken more has 3 parameters, the source 2
	taken named parameter 2 is 'c', in the source 'b'
	taken wider parameter 'b' is of another type
	taken longer the source returns another type
	taken nothing the source returns another type
	nothing taken the source returns another type
	taken aliased the source returns another type
	aliased taken the source returns another type
	taken dotted the source has no '...'
	dotted taken the source has a '...'
	of_s of_t parameter 'p' is of another type
	of_s of_const parameter 'p' is of another type
	of_const of_s parameter 'p' is of another type
	of_s of_pointer parameter 'p' is of another type
	of_pointer of_s parameter 'p' is of another type
	calls calls_t parameter 'p' is of another type
	calls of_s parameter 'p' is of another type
	rows longer_rows parameter 'p' is of another type
	planes rows parameter 'p' is of another type
	F

	begin "$where: a function without a FUNC is missing, which is not a violation"
	text=$(nm $where | awk '$3 == "_text" { print $1 }')
	"$edit" $where.btf lie.btf taken 3 ':fewer'
	judge $where lie.btf 1 "missing: taken at 0x"
	expect_eq "$(grep -c ' missing: ' out)" 1
	expect 1 "$judge" $where lie.btf
	has_not out 'missing:'
done
target gcc

begin 'code that the compiler merged: no DIE has the address'
unit icf <<'C'
typedef int number;
int taken(int a, int b) { return a * b; }
number aliased(int a, int b) { return a * b; }
int other(int a) { return a; }
C
image icf icf.o
need_symbol icf 'T aliased'
nm --defined-only icf | awk '$3 == "aliased" { print $1 }' >address
need_dwarf icf 'DW_AT_name.*: taken$'
need_no_dwarf icf "DW_AT_low_pc *: 0x$(sed 's/^0*//' address)\$"
encode icf
expect_eq "$(grep -c ' FUNC ' icf.dump)" 3
judge icf icf.btf 0
expect_eq "$(counted)" '3 0 0 0'
give icf.btf lie.btf aliased taken
judge icf lie.btf 1 "FUNC aliased.*is declared in another way"
give icf.btf lie.btf aliased other
judge icf lie.btf 1 "FUNC aliased.*is declared in another way"

begin 'an alias has the parameters of its target'
unit alias <<'C'
int target(int a, int b) { return a * b; }
int other(int a) { return a; }
int alias(int x, int y) __attribute__((alias("target")));
C
image alias alias.o
encode alias
"$edit" alias.btf t.btf other 3 :target
sed 's/\x00other\x00/\x00alias\x00/' t.btf >lie.btf
judge alias lie.btf 1 "FUNC alias.*has 1 parameters, but the code belongs to 'target', which has 2"

# --- where parameters arrive ---------------------------------------------------

# moved NAME FROM TO <<'C': link an image, and exchange the registers FROM and TO (DW_OP_reg) in its
# DWARF
moved() {
	# shellcheck disable=SC2086 # lists of flags
	gcc $common $machine -S -dA -o "$1.s" -xc -
	sed -Ei "/DW_OP_reg/{s/^(\\s*\\.byte\\s+)0x$2\\b/\\10xfrom/; s/^(\\s*\\.byte\\s+)0x$3\\b/\\10x$2/; s/0xfrom/0x$3/}" "$1.s"
	gcc -c -o "$1.o" "$1.s"
	image "$1" "$1.o"
}

begin 'a parameter in the register of another one is a violation'
cat >regs.c <<'C'
int printk(const char *fmt, ...) { return *fmt; }
int f(int a, int b) { return printk("%d %d", a, b) + a - b; }
C
moved right 7f 7f <regs.c
encode right
judge right right.btf 0
expect_eq "$(counted)" '2 0 0 0'
# rdi is 0x55, rsi 0x54
moved wrong 55 54 <regs.c
judge wrong right.btf 1 "FUNC f\): DWARF of 'f': parameter 'a' is in register 4, by the ABI in register 5"

begin 'a register without an argument is not checked'
# rdi becomes rbx
moved late 55 53 <regs.c
judge late right.btf 0
expect_eq "$(counted)" '2 0 0 0'

# Structs by value, and everything else that moves later parameters: if the judge counted wrongly,
# the registers of the last parameters would contradict it.
cat >abi.c <<'C'
struct two { long a, b; };
struct three { int a, b, c; };
struct big { long a[5]; };
struct tiny { char c[3]; };
struct empty { };
struct wide { long long a; int b; };
void __attribute__((noinline)) sink(long a, ...) { asm volatile("" : : "r" (a)); }
int e0(int a, long b, char c, short d, int e, long f) { sink(a, b, c, d, e, f); return f; }
int e1(struct two t, int x) { sink(t.a, t.b, x); return x; }
int e2(int a, struct three t, int x) { sink(t.a, t.b, t.c, x, a); return x; }
int e3(struct big t, int x) { sink(t.a[0], x); return x; }
int e4(int a, long long b, int x) { sink(a, b, x); return x; }
int e5(struct tiny t, int x) { sink(t.c[0], x); return x; }
int e6(int a, struct wide w, int x) { sink(a, w.b, x); return x; }
int e7(int a, int b, long long c, int x) { sink(a, b, c, x); return x; }
struct big r0(int x, int y) { struct big b = { { x, y } }; sink(x, y); return b; }
struct two r1(int x, int y) { struct two b = { x, y }; sink(x, y); return b; }
struct tiny r2(int x, int y) { struct tiny b = { { x, y } }; sink(x, y); return b; }
int odd(double d, int x) { sink(x); return x; }
#ifdef __SIZEOF_INT128__
int i0(int a, __int128 b, int x) { sink(a, (long)b, x); return x; }
#endif
#if defined(__x86_64__) || defined(__aarch64__)
int e8(int a, struct empty e, int x) { sink(a, x); return x; }
#endif
C

# not below lld's image bases, of which powerpc64le's is the highest
link_lld='-nostdlib -static -fuse-ld=lld -Wl,--defsym=_text=0x10000000 -Wl,-Ttext=0x10000000 -Wl,-e,0'
while read -r name compiler; do
	begin "$name: arguments are counted as the ABI does"
	# shellcheck disable=SC2086 # lists of flags
	$compiler -O2 -g -ffreestanding -fno-pic -std=gnu11 -w -c -o abi-$name.o abi.c
	case $compiler in
	clang*)	$compiler $link_lld -o abi-$name abi-$name.o ;;
	*)	$compiler -nostdlib -static -Wl,--defsym=_text=0x100000 -Wl,-Ttext=0x100000 -Wl,-e,0 \
			-o abi-$name abi-$name.o ;;
	esac
	# without checking the locations of parameters
	"$ABTF" encode -q --features=encode_force,optimized_func,func_addr -o abi-$name.btf abi-$name
	judge abi-$name abi-$name.btf 0
	nr=$(nm abi-$name | grep -cE ' [tT] [a-z0-9]+$')
	[ "$nr" -ge 13 ] || fail "only $nr functions"
	expect_eq "$(counted | awk '{ print $1 + $4, $2, $3 }')" "$nr 0 0"
done <<'F'
x86_64		gcc -mno-red-zone
x86_64-clang	clang --target=x86_64-linux-gnu
aarch64		aarch64-linux-gnu-gcc
aarch64-clang	clang --target=aarch64-linux-gnu
s390x		s390x-linux-gnu-gcc
riscv64-clang	clang --target=riscv64-linux-gnu -mabi=lp64 -march=rv64imac
ppc64le-clang	clang --target=powerpc64le-linux-gnu
loongarch64-clang clang-19 --target=loongarch64-linux-gnu -mabi=lp64s -msoft-float
arm-clang	clang --target=armv7-linux-gnueabi -mfloat-abi=soft
F

# --- clones --------------------------------------------------------------------

# Functions with the prototypes for the clones, and names of the same length.
unit clones -fno-ipa-icf <<'C'
struct pair { int first, second; long rest[8]; };
int __attribute__((noinline)) printk(const char *fmt, ...) { return *fmt; }

/* gcc passes p->first instead of p */
static __attribute__((noinline)) int moved(struct pair *p, int x)
{
	return printk("%d", p->first) + x;
}

/* every caller passes 3, as the last argument... */
static __attribute__((noinline)) long kept(struct pair *p, int item, long delta)
{
	printk("%p", (void *)p);
	p->rest[item] += delta;
	return p->rest[item] * delta;
}

/* ... and as the first: the others moved up */
static __attribute__((noinline)) long shifted(long delta, struct pair *p, int item)
{
	printk("%p", (void *)p);
	p->rest[item] -= delta;
	return p->rest[item] * delta;
}

/* the result is unused */
static __attribute__((noinline)) int dropped(struct pair *p, int x)
{
	p->rest[x] = printk("%d", x);
	return printk("%p", (void *)p);
}

long user(struct pair *p, int x)
{
	int i, sum = 0;

	for (i = 0; i < x; i++) {
		sum += moved(p + i, i);
		dropped(p + i, x);
	}
	return sum + kept(p, x, 3) + kept(p, x + 1, 3) + shifted(3, p, x) + shifted(3, p, x + 1);
}

void moved_isra_0(struct pair *p, int x) { printk("m"); }
long kept_constprop_0(struct pair *p, int item) { return printk("k"); }
long shifted_constprop_0(struct pair *p, int item) { return printk("s"); }
void dropped_isra_0(struct pair *p, int x) { printk("d"); }
void only_x(int x) { printk("1"); }
int with_result(struct pair *p, int x) { return printk("2"); }
long only_p(struct pair *p) { return printk("3"); }
int other_result(struct pair *p, int item) { return printk("4"); }
long in_disorder(int item, struct pair *p) { return printk("5"); }
long with_last(struct pair *p, int item, long delta) { return printk("6"); }
long with_first(long delta, struct pair *p, int item) { return printk("7"); }
C
image clones clones.o
for clone in moved.isra.0 kept.constprop.0 shifted.constprop.0 dropped.isra.0; do
	need_symbol clones "t $clone"
done
"$ABTF" encode -q --features=encode_force,func_addr,consistent_func -o clones.btf clones

begin 'a clone with its remaining parameters in the next registers passes'
for clone in kept.constprop.0 shifted.constprop.0 dropped.isra.0; do
	put clones.btf t.btf "${clone//./_}" clones $clone
	judge clones t.btf 0
	expect_eq "$(counted | cut -d' ' -f2,3)" '0 0'
	has_not out "missing: ${clone//./\\.} "
done

begin 'a FUNC of a clone whose prototype is not proven is a violation'
while read -r clone other reason; do
	if [ "$other" = - ]; then
		cp clones.btf given.btf
	else
		give clones.btf given.btf "${clone//./_}" "$other"
	fi
	put given.btf lie.btf "${clone//./_}" clones "$clone"
	judge clones lie.btf 1 "FUNC $clone\\): DWARF of '$clone': $reason"
	expect_eq "$(counted | cut -d' ' -f2,3)" '1 0'
done <<'F'
moved.isra.0 - parameter 'p' is (no longer passed|nowhere)
moved.isra.0 only_x parameter 'p' is missing, and is (no longer passed|nowhere)
kept.constprop.0 with_last parameter 'delta' is a constant, by the ABI in register 1
kept.constprop.0 only_p parameter 'item' is missing, and is in register 4
kept.constprop.0 other_result the source returns another type
kept.constprop.0 in_disorder parameter 'p' is not the source's, or out of order
shifted.constprop.0 with_first parameter 'delta' is a constant, by the ABI in register 5
dropped.isra.0 with_result need not return anything, expected void
F

begin 'clones that are proven and have no FUNC are missing, others are not'
judge clones clones.btf 0
expect_eq "$(sed -n 's/.* missing: //p' out | sed 's/ at 0x[0-9a-f]*//' | sort)" "$(sort <<'F'
dropped.isra.0, a clone that takes (p, x)
kept.constprop.0, a clone that takes (p, item)
shifted.constprop.0, a clone that takes (p, item)
F
)"

begin 'a FUNC of a clone without DWARF is a violation'
unit bare -g0 <<<'int bare(int a) { return a; }'
unit none <<<'int none_isra_0(int a) { return a; }'
objcopy --redefine-sym bare=none.isra.0 bare.o
image undescribed bare.o none.o
encode undescribed
put undescribed.btf lie.btf none_isra_0 undescribed none.isra.0
judge undescribed lie.btf 1 "FUNC none.isra.0.*is a clone, and is not described"

begin 'DW_CC_nocall: a FUNC that does not match its code is a violation, without a suffix, too'
target clang
cat >nocall.c <<'C'
int printk(const char *fmt, ...) { return *fmt; }
int returns(int a, int b) { return printk("%d %d", a, b); }
void in_place(int a, int b) { printk("%d %d", a, b); }
void unused(int a, int b) { printk("%d", a); }
void not_used(int a) { printk("%d", a); }
C
# shellcheck disable=SC2086 # lists of flags
clang $common $machine -emit-llvm -S -o nocall.ll nocall.c
sed 's/!DISubroutineType(types/!DISubroutineType(cc: DW_CC_nocall, types/' nocall.ll |
	awk '/^define/ { unused = /@unused/ } !unused || !/dbg[._]value\((metadata )?i32 %1,/' >changed.ll
# shellcheck disable=SC2086
clang -O2 $machine -fno-pic -c -o nocall.o changed.ll
unit called <nocall.c
image nocall nocall.o
image called called.o
need_dwarf nocall 'DW_AT_calling_convention.*nocall'
encode called
# the same code, so the same addresses
expect_eq "$(nm nocall)" "$(nm called)"
judge called called.btf 0
expect_eq "$(counted)" '5 0 0 0'
judge nocall called.btf 1 "FUNC returns\): DWARF of 'returns': need not return anything"
says "FUNC unused\): DWARF of 'unused': parameter 'b' is nowhere"
has_not out 'FUNC in_place'
give called.btf lie.btf unused not_used
judge nocall lie.btf 1 "FUNC unused\): DWARF of 'unused': parameter 'b' is missing, and is nowhere"

begin 'a FUNC of a function with another calling convention than C is a violation'
unit convention <<'C'
__attribute__((ms_abi)) long wind(long a, long b) { return a - b; }
__attribute__((sysv_abi)) long sysv(long a, long b) { return a - b; }
C
image convention convention.o
encode convention
judge convention convention.btf 0
expect_eq "$(counted)" '1 0 0 0'
put convention.btf lie.btf sysv convention wind
judge convention lie.btf 1 "FUNC wind\): DWARF of 'wind': is called by another convention than C's"
target gcc

begin "without variable tracking, gcc's location of a stack argument is not where it arrives"
unit untracked -fno-var-tracking <<'C'
long ext(long a, long b, long c, long d, long e, long f, long g) { return a; }
long eight(long a, long b, long c, long d, long e, long f, long g, long h)
{
	long (*volatile call)(long, long, long, long, long, long, long) = ext;

	return call(h, a, g, c, d, e, f) + g + call(a, h, b, g, h, g, h) - h * g;
}
C
image untracked untracked.o
readelf --debug-dump=info untracked | grep -A12 'DW_AT_name *: g$' | matches 'DW_OP_reg[0-9]' ||
	{ echo 'precondition: g is on the stack'; false; }
encode untracked
judge untracked untracked.btf 0
expect_eq "$(counted)" '2 0 0 0'

begin "gcc's ms_abi, which DWARF does not record: at -O0, arguments are on the caller's stack"
unit windows -O0 <<'C'
__attribute__((ms_abi)) long wind(long a, long b) { return a - b; }
long in_c(long a, long b) { return a - b; }
C
image windows windows.o
encode windows
judge windows windows.btf 0
expect_eq "$(counted)" '1 0 0 0'
put windows.btf lie.btf in_c windows wind
judge windows lie.btf 1 "FUNC wind\): DWARF of 'wind': parameter 'a' is on the stack at 0, by the ABI in register 5"

begin "gcc's preserve_none, which DWARF does not record: arguments from r12 on"
cat >none.c <<'C'
long two(long a, long b) { return a - b; }
long six(long a, long b, long c, long d, long e, long f) { return a - b + c * d - e * f; }
long in_c(long a) { return a; }
C
# shellcheck disable=SC2086 # lists of flags
$CC $common $machine -dA -S -o none.s none.c
# the DWARF of gcc 16 for the first two
perl -pe '$at = $1 if /^(two|six|in_c):/;
	%to = (0x55, 0x5c, 0x54, 0x5d, 0x51, 0x5e, 0x52, 0x5f, 0x58, 0x55, 0x59, 0x54);
	$debug = /debug_info/ if /^\s*\.section/;
	$in_c = 1 if $debug && /"in_c/;
	$in_c = 0 if $debug && /"(two|six)/;
	s/0x(5[0-9])(?=\s.*DW_OP_reg)/sprintf "0x%x", $to{hex $1}/e if $debug && !$in_c' none.s >none.S
$CC -c -o none.o none.S
image none none.o
need_dwarf none 'DW_OP_reg12 '
encode none
expect_funcs none <<'F'
in_c = in_c: long int in_c(long int a)
F
expect_text "$(skipped none)" <<'S'
six: unexpected_register
two: unexpected_register
S
judge none none.btf 0
expect_eq "$(counted)" '1 0 0 0'
unit in_c <none.c
image in_c in_c.o
encode in_c
put in_c.btf lie.btf two none two
judge none lie.btf 1 "FUNC two\): DWARF of 'two': is called by another convention than C's"

begin 'another language: an object of a class may be passed by pointer, whatever its prototype'
unit plain <<<'int by_value(int c) { return c; }'
image plain plain.o
encode plain
# shellcheck disable=SC2086 # lists of flags
g++ ${common/-std=gnu11/} $machine -c -o class.o -x c++ - <<<'extern "C" int by_value(int c) { return c; }'
image class class.o
encode class
expect_eq "$(skipped class)" 'by_value: no_prototype'
put plain.btf lie.btf by_value class by_value
judge class lie.btf 1 "FUNC by_value\): DWARF of 'by_value': is written in a language with other rules for arguments than C's"

# --- assembly -----------------------------------------------------------------

begin 'assembly: the prototype that all C units declare, or none'
cat >asm.S <<'S'
	.text
	.globl agreed, disputed, unknown
	.type agreed, @function
agreed:	ret
	.size agreed, . - agreed
	.type disputed, @function
disputed: ret
	.size disputed, . - disputed
	.type unknown, @function
unknown: ret
	.size unknown, . - unknown
S
gcc -g -c -o asm.o asm.S
unit one <<'C'
long agreed(int a, char *b);
void disputed(int a);
long one(int x) { disputed(x); return agreed(x, 0); }
C
unit two <<'C'
long agreed(int first, char *);
int disputed(int a);
long two(int y) { return agreed(y, 0) + disputed(y); }
C
unit like <<'C'
long agreed(int a, char *b) { return a; }
void disputed(int a) { }
void unknown(void) { }
C
image in-c like.o one.o two.o
image asm asm.o one.o two.o
need_dwarf asm 'DW_AT_language.*MIPS assembler'
encode in-c
cp in-c.btf asm.btf
for func in agreed disputed unknown one two; do
	put asm.btf t.btf $func asm $func
	mv t.btf asm.btf
done
judge asm asm.btf 1 "FUNC disputed\): DWARF of 'disputed': is declared in another way, and in assembler"
says "FUNC unknown\): DWARF of 'unknown': is in assembler, and no C unit declares it"
expect_eq "$(counted)" '3 2 0 0'
give asm.btf lie.btf agreed unknown
judge asm lie.btf 1 "FUNC agreed\): DWARF of 'agreed': is declared in another way, and in assembler"

# --- bodies after their symbols, modules, and malformed input -------------------

begin 'a body that starts after the nops for tracers belongs to the symbol'
target aarch64
unit plain <<'C'
int f(int a) { return a + 1; }
int g(int a, int b) { return a + b; }
C
unit nops -fpatchable-function-entry=2 <plain.c
image plain plain.o
image nops nops.o
encode plain
cp plain.btf nops.btf
for func in f g; do
	put nops.btf t.btf $func nops $func
	mv t.btf nops.btf
done
address=$(nm nops | awk '$3 == "g" { print $1 }')
need_dwarf nops 'DW_AT_name.*: g$'
need_no_dwarf nops "DW_AT_low_pc *: 0x$address\$"
judge nops nops.btf 0
expect_eq "$(counted)" '2 0 0 0'
give nops.btf lie.btf g f
judge nops lie.btf 1 "FUNC g\): DWARF of 'g': has 1 parameters, the source 2"
target gcc

begin 'modules: relocations are applied, in the .BTF section and in a file'
unit vmlinux-unit <<<'int in_vmlinux(int a) { return a; }'
image vmlinux vmlinux-unit.o
"$ABTF" encode -q vmlinux
unit mod -ffunction-sections <<'C'
struct s { int x; };
int first(int a, int b) { return a * b; }
int second(struct s *s) { return s->x; }
static int __attribute__((section(".init.text"), used, noinline)) first_init(int a) { return a; }
C
module mod.ko mod.o
"$ABTF" encode -q --base vmlinux mod.ko
verify -b vmlinux mod.ko
expect_eq "$(counted)" '3 0 0 0'
"$ABTF" encode -q -o mod.btf --base vmlinux mod.ko
verify -b vmlinux mod.ko mod.btf
expect_eq "$(counted)" '3 0 0 0'
addr_edit mod.ko second type first
expect 1 "$judge" -b vmlinux mod.ko
says "FUNC second\): DWARF of 'second': has 2 parameters, the source 1"

begin 'addresses at which no function, or a different one, starts'
# offset NAME: print the offset of a symbol of clones from _text
offset() {
	local address

	for address in "$1" _text; do
		nm clones | awk -v name="$address" '$3 == name { print "0x" $1 }'
	done | paste -s -d- | { read -r address; echo $((address)); }
}
while read -r offset reason; do
	"$edit" clones.btf lie.btf user 3 "$offset"
	judge clones lie.btf 1 "FUNC user\\): 0x[0-9a-f]+ is $reason"
done <<F
0xffffff not the address of a function
$(($(offset user) + 1)) not the address of a function
$(offset only_x) the address of 'only_x'
F
cp mod.ko right.ko
addr_edit mod.ko second rela-symbol first
expect 1 "$judge" -b vmlinux mod.ko
says "FUNC second\\): is at 0x0, and its relocation is against 'first' at 0x0"
cp right.ko mod.ko
addr_edit mod.ko second rela-drop
expect 1 "$judge" -b vmlinux mod.ko
says 'FUNC second\): no relocation against a function'
"$ABTF" encode -q -o mod.btf mod.ko
expect 0 "$judge" mod.ko mod.btf
"$edit" mod.btf lie.btf second 3 0x1000
expect 1 "$judge" mod.ko lie.btf
says 'FUNC second\): no function with that name is at 0x1000 of a section'
"$ABTF" strip clones.btf plain.btf
judge clones plain.btf 2 'plain.btf: BTF without addresses: there is nothing to check'

begin 'missing DWARF and garbage are errors'
strip -g -o stripped clones
judge stripped clones.btf 2 '^stripped: no DWARF'
section clones .debug_info bytes
head -c 40 bytes >t
tail -c +41 bytes | tr '\001-\020' '\161-\200' >>t
objcopy --update-section .debug_info=t clones broken
judge broken clones.btf 2 '^broken: the unit at .debug_info \+ 0xc: '

begin 'changed bytes: no crash, no endless loop'
for sec in info abbrev loclists; do
	read -r at size < <(readelf -SW clones |
		sed -nE "s/.* \\.debug_$sec +PROGBITS +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) .*/0x\\1 0x\\2/p")
	damaged --fail=1,2 clones broken "set:$((at + 12)):$((at + size)):$((size / 40 + 1)):ff" -- \
		"$judge" broken clones.btf
done
