#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names with conflicting definitions: each definition is kept, with all types that refer to it.
. "${0%/*}/../lib.sh"
# no_repeats IMAGE: no type in IMAGE.btf has the same graph as another one
no_repeats() {
	expect 0 "$compare" -a "$1.btf" "$1.btf"
}

begin 'one name, two definitions: pointers, typedefs and functions refer to their own'
for n in 1 2 3; do
	case $n in 1|3) fields='int a; struct pool *next;' ;; 2) fields='long b, c; struct pool *next;' ;; esac
	unit "u$n" <<-C
	struct pool { $fields };
	typedef struct pool pool_t;
	struct user { pool_t *pool; };
	int use$n(struct user *u, struct pool **p) { return u != 0; }
	C
done
image vmlinux u1.o u2.o u3.o
encode vmlinux
expect_text "$(types vmlinux '^(STRUCT|TYPEDEF) ')" <<'T'
STRUCT pool size 16 { int a @0; struct pool *next @64; }
STRUCT pool size 24 { long int b @0; long int c @64; struct pool *next @128; }
STRUCT user size 8 { pool_t *pool @0; }
STRUCT user size 8 { pool_t *pool @0; }
TYPEDEF pool_t -> struct pool
TYPEDEF pool_t -> struct pool
T
no_repeats vmlinux

begin "each function refers to its own unit's definition"
# jq_types FILE: print its types as JSON, without addresses in BTF
jq_types() { bpftool -j btf dump file "$1" | jq -c '.types'; }
"$ABTF" strip vmlinux.btf plain.btf
for n in 1 2 3; do
	size=$(jq_types plain.btf | jq -r --arg f "use$n" '
		(map({(.id | tostring): .}) | add) as $t |
		.[] | select(.kind == "FUNC" and .name == $f) | $t[.type_id | tostring].params[1].type_id |
		$t[tostring].type_id | $t[tostring].type_id | $t[tostring].size')
	case $n in 1|3) expect_eq "$size" 16 "use$n" ;; 2) expect_eq "$size" 24 "use$n" ;; esac
done

begin 'a forward of a name with two definitions stays a forward'
unit fwd <<'C'
struct pool;
struct holder { struct pool *hidden; };
int use_fwd(struct holder *h) { return h != 0; }
C
image vmlinux2 u1.o u2.o fwd.o
encode vmlinux2
expect_eq "$(types vmlinux2 '^FWD pool')" 'FWD pool struct'
no_repeats vmlinux2

begin 'a forward of a name with one definition becomes that type'
image vmlinux3 u1.o u3.o fwd.o
encode vmlinux3
types vmlinux3 '^FWD' | expect_none
expect 0 "$ABTF" encode -v -o verbose.btf vmlinux3
says ' 0 names with conflicting definitions, 0 units read again'
expect_eq "$(types vmlinux3 '^STRUCT pool' | wc -l)" 1
no_repeats vmlinux3

begin 'a forward of a name with two definitions is resolved by a struct that is equal otherwise'
unit whole <<'C'
struct pool { int a; struct pool *next; };
struct holder { struct pool *hidden; };
int use_whole(struct holder *h, struct pool *p) { return h != 0; }
C
for units in 'u1.o u2.o fwd.o whole.o' 'whole.o fwd.o u2.o' 'u2.o u3.o whole.o fwd.o'; do
	# shellcheck disable=SC2086
	image vmlinux11 $units
	encode vmlinux11
	types vmlinux11 '^FWD' | expect_none "FWD, $units"
	expect_eq "$(types vmlinux11 '^STRUCT holder' | wc -l)" 1 "holder, $units"
	no_repeats vmlinux11
done

begin 'three definitions of one name: types that refer to them are split in three, too'
for n in 1 2 3 4; do
	case $n in 1|2) type=int ;; 3) type=long ;; 4) type=short ;; esac
	unit "three$n" <<-C
	struct inner { $type a, b; };
	struct outer { struct inner *in; struct outer *next; };
	int three$n(struct outer *o) { return o->in->a; }
	C
done
image vmlinux12 three1.o three2.o three3.o three4.o
encode vmlinux12
expect_eq "$(types vmlinux12 '^STRUCT inner' | wc -l)" 3 'inner'
expect_eq "$(types vmlinux12 '^STRUCT outer' | wc -l)" 3 'outer'
no_repeats vmlinux12

begin 'of equally frequent definitions, the first one gets the name'
echo 'struct even { int a; }; int even1(struct even *e) { return 0; }' | unit even1
echo 'struct even { long a; }; int even2(struct even *e) { return 0; }' | unit even2
echo 'struct even { long a; }; struct even; int even3(struct even *e) { return 0; }' | unit even3
# primary IMAGE: the definition that the first pointer refers to; references to others are added later
primary() {
	"$dump" "$1.btf" >"$1.dump"
	id=$(sed -nE 's/^.* PTR -> \[([0-9]+)\] struct even$/\1/p' "$1.dump" | sed -n 1p)
	sed -n "s/^\[$id\] //p" "$1.dump"
}
image vmlinux13 even1.o even2.o
expect 0 "$ABTF" encode -v -o vmlinux13.btf vmlinux13
says ' 1 names with conflicting definitions, 1 units read again'
expect_eq "$(primary vmlinux13)" 'STRUCT even size 4 { int a @0; }'
image vmlinux14 even1.o even2.o even3.o
expect 0 "$ABTF" encode -v -o vmlinux14.btf vmlinux14
says ' 1 names with conflicting definitions, 1 units read again'
expect_eq "$(primary vmlinux14)" 'STRUCT even size 8 { long int a @0; }'

begin 'a forward does not become a type of another kind'
unit ufwd <<'C'
union pool;
int use_ufwd(union pool *p) { return p != 0; }
C
image vmlinux4 u1.o ufwd.o
encode vmlinux4
expect_eq "$(types vmlinux4 '^FWD')" 'FWD pool union'

begin 'recursive structures that are equal in all units are written once'
for n in 1 2; do
	unit "r$n" <<-C
	struct a { struct b *b; int x; };
	struct b { struct c *c; struct a a; };
	struct c { struct a *a; struct b *b; struct c *c; int (*f)(struct a *, struct c); };
	int rec$n(struct c *c) { return 0; }
	C
done
image vmlinux5 r1.o r2.o
encode vmlinux5
expect_eq "$(types vmlinux5 '^STRUCT' | wc -l)" 3
no_repeats vmlinux5

begin 'a difference in one type of a cycle splits the whole cycle'
unit r3 <<'C'
struct a { struct b *b; long x; };
struct b { struct c *c; struct a a; };
struct c { struct a *a; struct b *b; struct c *c; int (*f)(struct a *, struct c); };
int rec3(struct c *c) { return 0; }
C
image vmlinux6 r1.o r2.o r3.o
encode vmlinux6
expect_eq "$(types vmlinux6 '^STRUCT' | wc -l)" 6
no_repeats vmlinux6

begin 'anonymous members: equal types are merged, different types are not'
unit anon1 <<'C'
struct h { int a; union { struct { int x, y; }; long l; }; int z; };
int anon1(struct h *h) { return h->x; }
C
unit anon2 <<'C'
struct h { int a; union { struct { int x, y; }; long l; }; int z; };
struct other { union { struct { int x, y; }; long l; }; };
int anon2(struct h *h, struct other *o) { return h->x; }
C
unit anon3 <<'C'
struct h { int a; union { struct { int x, w; }; long l; }; int z; };
int anon3(struct h *h) { return h->x; }
C
image vmlinux7 anon1.o anon2.o
encode vmlinux7
expect_eq "$(types vmlinux7 '^STRUCT h ' | wc -l)" 1
expect_eq "$(types vmlinux7 '^(STRUCT|UNION) size' | wc -l)" 2
image vmlinux8 anon1.o anon2.o anon3.o
encode vmlinux8
expect_eq "$(types vmlinux8 '^STRUCT h ' | wc -l)" 2
expect_eq "$(types vmlinux8 '^(STRUCT|UNION) size' | wc -l)" 4
no_repeats vmlinux8

begin 'structs with the same name in different scopes of one unit are not merged'
unit scopes <<'C'
struct s { int global; };
int f1(struct s *g) { struct s { char *one; } *p = (void *)g; return p->one[0]; }
int f2(struct s *g) { struct s { short two[2]; struct s *me; } *p = (void *)g; return p->two[0]; }
C
image vmlinux9 scopes.o
encode vmlinux9
expect_text "$(types vmlinux9 '^STRUCT s ')" <<'T'
STRUCT s size 16 { short int two[2] @0; struct s *me @64; }
STRUCT s size 4 { int global @0; }
STRUCT s size 8 { char *one @0; }
T
expect_funcs vmlinux9 f1 f2 <<'F'
f1 = f1: int f1(struct s *g)
f2 = f2: int f2(struct s *g)
F
no_repeats vmlinux9

begin 'types that differ in a single word are not merged'
# differ NAME DEFINITION TYPE OTHER REGEX: encode units with two definitions of TYPE; REGEX matches both
differ() {
	echo "$2 int ${1}_a($3 *p) { return 0; }" | unit "${1}_a"
	echo "$4 int ${1}_b($3 *p) { return 0; }" | unit "${1}_b"
	image "differ_$1" "${1}_a.o" "${1}_b.o"
	encode "differ_$1"
	expect_eq "$(types "differ_$1" "$5" | wc -l)" 2 "$1"
	no_repeats "differ_$1"
}
differ width 'struct w { unsigned a:3; unsigned :2; unsigned b:4; };' 'struct w' \
	'struct w { unsigned a:5; unsigned b:4; };' '^STRUCT w '
differ offset 'struct o { char a; char b; int z; };' 'struct o' \
	'struct o { char a; char :8; char b; int z; };' '^STRUCT o '
differ member 'struct n { int a; };' 'struct n' 'struct n { int b; };' '^STRUCT n '
differ type 'struct t { int a; };' 'struct t' 'struct t { unsigned a; };' '^STRUCT t '
differ size 'struct s { char a; };' 'struct s' \
	'struct s { char a; } __attribute__((aligned(8)));' '^STRUCT s '
differ value 'enum v { V = 1 };' 'enum v' 'enum v { V = 2 };' '^ENUM v '
differ elements 'typedef int a_t[3];' a_t 'typedef int a_t[4];' '^TYPEDEF a_t '
differ name 'typedef int first_t; typedef first_t name_t;' name_t \
	'typedef int second_t; typedef second_t name_t;' '^TYPEDEF name_t '
differ params 'typedef int (*f_t)(int);' f_t 'typedef int (*f_t)(int, int);' '^TYPEDEF f_t '
differ returned 'typedef int (*r_t)(int);' r_t 'typedef long (*r_t)(int);' '^TYPEDEF r_t '
differ dots 'typedef int (*d_t)(int);' d_t 'typedef int (*d_t)(int, ...);' '^TYPEDEF d_t '

begin 'char is written twice if it is only signed in one unit'
unit signed -fsigned-char <<<'int f_signed(char *p) { return *p; }'
unit unsigned -funsigned-char <<<'int f_unsigned(char *p) { return *p; }'
image chars signed.o unsigned.o
encode chars
expect_eq "$(types chars '^INT char ' | wc -l)" 2
no_repeats chars

begin '64-bit enums with the same name and different values are not merged'
unit wide1 <<<'enum wide { A = 1LL << 40 }; struct w { enum wide *p; }; int w1(struct w *p) { return !p; }'
unit wide2 <<<'enum wide { B = 1LL << 41 }; struct w { enum wide *p; }; int w2(struct w *p) { return !p; }'
image wide wide1.o wide2.o
encode wide
expect_eq "$(types wide '^ENUM64 wide ' | wc -l)" 2
expect_eq "$(types wide '^STRUCT w ' | wc -l)" 2
no_repeats wide

begin 'enums and typedefs with the same name and different contents are not merged'
unit e1 <<'C'
enum state { ON, OFF }; typedef int word; int e1(enum state s, word w) { return s; }
C
unit e2 <<'C'
enum state { LOW = 1, HIGH }; typedef long word; int e2(enum state s, word w) { return s; }
C
image vmlinux10 e1.o e2.o
encode vmlinux10
expect_eq "$(types vmlinux10 '^(ENUM|TYPEDEF)' | wc -l)" 4
no_repeats vmlinux10

begin "libbpf's btf__dedup() finds nothing more to merge"
for i in '' $(seq 2 20); do
	[ -f vmlinux$i.btf ] || continue
	"$ABTF" strip vmlinux$i.btf plain$i.btf
	"${compare%/*}/btf-dedup" plain$i.btf dedup$i.btf
	expect 0 "$compare" -a plain$i.btf dedup$i.btf
	"$dump" dedup$i.btf >dedup$i.dump
	"$dump" plain$i.btf >plain$i.dump
	[ -s plain$i.dump ] || fail "vmlinux$i has no types"
	expect_eq "$(wc -l <dedup$i.dump)" "$(wc -l <plain$i.dump)" "types of vmlinux$i"
done

begin "a variable has the type that its own unit defines"
for i in 1 2 3; do
	echo "struct conflicting { int a; }; struct conflicting f$i; int use$i(struct conflicting *c) { return c->a; }" |
		unit often$i
done
unit once <<'C'
struct conflicting { long other; long size; };
struct conflicting per_cpu __attribute__((section(".data..percpu")));
C
image variables often1.o often2.o often3.o once.o
encode variables
has variables.dump 'DATASEC .*per_cpu @0 \+16;'
id=$(sed -nE 's/^\[([0-9]+)\] STRUCT conflicting size 16 .*/\1/p' variables.dump)
"$ABTF" strip variables.btf variables.plain
expect 0 bpftool btf dump file variables.plain
says "VAR 'per_cpu' type_id=$id,"
