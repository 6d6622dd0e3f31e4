#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Types of the base are matched as graphs: types that differ in a type below them are different.
. "${0%/*}/../lib.sh"

# graph NAME TYPE: compile a unit with a cycle of structs, with a TYPE at its end
graph() {
	unit "$1" <<-C
	struct leaf { $2 value; };
	struct deep { struct leaf *leaf; };
	struct middle { struct deep *deep; const struct middle *next; };
	struct top { struct middle *middle; struct top *self; };
	struct bystander { long a, b; struct bystander *bystander; };
	typedef int (*top_fn)(struct top *top, struct bystander *bystander);
	int $1(struct top *t, struct bystander *b, top_fn fn) { return fn(t, b); }
	C
}
graph in_base int
image base in_base.o
"$ABTF" encode -q base

# split NAME: types of a module with that unit that are not in its base
split() {
	image "$1" "$1.o"
	rm -f "$1.btf"
	"$ABTF" encode -q --base base -o "$1.btf" "$1"
	"$dump" "$1.btf" base >"$1.dump"
}

begin 'the same graph is shared with the base, except for the function'
graph same int
split same
has same.dump 'FUNC same '
types same '^(STRUCT|PTR|CONST|TYPEDEF|INT)' | expect_none

begin 'after a difference at the end of the cycle, none of its types match; other types do'
graph differs long
split differs
expect_text "$(types differs '^(STRUCT|TYPEDEF)')" <<'T'
STRUCT deep size 8 { struct leaf *leaf @0; }
STRUCT leaf size 8 { long int value @0; }
STRUCT middle size 16 { struct deep *deep @0; struct middle const *next @64; }
STRUCT top size 16 { struct middle *middle @0; struct top *self @64; }
TYPEDEF top_fn -> int (*)(struct top *, struct bystander *)
T

# The first of two lines is its definition in the base, the second in the module.
begin 'a type with the same name but another definition is not shared with the base'
cat >pairs <<'C'
struct width { unsigned int a : 3, : 2, b : 3; };
struct width { unsigned int a : 4, : 1, b : 3; };
struct flag { unsigned int a; };
struct flag { unsigned int a : 32; };
struct name { int first; };
struct name { int other; };
struct place { char a, b, : 8, : 8; int c; };
struct place { char a, : 8, b, : 8; int c; };
struct size { char a[4]; };
struct size { char a[4]; } __attribute__((aligned(8)));
struct fewer { int a; int b; int : 32; };
struct fewer { int a; int : 32, : 32; };
struct of { unsigned int a; };
struct of { int a; };
struct kind { int a; };
union kind { int a; };
union one { int a; long b; };
union one { int a; unsigned long b; };
enum value { V = 1 };
enum value { V = 2 };
enum word { W = 1 };
enum word { X = 1 };
enum wide { L = 1ULL << 40 };
enum wide { L = 1ULL << 41 };
enum sign { S = 1 };
enum sign { S = 1, T = -1 };
C
# pairs_of LINE: compile a unit whose function has a parameter of each type
pairs_of() {
	awk -v want="$1" '(NR % 2) == (want % 2) {
		print
		params = params sep $1 " " $2 " *p" NR
		sep = ", "
	}
	END { print "int pairs_" want "(" params ") { return 0; }" }' pairs
}
unit in_both <<<"$(pairs_of 1)"
image both in_both.o
"$ABTF" encode -q both
unit other <<<"$(pairs_of 2)"
image others other.o
"$ABTF" encode -q --base both -o others.btf others
"$dump" others.btf both >others.dump
expect_eq "$(types others '^(STRUCT|UNION|ENUM|ENUM64) ' | awk '{ print $2 }' | sort | tr '\n' ' ')" \
	"$(awk '!(NR % 2) { print $2 }' pairs | sort | tr '\n' ' ')"
# equal types are not repeated
unit same_pairs <<<"$(pairs_of 1 | sed 's/pairs_1/pairs_3/')"
image same_pairs same_pairs.o
"$ABTF" encode -q --base both -o same_pairs.btf same_pairs
"$dump" same_pairs.btf both >same_pairs.dump
has same_pairs.dump 'FUNC pairs_3 '
types same_pairs '^(STRUCT|UNION|ENUM|PTR)' | expect_none

begin 'of two types with the same name, the equal one is found'
unit first_of_two <<<'struct two { int a; }; int first_of_two(struct two *t) { return t->a; }'
unit second_of_two <<<'struct two { long b; }; int second_of_two(struct two *t) { return t->b; }'
image two first_of_two.o second_of_two.o
"$ABTF" encode -q two
for name in first_of_two second_of_two; do
	image $name.image $name.o
	"$ABTF" encode -q --base two -o $name.btf $name.image
	"$dump" $name.btf two >$name.dump
	has $name.dump "FUNC $name "
	types $name '^(STRUCT|PTR)' | expect_none
done

begin "a declaration in the module matches the base's definition; the base's declaration matches nothing"
unit forward <<'C'
struct leaf;
struct deep { struct leaf *leaf; };
int forward(struct deep *d, struct leaf *l) { return d->leaf == l; }
C
split forward
has forward.dump 'FUNC forward '
types forward '^(STRUCT|FWD|PTR)' | expect_none
image forwards forward.o
"$ABTF" encode -q forwards
image whole in_base.o
"$ABTF" encode -q --base forwards -o whole.btf whole
"$dump" whole.btf forwards >whole.dump
expect_eq "$(types whole '^STRUCT' | sed 's/ size.*//' | tr '\n' ' ')" \
	'STRUCT bystander STRUCT leaf STRUCT middle STRUCT top '

begin 'a pointer to a struct that the base only declares is not shared with the base'
unit pointer <<'C'
struct leaf { int value; };
int pointer(struct leaf *l) { return l->value; }
C
image pointers pointer.o
"$ABTF" encode -q --base forwards -o pointers.btf pointers
"$dump" pointers.btf forwards >pointers.dump
expect_text "$(types pointers '^(STRUCT|PTR)')" <<'T'
PTR -> struct leaf
STRUCT leaf size 4 { int value @0; }
T

begin 'tags on types of the base are not repeated'
target clang
for name in tagged_base tagged_module; do
	unit $name <<-C
	struct tagged { int a; } __attribute__((btf_decl_tag("tag")));
	int $name(struct tagged *t) { return t->a; }
	C
	image $name.image $name.o
done
"$ABTF" encode -q tagged_base.image
"$dump" tagged_base.image >tagged_base.dump
has tagged_base.dump 'DECL_TAG tag on \[[0-9]+\] tagged component -1'
"$ABTF" encode -q --base tagged_base.image -o tagged.btf tagged_module.image
"$dump" tagged.btf tagged_base.image >tagged.dump
has tagged.dump 'FUNC tagged_module '
has_not tagged.dump 'DECL_TAG|STRUCT'
