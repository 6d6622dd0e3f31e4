#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A type that BTF cannot represent is changed or omitted, with one warning per kind of problem.  The
# rest of the image is encoded.  Compilers generate these types; misfits-dwarf.sh has others.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/misfits.sh"

begin 'a tag on a member is dropped if the numbers of members change, a tag on the struct is kept'
target clang
cat >late.c <<'C'
#define tag(x) __attribute__((btf_decl_tag(x)))
struct late { int a; volatile int n; int b tag("member"); } tag("whole");
int late(struct late *l) { return l->a; }
C
# shellcheck disable=SC2086
$CC $common $machine -S -o late.S late.c
# the volatile types are then without a target type
sed -E 's/\.byte(.*)53(.*DW_TAG_volatile_type)/.byte\159\2/' late.S >untyped.S
! cmp -s late.S untyped.S || fail 'precondition: no type is volatile'
$CC -c -o late.o untyped.S
image late late.o
encode_and_warn late
expect_eq "$(types late '^STRUCT')" 'STRUCT late size 12 { int a @0; int b @64; }'
has late.dump 'DECL_TAG whole'
has_not late.dump 'DECL_TAG member'

target gcc
begin 'structs that are too big, or whose members are too far away, are only declared'
unit big <<'C'
struct huge { char a[0x100000000ULL]; int b; };
struct far { char a[600000000]; int b; };
struct far_bits { char a[3000000]; int b:3; };
struct holder { int a; struct far far; int b; };
struct user { struct huge *huge; struct far *far; struct far_bits *bits; struct holder *holder; };
typedef struct far array_of_far[3];
int f(struct user *u, array_of_far *array) { return 0; }
int by_value(int a, struct far far) { return a; }
C
image big big.o
encode_and_warn big
expect_text "$(cat big.warnings)" <<'E'
BTF cannot represent 1 types of more than 4 GiB: they, and what needs them, are omitted or only declared
BTF cannot represent 3 structs with a member at an offset that BTF cannot represent, or outside of the struct: they, and what needs them, are omitted or only declared
BTF cannot represent 1 arrays of 2^32 elements or more, or whose index type has an unknown number of values: they, and what needs them, are omitted or only declared
E
expect_text "$(types big '^(STRUCT|FWD|TYPEDEF)')" <<'E'
FWD far struct
FWD far_bits struct
FWD holder struct
FWD huge struct
STRUCT user size 32 { struct huge *huge @0; struct far *far @64; struct far_bits *bits @128; struct holder *holder @192; }
TYPEDEF array_of_far -> void
E
expect_funcs big <<'F'
f = f: int f(struct user *u, array_of_far *array)
F
expect_text "$(skipped big)" <<'E'
by_value: invalid_type
E

begin 'an enum with too many values becomes empty'
{
	echo 'enum many {'
	printf 'V%d, ' $(seq 65535)
	echo '}; enum most {'
	printf 'W%d, ' $(seq 65534)
	echo '}; struct s { enum many m; } s; int f(enum many m, enum most *o) { return m + *o; }'
} | unit many
image many many.o
encode_and_warn many
has many.warnings '^BTF cannot represent 1 types with more than 65534 members, values or parameters'
has many.dump 'ENUM many unsigned size 4 \{ \}'
has many.dump 'ENUM most unsigned size 4 .* W65534 = 65533'
expect_funcs many <<'F'
f = f: int f(enum many m, enum most *o)
F
has many.dump 'STRUCT s size 4 \{ enum many m @0; \}'

begin 'more than 32 typedefs and qualifiers in a row end in void'
{
	echo 'typedef const int t1;'
	for n in $(seq 2 40); do
		echo "typedef t$((n - 1)) t$n;"
	done
	cat <<'C'
	struct s { t40 gone; t31 *there; t32 *too_many; int b; };
	int f(struct s *s, t31 a) { return s->b; }
	int g(t32 a) { return 0; }
C
} | unit chain
image chain chain.o
encode_and_warn chain
has chain.warnings '^BTF cannot represent 9 types nested deeper than 250, or with more than 32 typedefs'
has chain.dump 'STRUCT s size 32 \{ t31 \*there @64; void \*too_many @128; int b @192; \}'
expect_funcs chain <<'F'
f = f: int f(struct s *s, t31 a)
F
expect_text "$(skipped chain)" <<'E'
g: invalid_type
E
expect 0 "$ABTF" check chain chain.btf

begin 'types that are nested too deeply end in void'
stars=$(printf '*%.0s' $(seq 300))
some=$(printf '*%.0s' $(seq 200))
dims=$(printf '[1]%.0s' $(seq 300))
unit deep <<C
struct s { int $stars deep; int $some shallow; int array$dims; int b; };
int f(struct s *s, int $some shallow) { return s->b; }
int g(int $stars deep) { return 0; }
C
image deep deep.o
encode_and_warn deep
has deep.warnings '^BTF cannot represent [1-9] types nested deeper than 250'
has deep.dump 'STRUCT s size 24 \{ .*\*deep @0; .*\*shallow @64; int b @160; \}'
expect_eq "$(grep -c '^\[[0-9]*\] PTR' deep.dump)" 300 'pointers'
# the parameter of g is nested too deeply
expect_text "$(skipped deep)" <<'E'
g: invalid_type
E
has deep.dump 'FUNC f '
for j in 1 3; do
	"$ABTF" encode -q -j $j -o again.btf deep
	cmp again.btf deep.btf || fail "-j $j: the BTF differs"
done

begin 'types near the maximum depth give valid BTF'
for nr in $(seq 240 256); do
	stars=$(printf '*%.0s' $(seq "$nr"))
	unit edge <<C
int f(short $stars pointer, float $stars to_float, enum { A } $stars to_enum, void $stars to_void) { return 0; }
C
	image edge edge.o
	encode_and_warn edge
	has edge.dump '^\[[0-9]*\] INT short int size 2 bits 16 encoding 0x1$'
	expect 0 "$ABTF" check edge edge.btf
done

begin 'a function with an integer that BTF cannot represent, as parameter or result, has no prototype'
if have clang-19; then
	CC=clang-19 unit bits -std=c2x <<-'C'
		typedef _BitInt(256) big;
		typedef unsigned _BitInt(129) u129;
		struct s { int a; big b; int c; };
		int last(int a, big b) { return a; }
		int first(const big b, int a) { return a; }
		int middle(int a, u129 b, int c) { return a; }
		big result(void) { return 1; }
		int pointer(int a, big *b, struct s *s) { return a; }
		typedef _BitInt(24) i24;
		typedef unsigned _BitInt(65) u65;
		int small(i24 a, u65 b) { return a; }
	C
	image bits bits.o
	encode bits
	expect_text "$(skipped bits)" <<-'E'
	first: invalid_type
	last: invalid_type
	middle: invalid_type
	result: invalid_type
	E
	expect_funcs bits pointer small <<-'E'
	pointer = pointer: int pointer(int a, big *b, struct s *s)
	small = small: int small(i24 a, u65 b)
	E
	has bits.dump 'STRUCT s size 48 .* b @64; int c @320; }'
else
	skip 'no clang-19'
fi
