#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# encode --from-btf: amend BTF that exists, instead of reading DWARF.
. "${0%/*}/../lib.sh"

# put IMAGE BTF: replace the .BTF section of IMAGE
put() {
	tool objcopy -R .BTF -R .rela.BTF "$1"
	tool objcopy --add-section ".BTF=$2" "$1"
}

# from IMAGE OPTION...: like encode, but read BTF
from() {
	encode "$1" --from-btf "${@:2}"
}

# sums IMAGE: check that the numbers in IMAGE.report add up
sums() {
	jq -e '.encoded + ([.skipped[]] | add) == .instances and
		([.funcs[]] | add) == .funcs_read and
		(.functions | length) == .instances and
		([.functions[] | select(.encoded)] | length) == .encoded and
		([.functions[] | select(.symbol == null)] | length) == .funcs.kept' "$1.report" >truth ||
		{ fail 'the sums in the report are wrong'; jq 'del(.functions)' "$1.report"; }
}

cat >a.c <<'C'
#ifdef __clang__
#define __user __attribute__((btf_type_tag("user")))
#define __note __attribute__((btf_decl_tag("note")))
/* the inner tag comes first in DWARF, the outer tag in BTF */
#define __outer __attribute__((btf_decl_tag("outer")))
#define __inner __attribute__((btf_decl_tag("inner")))
#else
#define __user
#define __note
#define __outer
#define __inner
#endif
struct s { long l __inner; struct s *next; int bits:5; unsigned more:11; char tail; } __outer;
enum e { NEG = -3, POS = 4 };
enum wide { WIDE = 0x100000000ULL };
struct later;
union u { float f; double d; struct later *later; int grid[2][3]; };
static __attribute__((noinline, used)) int dup(struct s *s, enum e e) { return s->bits + e; }
static __attribute__((noinline, used)) int each(int i, int by)
{
	__asm__ volatile("" : : "r"(by));	/* otherwise, clang 22 drops the parameter */
	return i * 3;
}
long use(struct s *s __note, unsigned short us, long long ll) { return s->l + us + ll + each(1, us); }
int print(const char *fmt, ...) { return fmt[0]; }
void copy(void __user *to, union u *u, enum wide w) { *(int *)to = w; }
int __attribute__((section(".init.text"))) setup(int (*f)(struct s *, ...)) { return f(0); }
int table[4] __attribute__((section(".data..percpu"))) = { 1 };
int other = 3;
C
cat >b.c <<'C'
struct s { char *another; };
struct has { struct s *s; };
struct later { struct has *has; };
static __attribute__((noinline, used)) long dup(long x) { return x; }
int only(struct later *l, struct has *h) { return l->has == h; }
C

build() {
	unit a "$@" <a.c
	unit b "$@" <b.c
	image vmlinux a.o b.o
}

most=encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func
lists="default $most,func_addr $most,func_addr,func_unit $most
	default,global_var func_addr,func_unit"

for where in gcc clang m32 aarch64 s390x; do
	target $where
	build
	for list in $lists; do
		begin "$where: the same features give the same bytes ($list)"
		cp vmlinux made
		expect 0 "$ABTF" encode --features="$list" made
		cp made again
		expect 0 "$ABTF" encode --from-btf --features="$list" again
		cmp made again || fail 'the file differs'
		section made .BTF made.btf
		from made --features="$list"
		section again .BTF again.btf
		cmp made.btf again.btf || fail 'the BTF differs'
		sums made
	done

	begin "$where: disabled features are removed, as if never written"
	"$ABTF" encode -q --features=default,global_var made
	for list in $lists func_addr,type_tag,var float,decl_tag,func_addr; do
		encode vmlinux --features="$list"
		cp made amended
		from amended --features="$list"
		expect 0 "$compare" vmlinux.btf amended.btf
		# BTF with addresses does not have the result of each() if clang before 17 compiled it
		expect_eq "$(funcs amended | sed 's/^each: void/each: int/')" \
			"$(funcs vmlinux | sed 's/^each: void/each: int/')" "$list"
		expect_eq "$(grep -c 'VAR\|DATASEC\|DECL_TAG\|FLOAT\|TYPE_TAG\|ENUM64' amended.dump || true)" \
			"$(grep -c 'VAR\|DATASEC\|DECL_TAG\|FLOAT\|TYPE_TAG\|ENUM64' vmlinux.dump || true)" "$list"
	done

	begin "$where: removed addresses come back, for shared names by their files"
	encode vmlinux
	"$ABTF" strip vmlinux.btf plain.btf
	cp vmlinux plain
	put plain plain.btf
	from plain
	expect_eq "$(funcs plain)" "$(funcs vmlinux)"
	sums plain
	expect 0 "$ABTF" check plain plain.btf

	begin "$where: a unique name without a file gets its address back"
	encode vmlinux --features=$most,func_addr
	"$ABTF" strip vmlinux.btf plain.btf
	put plain plain.btf
	from plain
	expect_text "$(funcs plain | sed 's/: .*//')" <<-'F'
	copy = copy
	each = each
	only = only
	print = print
	setup
	use = use
	F
	sums plain
	expect_eq "$(jq -c '[.funcs_read, .funcs.encoded, .funcs.ambiguous_address,
		.skipped.ambiguous_address]' plain.report)" '[8,6,2,2]'
	expect_eq "$(skipped plain)" "$(printf 'dup: %s\n' ambiguous_address ambiguous_address)"
	expect 0 "$ABTF" encode -v -o out.btf --from-btf plain
	says '^abtf: 8 FUNCs in 1 object of BTF'
	says ' 2 are omitted: several functions have the name'
	# without addresses, such a name is omitted, as if encoding DWARF
	expect 0 "$ABTF" encode -v --features=$most -o out.btf --report plain.report --from-btf plain
	says ' 2 are omitted: several functions have the name'
	sums plain
done

begin 'files in names are kept if needed, their prefix can be stripped, and they can be removed'
target gcc
mkdir -p drivers/net
cp a.c b.c drivers/net
unit drivers/net/a <a.c
unit drivers/net/b <b.c
image vmlinux drivers/net/a.o drivers/net/b.o
"$ABTF" encode -q vmlinux
from vmlinux
expect_eq "$(grep -o 'FUNC dup[^ ]*' vmlinux.dump | tr '\n' ' ')" 'FUNC dup@drivers/net/a.c FUNC dup@drivers/net/b.c '
from vmlinux --strip-prefix=drivers
expect_eq "$(grep -o 'FUNC dup[^ ]*' vmlinux.dump | tr '\n' ' ')" 'FUNC dup@net/a.c FUNC dup@net/b.c '
from vmlinux --features=$most,func_addr
expect_eq "$(grep -o 'FUNC dup[^ ]* addr' vmlinux.dump | tr '\n' ' ')" 'FUNC dup addr FUNC dup addr '
cp vmlinux pure
put pure vmlinux.btf
from pure
funcs pure dup | expect_none
expect_eq "$(skipped pure)" "$(printf 'dup: %s\n' unknown_file unknown_file)"

begin 'clones have the same names as with DWARF, with and without addresses'
unit clones <<'C'
static __attribute__((noinline, used)) int one(int a, int unused) { return a + 1; }
static __attribute__((noinline, used)) int two(int a, int *b) { return a + *b; }
C
unit clones2 <<'C'
static __attribute__((noinline, used)) int two(int a, int *b) { return a - *b; }
C
# a clone without its original function, and a clone next to another function with that name
objcopy --redefine-sym one=one.isra.0 clones.o
objcopy --redefine-sym two=two.constprop.0 clones2.o
image cloned clones.o clones2.o
need_symbol cloned 't one.isra.0'
need_symbol cloned 't two'
need_symbol cloned 't two.constprop.0'
"$ABTF" encode -q cloned
section cloned .BTF cloned.btf
cp cloned.btf first.btf
from cloned
cmp first.btf cloned.btf || fail 'the BTF differs'
expect_text "$(funcs cloned)" <<'F'
one.isra.0 = one.isra.0: void one.isra.0(int a, int unused)
two = two: int two(int a, int *b)
two.constprop.0 = two.constprop.0: int two.constprop.0(int a, int *b)
F
"$ABTF" strip first.btf plain.btf
put cloned plain.btf
from cloned
cmp first.btf cloned.btf || fail 'the BTF differs'
from cloned --features=func_addr
expect_eq "$(funcs cloned)" 'two = two: int two(int a, int *b)'
sums cloned
expect_eq "$(jq -c '[.skipped.optimized_clone, .funcs.skipped]' cloned.report)" '[2,2]'

begin 'clones: a FUNC with the name in the source does not describe a clone'
unit source <<<'static __attribute__((noinline, used)) int one(int a, int unused) { return a + 1; }'
image source source.o
"$ABTF" encode -q source
section source .BTF source.btf
"$ABTF" strip source.btf plain.btf
for btf in source.btf plain.btf; do
	cp source clone
	objcopy --redefine-sym one=one.isra.0 clone
	put clone $btf
	from clone
	funcs clone | expect_none "$btf"
	expect_eq "$(skipped clone)" 'one.isra.0: unproven_signature' "$btf"
done

begin 'a FUNC without a symbol is omitted, unless there are no addresses'
cp vmlinux gone
objcopy -N print gone
from gone
has_not gone.dump 'FUNC print'
sums gone
expect_eq "$(jq -c '[.funcs.no_symbol, .funcs_moved]' gone.report)" '[1,1]'
from gone --features=$most
has gone.dump 'FUNC print linkage'
sums gone
expect_eq "$(jq -c '[.funcs.no_symbol, .funcs.kept]' gone.report)" '[0,1]'

begin 'BTF of another link: FUNCs get the new address of their name, or of their name and file'
unit pad <<<'int pad(int a) { return a * a * a * a * 7; }'
image moved pad.o drivers/net/b.o drivers/net/a.o
section vmlinux .BTF old.btf
put moved old.btf
from moved
sums moved
expect 0 "$ABTF" check moved moved.btf
says ' 8 functions, 7 with an address'
[ "$(jq .funcs_moved moved.report)" -gt 0 ] || fail 'nothing has moved'
expect_eq "$(jq -r '.functions[] | select(.symbol == "pad").reason' moved.report)" no_btf

# Two functions with the same name and size: each is now where the other one was.
begin 'BTF of another link: functions with the same name have changed places'
unit one <<<'static __attribute__((noinline, used)) int dup(int one) { return one + 1; }'
unit two <<<'static __attribute__((noinline, used)) int dup(int two) { return two + 2; }'
image old one.o two.o
image new two.o one.o
expect_eq "$(nm old | grep ' dup$')" "$(nm new | grep ' dup$')" 'precondition: places'
for units in func_unit, ''; do
	"$ABTF" encode -q --features=${units}func_addr old
	section old .BTF old.btf
	put new old.btf
	from new --features=${units}func_addr
	sums new
	if [ -n "$units" ]; then
		encode old
		expect_eq "$(jq .funcs_moved new.report)" 2
		expect_eq "$(funcs new | tr '\n' ' ')" \
			'dup@two.c = dup: int dup(int two) dup@one.c = dup: int dup(int one) '
	fi
done
# without files, this cannot be detected unless another function has moved
unit before <<<'int before(int a) { return a * a * a * 11; }'
image old one.o two.o pad.o
image new two.o one.o before.o pad.o
"$ABTF" encode -q --features=func_addr old
section old .BTF old.btf
put new old.btf
from new --features=func_addr
sums new
expect_eq "$(jq -c '[.funcs_moved, .funcs.ambiguous_address, .funcs.encoded]' new.report)" '[1,2,1]'

begin 'BTF of another link: a fragment is not the function that was there'
unit whole <<<'__attribute__((noinline, used)) int broken(int a) { return a + 5; }'
image old whole.o pad.o
"$ABTF" encode -q --features=func_addr old
section old .BTF old.btf
objcopy --redefine-sym broken=broken.cold old new
put new old.btf
from new --features=func_addr
sums new
expect_eq "$(jq -c '[.funcs.no_symbol, .funcs.skipped]' new.report)" '[1,0]'

begin 'two units with the same file name are not distinguished, and a message says so'
mkdir -p x y
unit x/core <<<'static __attribute__((noinline, used)) int dup(int x) { return x + 1; }'
unit y/core <<<'static __attribute__((noinline, used)) int dup(int y) { return y + 2; }'
unit z <<<'static __attribute__((noinline, used)) int dup(int z) { return z + 3; }'
image cores x/core.o y/core.o z.o
encode cores
"$ABTF" strip cores.btf plain.btf
put cores plain.btf
from cores
sums cores
expect_text "$(funcs cores)" <<'F'
dup@z.c = dup: int dup(int z)
F
# the same if only one of them is left
image cores y/core.o z.o
put cores plain.btf
from cores
expect_text "$(funcs cores)" <<'F'
dup@z.c = dup: int dup(int z)
F

begin 'kfuncs are tagged if the feature is on'
unit k -I"$selftests/example/include" <<'C'
#include <linux/btf_ids.h>
__attribute__((used)) int the_kfunc(int a) { return a; }
BTF_KFUNCS_START(set)
BTF_ID_FLAGS(func, the_kfunc, "0")
BTF_KFUNCS_END(set)
C
image kimage k.o drivers/net/a.o
"$ABTF" encode -q --features=$most,func_addr kimage
from kimage
has kimage.dump 'DECL_TAG bpf_kfunc on \[[0-9]+\] the_kfunc'
cp kimage tagged
"$ABTF" encode -q tagged
from tagged
expect_eq "$(grep -c 'DECL_TAG bpf_kfunc' tagged.dump)" 1
from tagged --features=$most,func_addr
has_not tagged.dump bpf_kfunc

begin 'arena attributes are added once, and removed'
unit arena -I"$selftests/example/include" <<'C'
#include <linux/btf_ids.h>
__attribute__((used)) void *alloc(void *map, int *p) { return map; }
BTF_KFUNCS_START(set)
BTF_ID_FLAGS(func, alloc, "(1 << 13) | (1 << 15)")
BTF_KFUNCS_END(set)
C
image arena arena.o
encode arena --features=default,attributes
has arena.dump 'TYPE_TAG address_space\(1\)'
cp arena.btf want.btf
"$ABTF" encode -q arena
from arena --features=default,attributes
expect 0 "$compare" want.btf arena.btf
put arena want.btf
from arena --features=default,attributes
cmp want.btf arena.btf || fail 'amending the file again changes it'
from arena
has_not arena.dump 'TYPE_TAG'

begin "BTF of Debian's pahole is amended"
have pahole || { skip 'no pahole'; exit 77; }
cp vmlinux paholed
objcopy -R .BTF paholed
pahole -J --btf_encode_force --btf_gen_floats paholed
from paholed
sums paholed
encode vmlinux
expect_eq "$(funcs paholed | grep -v '^dup')" "$(funcs vmlinux | grep -v '^dup')"
expect_eq "$(jq -c '[.funcs.encoded, .funcs.ambiguous_address]' paholed.report)" '[6,1]'
# the types do not change
section paholed .BTF in.btf
pahole_types() { "$dump" "$1" | grep -v ' FUNC\| DATASEC\| VAR\|FUNC_PROTO' | sed -E 's/^\[[0-9]+\] //; s/(->|on|index) \[[0-9]+\]/\1/' | sort; }
expect_eq "$(pahole_types paholed.btf)" "$(pahole_types in.btf)"

# --- BTF of compilers ---------------------------------------------------------

for where in gcc aarch64 s390x m32; do
	target $where
	# shellcheck disable=SC2086 # lists of flags
	bare() { $CC ${common/-g -gdwarf-5/} $machine -gbtf -c -o "$1.o" "$1.c"; }
	begin "$where: the BTF of gcc -gbtf, linked: concatenated objects"
	cat >x.c <<-'C'
	struct s { int a:3; unsigned b:5; char c; struct s *next; };
	struct s *outer(struct s *);
	static __attribute__((noinline, used)) int dup(struct s *s) { return s->a; }
	int fun(struct s *s, char *p) { return outer(s)->b + *p; }
	int here __attribute__((section(".data..percpu"))) = 1;
	int there __attribute__((section(".data..percpu"))) = 2;
	C
	cat >y.c <<-'C'
	struct s { int a:3; unsigned b:5; char c; struct s *next; };
	static __attribute__((noinline, used)) long dup(long l) { return l; }
	struct s *outer(struct s *s) { return s->next; }
	C
	bare x
	bare y
	image linked x.o y.o
	section linked .BTF raw.btf
	expect_eq "$(LC_ALL=C grep -aobP '\x9f\xeb|\xeb\x9f' raw.btf | wc -l)" 2 'headers in .BTF'
	encode linked --from-btf --features=+global_var
	sums linked
	expect_text "$(funcs linked)" <<-'F'
	fun = fun: int fun(struct s *s, char *p)
	outer = outer: struct s *outer(struct s *s)
	F
	expect_eq "$(grep -c 'STRUCT s size' linked.dump)" 1
	# gcc 12 sets "signed" together with "char", which the kernel would reject
	case $where in gcc|m32) char=0x1 ;; *) char=0x2 ;; esac
	expect_eq "$(types linked '^INT char')" "INT char size 1 bits 8 encoding $char"
	has linked.dump 'DATASEC .data..percpu size 8 \{ (here|there) @0 \+4; (here|there) @4 \+4; \}'
	expect_eq "$(jq -c .funcs linked.report)" \
		'{"encoded":2,"merged":1,"skipped":0,"ambiguous_address":2,"no_symbol":0,"kept":0,"unnamed_parameter":0,"extern":0}'
	expect 0 "$ABTF" encode --from-btf linked
	cp linked twice
	expect 0 "$ABTF" encode --from-btf twice
	cmp linked twice || fail 'amending the file again changes it'
done
target gcc

begin 'a function that is called and never defined has no parameter names'
# shellcheck disable=SC2086
$CC ${common/-g -gdwarf-5/} -gbtf -c -o x.o x.c
encode x.o --from-btf
sums x.o
has_not x.o.dump outer
# gcc before 13 does not record that it is extern
expect_eq "$(jq '.funcs.unnamed_parameter + .funcs.extern' x.o.report)" 1

begin 'ld -r of such objects: a module, split from a base'
# shellcheck disable=SC2086
$CC ${common/-g -gdwarf-5/} -gbtf -c -o y.o y.c
module gcc.ko x.o y.o
unit base <<<'struct s { int a:3; unsigned b:5; char c; struct s *next; }; int base_func(struct s *s) { return s->a; }'
image base base.o
"$ABTF" encode -q base
expect 0 "$ABTF" encode --from-btf --base base gcc.ko
"$dump" gcc.ko base >ko.dump
has_not ko.dump 'STRUCT|INT int |INT char'
has ko.dump 'FUNC fun addr'
expect_eq "$(readelf -rW gcc.ko | sed -n '/rela.BTF/,/^$/p' | grep -c R_X86_64_64)" 2
cp gcc.ko again.ko
expect 0 "$ABTF" encode --from-btf --base base again.ko
cmp gcc.ko again.ko || fail 'amending the file again changes it'

# --- modules -------------------------------------------------------------------------

for where in gcc aarch64 s390x; do
	target $where
	build
	"$ABTF" encode -q vmlinux
	unit m <<-'C'
	struct s { long l; struct s *next; int bits:5; unsigned more:11; char tail; };
	struct mine { struct s *s; long grid[2]; };
	static __attribute__((noinline, used)) int dup(struct mine *m) { return m->s->l; }
	int mod(struct s *s, int a) { return s->bits + a; }
	int __attribute__((section(".init.text"))) start(void) { return 1; }
	static __attribute__((noinline, used, section(".init.text"))) int both(int a) { return a; }
	int counter __attribute__((section(".data..percpu"))) = 1;
	C
	unit n <<<'static __attribute__((noinline, used)) int both(char *s) { return s[1]; }'
	module mod.ko m.o n.o
	cp mod.ko pristine.ko

	begin "$where: a module: the same features give the same file"
	"$ABTF" encode -q --base vmlinux mod.ko
	cp mod.ko again.ko
	expect 0 "$ABTF" encode --base vmlinux --from-btf again.ko
	cmp mod.ko again.ko || fail 'the file differs'
	expect 0 "$ABTF" check --base vmlinux again.ko
	says '4 functions, 3 with an address, 1 with a file: 0 violations'

	begin "$where: a module: addresses are removed, and come back for unambiguous names"
	expect 0 "$ABTF" encode --base vmlinux --from-btf --features=$most again.ko
	expect_eq "$(readelf -SW again.ko | grep -c 'rela.BTF' || true)" 0
	"$ABTF" strip --base vmlinux mod.ko plain.btf
	put again.ko plain.btf
	expect 0 "$ABTF" encode --base vmlinux --from-btf again.ko
	expect 0 "$ABTF" check --base vmlinux again.ko
	says '4 functions, 3 with an address, 1 with a file: 0 violations'
	"$ABTF" encode -q --base vmlinux --from-btf --features=$most,func_addr mod.ko
	"$ABTF" strip --base vmlinux mod.ko plain.btf
	put again.ko plain.btf
	expect 0 "$ABTF" encode --base vmlinux --from-btf --report ko.report again.ko
	sums ko
	"$dump" again.ko vmlinux | sed -nE 's/^\[[0-9]+\] FUNC ([^ ]+ [^ ]+) .*/\1/p' >got
	expect_text "$(cat got)" <<-'F'
	dup addr
	mod addr
	start linkage
	F
	expect_eq "$(readelf -rW again.ko | sed -n '/rela.BTF/,/^$/p' | grep -c ' [+] 0$')" 2
	"$dump" again.ko vmlinux >again.dump
	has again.dump 'VAR counter'
	has_not again.dump 'STRUCT s size'

	begin "$where: a module: a distilled base, as from DWARF"
	cp pristine.ko want.ko
	"$ABTF" encode -q --base vmlinux --features=+distilled_base want.ko
	cp pristine.ko got.ko
	"$ABTF" encode -q --base vmlinux got.ko
	expect 0 "$ABTF" encode --base vmlinux --from-btf --features=+distilled_base got.ko
	for name in .BTF .BTF.base; do
		section want.ko $name a.btf
		section got.ko $name b.btf
		cmp a.btf b.btf || fail "$name differs"
	done
	expect 0 "$ABTF" check got.ko

	begin "$where: records without relocations are ignored"
	"$ABTF" encode -q --base vmlinux --from-btf --features=$most,func_addr mod.ko
	cp mod.ko norel.ko
	tool objcopy -R .rela.BTF norel.ko
	expect 0 "$ABTF" encode --base vmlinux --from-btf --report norel.report norel.ko
	sums norel
	expect_eq "$(jq -c '[.funcs.encoded, .funcs.ambiguous_address]' norel.report)" '[3,1]'

	begin "$where: split BTF without its base"
	expect 1 "$ABTF" encode --from-btf mod.ko
	says 'split BTF needs its base'
done
target gcc

begin 'many modules are amended in one call'
build
"$ABTF" encode -q vmlinux
unit m <m.c
unit n <n.c
cp m.o one.ko
cp n.o two.ko
unit m2 <<<'struct s { long l; struct s *next; int bits:5; unsigned more:11; char tail; }; int f2(struct s *s) { return s->bits; }'
cp m2.o three.ko
"$ABTF" encode -q --base vmlinux one.ko two.ko three.ko 2>err || { cat err; fail 'encode failed'; }
cat one.ko two.ko three.ko >before
expect 0 "$ABTF" encode --base vmlinux --from-btf -j2 one.ko two.ko three.ko
cat one.ko two.ko three.ko | cmp - before || fail 'the files differ'

# --- rejected input ------------------------------------------------------------------

begin 'rejected: no BTF, a distilled base, another byte order, languages'
cp vmlinux none
objcopy -R .BTF none
expect 1 "$ABTF" encode --from-btf none
says 'none: no .BTF section, which --from-btf requires; without that option DWARF is read'
cp m.o distilled.ko
"$ABTF" encode -q --base vmlinux distilled.ko
objcopy --add-section .BTF.base=plain.btf distilled.ko
expect 1 "$ABTF" encode --from-btf --base vmlinux distilled.ko
says 'a separate base'
expect 2 "$ABTF" encode --from-btf --lang-exclude=rust vmlinux
says 'BTF does not record the language'
encode vmlinux
target s390x
unit e <<<'int e(int a) { return a; }'
image big e.o
encode big
target gcc
put vmlinux big.btf
expect 1 "$ABTF" encode --from-btf vmlinux
says 'byte order'

begin 'rejected: a bit-field as an INT'
id=$(sed -nE 's/^\[([0-9]+)\] INT int .*/\1/p' vmlinux.dump)
"$edit" vmlinux.btf lie.btf "$id" 3 0x01000007
cp none lie
put lie lie.btf
expect 1 "$ABTF" encode --from-btf lie
says 'INT int.*a bit-field as an INT'

begin 'two objects are rejected if the second one is invalid'
{ cat vmlinux.btf; printf '\0\0\0\0not BTF, and long enough for a header'; } >lie.btf
put lie lie.btf
expect 1 "$ABTF" encode --from-btf lie
says 'object 2: BTF magic is'

begin 'truncated or changed BTF: a message, or valid BTF'
cp vmlinux none
put none vmlinux.btf
read -r nr at size < <(readelf -SW none |
	sed -nE 's/.*\[ *([0-9]+)\] \.BTF +PROGBITS +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) .*/\1 0x\2 0x\3/p')
changes=("set:$((at)):$((at + size)):13:ff")
# sh_size in the section's header
headers=$(readelf -h none | sed -n 's/.*Start of section headers: *\([0-9]*\).*/\1/p')
for ((cut = 0; cut < size; cut += 23)); do
	to=$((headers + 64 * nr + 32))
	changes+=("set:$to:$((to + 1)):1:$(printf '%02x%02x0000' $((cut & 255)) $((cut >> 8)))")
done
damaged --output=got.btf --then="$ABTF_PROGRAM list -a got.btf" none lie "${changes[@]}" -- \
	"$ABTF_PROGRAM" encode -q --from-btf -o got.btf lie

begin 'a base, and endlessly nested unnamed types'
unit nest <<<'struct { int a; void *p; } v; int f(void) { return v.a; }'
encode nest.o --features=default,global_var
id=$(sed -nE 's/^\[([0-9]+)\] STRUCT .*/\1/p' nest.o.dump)
ptr=$(sed -nE 's/^\[([0-9]+)\] PTR .*/\1/p' nest.o.dump)
"$edit" nest.o.btf lie.btf "$ptr" 2 "$id"
cp nest.o lie.o
put lie.o lie.btf
expect 0 "$ABTF" encode --from-btf -o got.btf lie.o
expect 0 "$ABTF" encode --from-btf --base base -o got.btf lie.o

begin 'a base, and pointers to pointers 300,000 deep, in different orders'
# orders: each pointer points to the previous one, to the next one, or to these in turn
"$python" - <<'EOF'
import struct
n = 300000
blocks = [k for at in range(0, n, 900) for k in reversed(range(at, min(at + 900, n)))]
for name, order in ('up', list(range(n))), ('down', list(range(n))[::-1]), ('blocks', blocks):
    ids = [0] * n
    for place, k in enumerate(order):
        ids[k] = place + 2
    types = bytearray(struct.pack('<4I', 1, 1 << 24, 4, 1 << 24 | 32))
    for k in order:
        types += struct.pack('<3I', 0, 2 << 24, ids[k - 1] if k else 1)
    strings = b'\0int\0'
    head = struct.pack('<HBB5I', 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(strings))
    open(name + '.chain', 'wb').write(head + types + strings)
EOF
for base in up down blocks; do
	for order in up down blocks; do
		cp nest.o lie.o
		put lie.o $order.chain
		expect 0 "$ABTF" encode --from-btf --base $base.chain -o got.btf lie.o
	done
	# nothing is written if the base has all of these types, and the comparison reached the end
	[ $base = down ] || expect_eq "$(stat -c %s got.btf)" 24
done

# --- a distribution's kernel ---------------------------------------------------------------------

begin "BTF of Debian's vmlinux is amended"
debian=$top/build/debian/vmlinux
if [ -e "$debian" ] && [ "${SANITIZE:-}" != 1 ]; then
	"$ABTF" encode -q -o debian.btf "$debian"
	strip -d --keep-file-symbols -R .BTF -o debian "$debian"
	objcopy --add-section .BTF=debian.btf debian
	from debian
	section debian .BTF in.btf
	cmp debian.btf in.btf || fail 'the BTF differs'
	sums debian
	# without addresses, files distinguish nearly all functions, and none is mixed up
	"$dump" in.btf | sed -n 's/^[^ ]* FUNC //p' | sort >want
	"$ABTF" strip in.btf plain.btf
	put debian plain.btf
	from debian
	sums debian
	[ "$(jq .funcs.encoded debian.report)" -gt 50000 ] || fail 'few addresses'
	sed -n 's/^[^ ]* FUNC \(.* addr .*\)/\1/p' debian.dump | sort | comm -13 want - | head -n 3 | expect_none
	# the output of Debian's pahole, without addresses
	strip -d -o debian "$debian"
	from debian
	sums debian
	[ "$(jq .funcs.encoded debian.report)" -gt 49000 ] || fail 'few addresses'
	rm -f debian
else
	skip 'no build/debian/vmlinux, or with sanitizers'
fi
