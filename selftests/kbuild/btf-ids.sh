#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Which id BTF_ID() gets: in BTF with addresses, a function's is that of the same
# file; all others, and all in plain BTF, are what the pristine tool makes of them.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/link.sh"

unit late -g0 <<'C'
const char kallsyms_names[20000] = { 1 };
C

build() {
	# Each has one of its own, the second and third of another prototype.
	ids_unit one <<-'C'
	static noinline __used int dup(int a) { return a; }
	static noinline __used __section(".init.text") int late(int a) { return a; }
	BTF_ID_LIST(one_list)
	BTF_ID(func, dup)
	BTF_ID(func, late)
	BTF_ID(func, dup)
	C
	ids_unit two <<-'C'
	struct thing { int a; struct thing *next; };
	static noinline __used long dup(struct thing *t) { return t->a; }
	static noinline __used __section(".init.text") long late(struct thing *t) { return t->a; }
	BTF_ID_LIST(two_list)
	BTF_ID(func, late)
	BTF_ID(func, dup)
	BTF_ID(struct, thing)
	C
	ids_unit deep/er/three <<-'C'
	static noinline __used char *dup(char *s) { return s + 1; }
	BTF_ID_LIST_SINGLE(three_list, func, dup)
	C
	# What is of one name only, and sets.
	ids_unit others <<-'C'
	union pick { int a; long b; };
	typedef union pick pick_t;
	struct whole { pick_t p; };
	int global(struct whole *w) { return w->p.a; }
	static noinline __used int lone(int a) { return a + 3; }
	int zz_first(int a) { return a + 4; }
	int aa_last(int a) { return a + 5; }
	BTF_ID_LIST(others_list)
	BTF_ID(func, global)
	BTF_ID(struct, whole)
	BTF_ID(union, pick)
	BTF_ID_UNUSED
	BTF_ID(typedef, pick_t)
	BTF_ID(func, lone)
	BTF_ID(func, nowhere)
	BTF_SET_START(others_set)
	BTF_ID(func, zz_first)
	BTF_ID(func, global)
	BTF_ID(func, aa_last)
	BTF_SET_END(others_set)
	BTF_KFUNCS_START(others_set8)
	BTF_ID_FLAGS(func, zz_first, 1)
	BTF_ID_FLAGS(func, lone, 2)
	BTF_ID_FLAGS(func, aa_last, 8)
	BTF_ID_FLAGS(func, global)
	BTF_KFUNCS_END(others_set8)
	C
	objects=(one.o two.o deep/er/three.o others.o)
}

# in_order SET COUNT STRIDE: is every STRIDE-th behind the head greater than the one before?
in_order() {
	raw_ids "$1" $((($2 + 1) * $3)) | awk -v n="$3" 'NR > n && (NR - 1) % n == 0 { if ($1 <= last) exit 1; last = $1 }'
}

positive() {
	build
	links "${objects[@]}" -- late.o
	begin "$1: the function of the same file"
	resolve
	expect_text "$out" <<<'WARN: resolve_btfids: unresolved symbol nowhere'
	expect 0 "$ABTF" check vmlinux
	expect_ids one_list <<-'I'
	func dup@one.c
	func late@one.c
	func dup@one.c
	I
	expect_ids two_list <<-'I'
	func late@two.c
	func dup@two.c
	struct thing
	I
	expect_ids three_list <<<'func dup@deep/er/three.c'

	begin "$1: what is of one name only, and what is not there"
	expect_ids others_list <<-'I'
	func global
	struct whole
	union pick
	0
	typedef pick_t
	func lone
	0
	I

	begin "$1: sets are sorted by id, flags stay with theirs"
	in_order others_set 3 1 || fail 'set'
	expect_text "$(raw_ids others_set 1; ids others_set 4 | tail -n 3 | sort)" <<-'I'
	3
	func aa_last
	func global
	func zz_first
	I
	in_order others_set8 4 2 || fail 'set8'
	expect_text "$(raw_ids others_set8 2; ids others_set8 10 | tail -n 8 | paste -d' ' - - | sort)" <<-'I'
	4
	1
	func aa_last 8
	func global 0
	func lone 2
	func zz_first 1
	I

	begin "$1: with plain BTF, every byte is what the pristine tool makes of it"
	# One FUNC of each name, as pahole has it.
	"$ABTF" encode -q --features=encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func -o stock.btf .tmp_vmlinux1
	btf_object btf.o stock.btf
	link vmlinux "${objects[@]}" btf.o late.o
	"$dump" stock.btf >stock.dump
	has stock.dump 'FUNC global'
	has_not stock.dump ' addr '
	as_pristine
	expect_ids two_list <<-'I'
	0
	0
	struct thing
	I
	# The same ids as with addresses; the first function of a name is any function's.
	"$ABTF" strip encoded.btf stripped.btf
	btf_object btf.o stripped.btf
	link vmlinux "${objects[@]}" btf.o late.o
	as_pristine
	expect_ids others_list <<-'I'
	func global
	struct whole
	union pick
	0
	typedef pick_t
	func lone
	0
	I
	expect_eq "$(raw_ids one_list 1)" "$(raw_ids three_list 1)" 'dup'
}

# The same vmlinux to both tools; ours is told as with addresses, too.
as_pristine() {
	cp vmlinux vmlinux.linked
	cp vmlinux vmlinux.pristine
	expect 0 "$stock" vmlinux.pristine
	cp out said.pristine
	! cmp -s vmlinux.linked vmlinux.pristine || fail 'nothing was resolved'
	expect 0 "$patched" vmlinux
	cmp vmlinux vmlinux.pristine || fail 'the file differs'
	cmp out said.pristine || fail 'what it says differs'
	cp vmlinux.linked vmlinux
	resolve --plain plain.btf
	cmp vmlinux vmlinux.pristine || fail 'the file differs, with a first link given'
	cmp out said.pristine || fail 'what it says differs, with a first link given'
	section vmlinux .BTF now.btf
	cmp now.btf plain.btf || fail 'the plain form of plain BTF differs from it'
}

positive x86_64
target s390x
endian=big
unit late -g0 <late.c
positive s390x
endian=little
target gcc
unit late -g0 <late.c
build

begin 'none in the same file: the global one'
ids_unit four <<'C'
extern int dup(void);
int call_dup(void) { return dup(); }
BTF_ID_LIST_SINGLE(four_list, func, dup)
C
unit five <<'C'
int dup(void) { return 5; }
C
links "${objects[@]}" four.o five.o
resolve
expect_ids four_list <<<'func dup@five.c'
expect_ids one_list <<<'func dup@one.c'
begin '... or the weak one'
unit five <<'C'
int __attribute__((weak)) dup(void) { return 5; }
C
links four.o five.o "${objects[@]}"
resolve
expect_ids four_list <<<'func dup@five.c'
expect_ids two_list <<'I'
func late@two.c
func dup@two.c
I
begin '... or the global one that overrides it'
unit six <<'C'
int dup(void) { return 6; }
C
links four.o five.o "${objects[@]}" six.o
resolve
expect_ids four_list <<<'func dup@six.c'

begin 'nor a global one: the only local one'
ids_unit four <<'C'
BTF_ID_LIST(four_list)
BTF_ID(func, lone)
BTF_ID(func, dup)
C
links four.o one.o others.o
resolve
expect_ids four_list <<'I'
func lone
func dup
I

begin '... of several local ones it is not clear which is meant'
links four.o "${objects[@]}"
refused
expect_text "$(grep -v WARN out | sed 's/0x[0-9a-f]*/OFFSET/')" <<'E2'
FAILED BTF_ID(func, dup) in four.c: there are 3 functions of that name, and none is global or the only one in that file:
  one.c at .text+OFFSET
  two.c at .text+OFFSET
  three.c at .text+OFFSET
E2

begin 'two in one file, by different objects of that name'
mkdir -p again
unit again/one <<'C'
static __attribute__((noinline, used)) int dup(int a) { return a * 7; }
C
links one.o again/one.o
resolve
expect_eq "$(ids one_list 1)" "func $("$ABTF" list -aj vmlinux | jq -r '.[] | select(.rank == 1 and .name == "dup").selector')"

begin 'the one of that file is not in BTF: no id, and not that of another'
cp one.c bare.c
ids_unit one -g0 <bare.c
links "${objects[@]}"
expect_eq "$("$ABTF" list -aj encoded.btf | jq '[.[] | select(.name == "dup")] | length')" 2
resolve
says '^WARN: resolve_btfids: unresolved symbol dup$'
expect_ids one_list <<'I'
0
0
0
I
expect_ids three_list <<<'func dup@deep/er/three.c'

begin 'a clone of the same file is what the BTF_ID() means'
ids_unit clone <<'C'
struct pair { long rest[8]; };
int printk(const char *fmt, ...);
static noinline long dup(struct pair *p, int item, long delta)
{
	printk("%p", (void *)p);
	p->rest[item] += delta;
	return p->rest[item] * delta;
}
long user(struct pair *p, int x) { return dup(p, x, 3) + dup(p, x + 1, 3); }
BTF_ID_LIST_SINGLE(clone_list, func, dup)
C
unit printk <<'C'
int printk(const char *fmt, ...) { return *fmt; }
C
links clone.o printk.o
need_symbol vmlinux 't dup\.constprop\.0'
need_no_symbol vmlinux 't dup'
resolve
"$ABTF" list -aj vmlinux | jq -r '.[].selector'
if "$ABTF" list -aj vmlinux | jq -e '.[] | select(.name == "dup")' >/dev/null; then
	expect_ids clone_list <<<'func dup'
else
	expect_ids clone_list <<<0
fi
