#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names in DWARF that are not identifiers, or too long, are changed or omitted, with a warning.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/misfits.sh"

cat >names.c <<'C'
struct größe { int länge; struct größe *next; };
typedef struct größe größe_t;
enum farbe { GRÜN = 3, ROT };
struct só;
int f(größe_t *größe, enum farbe farbe, struct só *s) { return größe->länge; }
int g(int a) { return a; }
C
for where in gcc clang; do
	target $where
	begin "$where: in names that are not identifiers, invalid characters become \"_\""
	unit names-$where <names.c
	image $where names-$where.o
	encode_and_warn $where
	expect_text "$(cat $where.warnings)" <<-'E'
	5 names are not identifiers: other characters are replaced with "_"
	E
	expect_text "$(types $where '^(STRUCT|ENUM|TYPEDEF|FWD)')" <<-'E'
	ENUM farbe unsigned size 4 { GR__N = 3; ROT = 4; }
	FWD s__ struct
	STRUCT gr____e size 16 { int l__nge @0; struct gr____e *next @64; }
	TYPEDEF gr____e_t -> struct gr____e
	E
	expect_funcs $where <<-'E'
	f = f: int f(gr____e_t *gr____e, enum farbe farbe, struct s__ *s)
	g = g: int g(int a)
	E
done

begin 'a name that is too long is cut to 511 bytes'
long=$(printf 'x%.0s' $(seq 700))
echo "struct $long { int a; } s; int f(struct $long *s) { return s->a; }" | unit long
image long long.o
encode_and_warn long
says 'warning: long: 1 names are longer than 511 bytes: they are cut'
has_not out 'not identifiers'
expect_eq "$(sed -n 's/.*STRUCT \(x*\) size.*/\1/p' long.dump)" "${long:0:511}"

begin 'C++: names of templates become identifiers, and members whose type BTF cannot represent are omitted'
target clang
# shellcheck disable=SC2034 # for unit
common="${common/-std=gnu11/} -fno-exceptions -fno-rtti -x c++"
unit cxx <<'C'
template<class T> struct box { T value; box *next; };
extern "C" {
int f(box<int> *b, box<box<long>> *bb) { return b->value; }
struct holds_null { int a; decltype(nullptr) n; int b; };
int g(struct holds_null *h) { return h->a; }
int null(decltype(nullptr) n) { return 0; }
int (*to_null)(decltype(nullptr) n);
box<box<long>> instance;
}
C
common="-std=gnu11 ${common/-x c++/}"
image cxx cxx.o
need_dwarf cxx 'decltype\(nullptr\)'
encode_and_warn cxx
has cxx.warnings '^[0-9]+ names are not identifiers'
has cxx.warnings '^BTF cannot represent 2 types with a value whose type BTF cannot represent: they, and what needs them, are omitted or only declared$'
expect_eq "$(grep -vc 'are omitted for the same reason: .* (no_prototype)$' cxx.warnings)" 2 'warnings'
expect_text "$(types cxx '^STRUCT')" <<'E'
STRUCT box_box_long___ size 24 { struct box_long_ value @0; struct box_box_long___ *next @128; }
STRUCT box_int_ size 16 { int value @0; struct box_int_ *next @64; }
STRUCT box_long_ size 16 { long value @0; struct box_long_ *next @64; }
STRUCT holds_null size 24 { int a @0; int b @128; }
E
# arguments in C++ may be in other places than in C
funcs cxx | expect_none
expect_text "$(skipped cxx)" <<'E'
f: no_prototype
g: no_prototype
null: no_prototype
E
encode_and_warn cxx --features=encode_force,var,decl_tag
expect_text "$(funcs cxx)" <<'F'
f: int f(struct box_int_ *b, struct box_box_long___ *bb)
g: int g(struct holds_null *h)
F

begin 'names of more than 8191 bytes are omitted'
long=$(printf '%9000s' '' | tr ' ' x)
for where in gcc clang; do
	target $where
	unit longer <<-C
	struct ${long}s { int ${long}m; int b; };
	enum e { ${long}v = 3, w };
	typedef int ${long}t;
	struct s { struct ${long}s *p; ${long}t t; enum e e; int a; };
	int ${long}var = 3;
	int good(struct s *s) { return s->a + ${long}var; }
	int pointer(struct ${long}s *p) { return p->b; }
	int ${long}f(int a) { return a; }
	int param(int ${long}p) { return ${long}p; }
	C
	image longer longer.o
	encode_and_warn longer
	has longer.warnings '^BTF cannot represent 1 compile units with .* names of more than 8191 bytes'
	expect_text "$(types longer '^(STRUCT|ENUM|TYPEDEF)')" <<-'E'
	ENUM e unsigned size 4 { w = 4; }
	STRUCT s size 24 { struct {...} *p @0; int t @64; enum e e @96; int a @128; }
	STRUCT size 8 { int @0; int b @32; }
	E
	expect_funcs longer <<-'E'
	good = good: int good(struct s *s)
	pointer = pointer: int pointer(struct {...} *p)
	E
done
