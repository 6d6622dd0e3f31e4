#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -fipa-icf merges equal bodies: the second name has a symbol, but no DIE with its address.
. "${0%/*}/../lib.sh"

begin 'identical code: both names are FUNCs at the address of the one body'
unit a -fipa-icf <<'C'
static __attribute__((noinline)) int one(int *p) { *p += 3; return *p * 7; }
static __attribute__((noinline)) int two(int *q) { *q += 3; return *q * 7; }
int user(int *p) { return one(p) + two(p + 1); }
C
image vmlinux a.o
expect_eq "$(nm vmlinux | awk '$3 == "one" || $3 == "two" { print $1 }' | sort -u | wc -l)" 1 \
	'addresses of one and two'
encode vmlinux
expect_funcs vmlinux one two <<'F'
one = one/two: int one(int *p)
two = one/two: int two(int *q)
F
expect 0 "$ABTF" check vmlinux vmlinux.btf

# for functions in assembly, the encoder searches for declarations
begin 'declarations in earlier units, with this and many other names, do not hide the body'
cat >asm.S <<'S'
	.text
	.globl assembled
	.type assembled, @function
assembled: ret
	.size assembled, . - assembled
	.section .note.GNU-stack, "", @progbits
S
$CC -g -c -o asm.o asm.S
{
	echo 'int second(int *) __attribute__((weak));'
	seq -f 'void absent%.0f(void) __attribute__((weak));' 30000
	echo 'void declares(void) { second(0);'
	seq -f 'absent%.0f();' 30000
	echo '}'
} | unit declares -O0
sed 's/one/first/g; s/two/second/g' a.c | unit named -fipa-icf
image declared asm.o declares.o named.o
need_symbol declared 't second'
encode declared -j1
expect_funcs declared first second <<'F'
first = first/second: int first(int *p)
second = first/second: int second(int *q)
F

begin 'a folded static function that shares its name with others gets no FUNC'
unit b -fipa-icf <<'C'
static __attribute__((noinline)) int twin(int *p) { *p += 5; return *p * 9; }
int (*get_twin(void))(int *) { return twin; }
C
unit c -fipa-icf <<'C'
static __attribute__((noinline)) long twin(long a, long b) { return a * b + 1; }
long (*get_twin2(void))(long, long) { return twin; }
C
image vmlinux2 b.o c.o
expect_eq "$(nm vmlinux2 | grep -c ' t twin$')" 2
encode vmlinux2
expect_funcs vmlinux2 twin <<'F'
twin@b.c = twin: int twin(int *p)
twin@c.c = twin: long int twin(long int a, long int b)
F

# units of a kernel are linked in any order
begin 'a static function with the same name, inlined in an earlier unit, does not hide the body'
unit inlines <<'C'
static int two(int *q) { return *q * 5; }
int inlines(int *q) { return two(q); }
C
for order in 'a.o inlines.o' 'inlines.o a.o'; do
	image inlined.image $order
	need_symbol inlined.image 't two'
	encode inlined.image
	expect_funcs inlined.image one two <<-'F'
	one = one/two: int one(int *p)
	two = one/two: int two(int *q)
	F
	verify inlined.image inlined.image.btf
done

begin 'an alias is not a static function with its name in another file'
unit d <<'C'
static inline __attribute__((always_inline)) int other(char *p) { return p[3]; }
int use_other(char *p) { return other(p); }
C
unit e <<<'int body(long x) { return x * 3; } int other(long) __attribute__((alias("body")));'
image aliased d.o e.o
need_symbol aliased 'T other'
encode aliased
funcs aliased other | expect_none
expect_eq "$(skipped aliased)" 'other: no_dwarf'

begin 'an alias that assembly defines is not a static function in the same file, either'
for inline in 'inline __attribute__((always_inline))' ''; do
	unit same <<-C
	static $inline int other(char *p) { return p[3]; }
	int use_other(char *p) { return other(p); }
	int body(long x) { return x * 3; }
	asm(".globl other\n.type other, @function\n.set other, body");
	C
	image same.image same.o
	need_symbol same.image 'T other'
	encode same.image
	funcs same.image other | expect_none
	expect_eq "$(skipped same.image)" 'other: no_dwarf'
done

begin 'a static alias is not a static function in another file, either'
unit inliner <<'C'
struct s { char c[7]; };
static inline int other(struct s *s, int y) { return y + s->c[0]; }
static int several(struct s *s, int y) { return y * s->c[1]; }
int use_other(struct s *s, int y) { return other(s, y) + several(s, y); }
C
unit static <<'C'
static __attribute__((noinline, used)) int target(int a, long b) { return a * b; }
static __attribute__((used)) int other(int a, long b) __attribute__((alias("target")));
static __attribute__((used)) int several(int a, long b) __attribute__((alias("target")));
C
image static.image inliner.o static.o
need_symbol static.image 't other'
encode static.image
expect_funcs static.image other several target <<'F'
target = other/several/target: int target(int a, long int b)
F
expect_eq "$(skipped static.image | sort | tr '\n' ' ')" 'other: no_dwarf several: no_dwarf '
verify static.image static.image.btf

begin 'a static alias is not an inline function in its file, even if another file has one that is not inline'
unit inline <<'C'
static __attribute__((noinline, used)) int target(int a) { return a * 9; }
static inline __attribute__((always_inline)) int other(int a) { return a + 1; }
int use_other(int a) { return other(a); }
asm(".type other, @function\n.set other, target");
C
unit not_inline <<'C'
static int other(int a) { return a + 2; }
int use_not_inline(int a) { return other(a); }
C
for order in 'inline.o not_inline.o' 'not_inline.o inline.o'; do
	image inline.image $order
	need_symbol inline.image 't other'
	encode inline.image
	funcs inline.image other | expect_none
	expect_eq "$(skipped inline.image)" 'other: no_dwarf'
done

begin 'the judge finds such a FUNC'
"$ABTF" encode -q static.image
addr_edit static.image use_other string use_other=other
addr_edit static.image other like target
expect 1 "$judge" static.image
says 'FUNC other\): .*of another unit than the code there'

begin 'the symbol of an indirect function (ifunc) is not a function, but its resolver is'
unit indirect <<'C'
static int chosen(void) { return 3; }
int (*resolver(void))(void) { return chosen; }
int indirect(void) __attribute__((ifunc("resolver")));
C
image indirect.image indirect.o
need_symbol indirect.image 'i indirect'
encode indirect.image
expect_eq "$(funcs indirect.image | sed 's/ .*//' | tr '\n' ' ')" 'chosen resolver '
