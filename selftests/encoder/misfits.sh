#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A type that BTF cannot represent is changed or omitted, with one warning per kind of problem.  The
# rest of the image is encoded.
. "${0%/*}/../lib.sh"

# encoded IMAGE [OPTION...]: encode IMAGE, and write the messages to IMAGE.said
encoded() {
	local image=$1

	shift
	expect 0 "$ABTF" encode "$@" -o "$image.btf" --report "$image.report" "$image"
	grep 'warning: ' out | sed "s/.*warning: $image: //" >"$image.said" || true
	"$dump" "$image.btf" >"$image.dump"
	# other readers accept it
	"$ABTF" strip "$image.btf" plain.btf
	bpftool btf dump file plain.btf >/dev/null || fail 'bpftool rejects the BTF'
}

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
	encoded $where
	expect_text "$(cat $where.said)" <<-'E'
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
encoded long
says 'warning: long: 1 names are longer than 511 bytes: they are cut'
has_not out 'not identifiers'
expect_eq "$(sed -n 's/.*STRUCT \(x*\) size.*/\1/p' long.dump)" "${long:0:511}"

begin 'C++: names of templates, and values with types that BTF cannot represent'
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
encoded cxx
has cxx.said '^[0-9]+ names are not identifiers'
has cxx.said '^BTF cannot represent 2 types with a value whose type BTF cannot represent: they, and what needs them, are omitted or only declared$'
expect_eq "$(grep -vc 'are omitted for the same reason: .* (no_prototype)$' cxx.said)" 2 'warnings'
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
encoded cxx --features=encode_force,var,decl_tag
expect_text "$(funcs cxx)" <<'F'
f: int f(struct box_int_ *b, struct box_box_long___ *bb)
g: int g(struct holds_null *h)
F

begin 'a tag on a member is dropped if the numbers of members change, a tag on the struct is kept'
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
encoded late
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
encoded big
expect_text "$(cat big.said)" <<'E'
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
encoded many
has many.said '^BTF cannot represent 1 types with more than 65534 members, values or parameters'
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
encoded chain
has chain.said '^BTF cannot represent 9 types nested deeper than 250, or with more than 32 typedefs'
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
encoded deep
has deep.said '^BTF cannot represent [1-9] types nested deeper than 250'
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
	encoded edge
	has edge.dump '^\[[0-9]*\] INT short int size 2 bits 16 encoding 0x1$' "$nr pointers"
	expect 0 "$ABTF" check edge edge.btf
done

# handwritten DWARF that the installed compilers do not generate
asm() {
	as -o "$1.o" - <<-S
	.section .debug_abbrev,"",%progbits
	.macro abbrev code, tag, children, attrs:vararg
	.uleb128 \\code, \\tag
	.byte \\children
	.ifnb \\attrs
	.uleb128 \\attrs
	.endif
	.uleb128 0, 0
	.endm
	abbrev 1, 0x11, 1, 0x13, 0x0b, 0x03, 0x08		# compile_unit: language, name
	abbrev 2, 0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b	# base_type: name, encoding, byte_size
	abbrev 3, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b		# structure_type: name, byte_size
	abbrev 4, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b	# member: name, type, data_member_location
	.uleb128 5, 0x0d					# the same, -1 for all
	.byte 0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x21
	.sleb128 -1
	.uleb128 0, 0
	abbrev 6, 0x04, 0, 0x03, 0x08, 0x0b, 0x0b		# enumeration_type: name, byte_size
	abbrev 7, 0x0f, 0, 0x49, 0x13				# pointer_type: type
	abbrev 8, 0x16, 0, 0x49, 0x13				# typedef: type, no name
	abbrev 9, 0x13, 0, 0x3c, 0x19				# structure_type: declaration
	abbrev 10, 0x24, 0, 0x3e, 0x0b, 0x0b, 0x0b		# base_type: encoding, byte_size
	abbrev 12, 0x16, 0, 0x03, 0x08, 0x49, 0x13		# typedef: name, type
	abbrev 13, 0x47, 0, 0x49, 0x13				# atomic_type: type
	abbrev 14, 0x01, 1, 0x49, 0x13				# array_type: type
	abbrev 15, 0x21, 0, 0x37, 0x0b				# subrange_type: count
	abbrev 16, 0x0d, 0, 0x03, 0x08, 0x49, 0x1f20, 0x38, 0x0b # member: its type in another file
	abbrev 17, 0x04, 1, 0x03, 0x08, 0x0b, 0x0b		# enumeration_type: name, byte_size
	abbrev 18, 0x28, 0, 0x1c, 0x0b				# enumerator: const_value
	abbrev 19, 0x28, 0, 0x03, 0x08, 0x1c, 0x0b		# the same, with a name
	abbrev 20, 0x28, 0, 0x03, 0x0e, 0x1c, 0x0b
	abbrev 21, 0x0b, 1					# lexical_block
	.uleb128 11, 0x04					# enumeration_type: name, 4, name
	.byte 0
	.uleb128 0x03, 0x08, 0x0b, 0x21
	.sleb128 4
	.uleb128 0x03, 0x08, 0, 0
	.byte 0
	.section .debug_info,"",%progbits
	cu:	.long end - start
	start:	.value 5
	.byte 1, 8
	.long .debug_abbrev
	.uleb128 1
	.byte $2
	.asciz "unit"
	.macro base name, encoding, size
	.uleb128 2
	.asciz "\\name"
	.byte \\encoding, \\size
	.endm
	.macro struct name, size
	.uleb128 3
	.asciz "\\name"
	.byte \\size
	.endm
	.macro member name, type, offset
	.uleb128 4
	.asciz "\\name"
	.long \\type - cu
	.byte \\offset
	.endm
	int:	base int, 5, 4
	$(cat)
	.byte 0
	end:
	S
}

begin 'a type with two names gets one of them, and the DIEs after it are read'
asm twice 0x1d <<'S'
	.uleb128 11
	.asciz "one"
	.asciz "two"
	base after, 5, 4
S
image twice twice.o
"$ABTF" encode -q -o twice.btf twice
"$dump" twice.btf >twice.dump
has twice.dump '(one|two)'
has twice.dump 'after'

begin 'floating point types and enums of odd sizes are omitted or only declared'
asm odd 0x1d <<'S'
f10:	base f10, 4, 10
f16:	base f16, 4, 16
	.uleb128 6
	.asciz "e3"
	.byte 3
e16:	.uleb128 6
	.asciz "e16"
	.byte 16
ptr:	.uleb128 7
	.long f10 - cu
	struct s, 64
	member a, f10, 0
	member b, f16, 16
	member c, e16, 32
	member d, ptr, 48
	.byte 0
S
image odd odd.o
encoded odd
expect_text "$(cat odd.said)" <<'E'
BTF cannot represent 1 floating point types whose size is not 2, 4, 8, 12 or 16: they, and what needs them, are omitted or only declared
BTF cannot represent 2 enums whose size is not 1, 2, 4 or 8: they, and what needs them, are omitted or only declared
E
expect_text "$(types odd '')" <<'E'
FLOAT f16 size 16
INT int size 4 bits 32 encoding 0x1
PTR -> void
STRUCT s size 64 { f16 b @128; void *d @384; }
E

begin 'members of a struct are sorted by offset'
asm order 0x1d <<'S'
	struct s, 16
	member c, int, 12
	member a, int, 0
	member b, int, 4
	.byte 0
S
image order order.o
encoded order
expect_eq "$(wc -l <order.said)" 0 'warnings'
expect_text "$(types order ^STRUCT)" <<'E'
STRUCT s size 16 { int a @0; int b @32; int c @96; }
E

begin 'a struct with a member before or after it is only declared'
# the name is known, and more members follow; otherwise, the fast path for members is not taken
asm outside 0x1d <<'S'
	struct t, 16
	member a, int, 20
	.byte 0
	struct s, 16
	.uleb128 5
	.asciz "a"
	.long int - cu
	.byte 0
	base long, 5, 8
S
image outside outside.o
encoded outside
has outside.said '^BTF cannot represent 2 structs with a member at an offset that BTF cannot represent, or outside of the struct'
expect_text "$(types outside '^(STRUCT|FWD)')" <<'E'
FWD s struct
FWD t struct
E

begin 'a typedef, a declaration and an integer without the name that BTF requires'
asm nameless 0x1d <<'S'
int2:	.uleb128 8
	.long int - cu
decl:	.uleb128 9
ptr:	.uleb128 7
	.long decl - cu
none:	.uleb128 10
	.byte 5, 8
	struct s, 24
	member a, int2, 0
	member b, ptr, 8
	member c, none, 16
	.byte 0
S
image nameless nameless.o
encoded nameless
expect_text "$(cat nameless.said)" <<'E'
BTF cannot represent 1 declarations without a name: they, and what needs them, are omitted or only declared
E
expect_text "$(types nameless ^STRUCT)" <<'E'
STRUCT s size 24 { int a @0; void *b @64; __SANITIZED_FAKE_INT__ c @128; }
E

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

begin 'unnamed types that contain themselves: only types that depend on them are omitted'
asm cycles 0x1d <<'S'
loop:	.uleb128 7			# a pointer to itself
	.long loop - cu
anon:	struct "", 8			# a struct without a name that has a pointer to itself
	member next, panon, 0
	.byte 0
panon:	.uleb128 7
	.long anon - cu
one:	.uleb128 12
	.asciz "one"
	.long two - cu
two:	.uleb128 12
	.asciz "two"
	.long one - cu
atom:	.uleb128 13
	.long atom2 - cu
atom2:	.uleb128 13
	.long atom - cu
whole:	struct whole, 16		# valid
	member self, pwhole, 0
	member a, int, 8
	.byte 0
pwhole:	.uleb128 7
	.long whole - cu
	struct s, 64
	member a, int, 0
	member b, loop, 8
	member c, anon, 16
	member d, two, 24
	member e, atom, 32
	member f, pwhole, 40
	member g, int, 48
	.byte 0
S
image cycles cycles.o
encoded cycles
expect_text "$(sed -E 's/[0-9]+/N/' cycles.said)" <<'E'
BTF cannot represent N types that contain themselves, as a value or without a named struct, union or enum in between: they, and what needs them, are omitted or only declared
E
has cycles.dump 'STRUCT whole size 16 \{ struct whole \*self @0; int a @64; \}'
has cycles.dump 'STRUCT s size 64 \{ int a @0; .*int g @384; \}'
"$ABTF" encode -q -j 1 -o again.btf cycles
cmp again.btf cycles.btf || fail 'the bytes differ'

begin 'structs that contain themselves as values are only declared; those that contain them lose a member'
asm contained 0x1d <<'S'
self:	struct self, 16			# in itself
	member a, int, 0
	member b, self, 8
	.byte 0
one:	struct one, 24			# in two cycles, through an array and a typedef
	member two, pair, 0
	member self, self, 16
	.byte 0
two:	struct two, 8
	member three, two_t, 0
	member four, four, 0
	.byte 0
three:	struct three, 8
	member one, one, 0
	.byte 0
four:	struct four, 8
	member two, two, 0
	member inside, inside, 0
	.byte 0
inside:	struct inside, 8		# in structs of a cycle, but not in itself
	member a, int, 0
	member pself, pself, 0
	.byte 0
outside:	struct outside, 32	# contains structs of a cycle
	member a, int, 0
	member one, one, 0
	member pself, pself, 24
	.byte 0
pself:	.uleb128 7
	.long self - cu
pair:	.uleb128 14
	.long two - cu
	.uleb128 15
	.byte 2
	.byte 0
two_t:	.uleb128 12
	.asciz "three_t"
	.long three - cu
S
image contained contained.o
encoded contained
expect_text "$(cat contained.said)" <<'E'
BTF cannot represent 5 types that contain themselves, as a value or without a named struct, union or enum in between: they, and what needs them, are omitted or only declared
E
expect_text "$(types contained '^(STRUCT|FWD|TYPEDEF)')" <<'E'
FWD four struct
FWD one struct
FWD self struct
FWD three struct
FWD two struct
STRUCT inside size 8 { int a @0; struct self *pself @0; }
STRUCT outside size 32 { int a @0; struct self *pself @192; }
TYPEDEF three_t -> struct three
E
bpftool btf dump file plain.btf format c >contained.h || fail 'bpftool cannot declare the types'
"$ABTF" encode -q -j 1 -o again.btf contained
cmp again.btf contained.btf || fail 'the bytes differ'

begin 'a member with two errors: only the first one is reported'
asm both 0x1d <<'S'
	struct s, 16
	.uleb128 16
	.byte 1, 1, 1, 1, 0
	.long 0
	.byte 0, 0
S
image both both.o
expect 1 "$ABTF" encode -o both.btf both
says 'a name that is not text'
has_not out 'a reference to another file'

begin 'an enumerator without a name, or with an empty one, is omitted'
asm unnamed 0x1d <<'S'
	.uleb128 17
	.asciz "e"
	.byte 4
	.uleb128 18
	.byte 3
	.uleb128 19
	.asciz "v"
	.byte 4
	.uleb128 20
	.long empty
	.byte 5
	.uleb128 19
	.asciz ""
	.byte 6
	.byte 0
	.pushsection .debug_str,"MS",%progbits,1
	.asciz "some"
empty:	.asciz ""
	.popsection
S
image unnamed unnamed.o
encoded unnamed
expect_eq "$(types unnamed ^ENUM)" 'ENUM e unsigned size 4 { v = 4; }'
has unnamed.said '^BTF cannot represent 1 compile units with .* or enumerators without a name:'

begin 'DIEs that are nested deeply are read'
asm nested 0x1d <<'S'
	.rept 20000
	.uleb128 21
	.endr
	struct inner, 4
	member a, int, 0
	.byte 0
	.zero 20000
	struct after, 4
	member b, int, 0
	.byte 0
S
image nested nested.o
encoded nested
expect_text "$(types nested ^STRUCT)" <<'E'
STRUCT after size 4 { int b @0; }
STRUCT inner size 4 { int a @0; }
E

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
	encoded longer
	has longer.said '^BTF cannot represent 1 compile units with .* names of more than 8191 bytes'
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
target gcc

begin 'Rust is omitted by default'
asm rust 0x1c <<'S'
	struct "Option<u32>", 4
	member __0, int, 0
	.byte 0
S
unit c <<'C'
struct in_c { int a; };
int f(struct in_c *s) { return s->a; }
C
image rust rust.o c.o
encoded rust
expect_eq "$(wc -l <rust.said)" 0 'warnings'
expect_text "$(types rust ^STRUCT)" <<'E'
STRUCT in_c size 4 { int a @0; }
E
for option in --lang-exclude= --lang-exclude=c++ --lang=rust,c11; do
	encoded rust $option
	expect_text "$(types rust ^STRUCT)" <<-'E'
	STRUCT Option_u32_ size 4 { int __0 @0; }
	STRUCT in_c size 4 { int a @0; }
	E
done
encoded rust --lang=rust
expect_text "$(types rust ^STRUCT)" <<'E'
STRUCT Option_u32_ size 4 { int __0 @0; }
E
expect 2 "$ABTF" encode --lang=no_such -o rust.btf rust
expect 2 "$ABTF" encode --from-btf --lang=rust -o rust.btf rust
for option in '' --lang_exclude=c++ --lang=rust,c11; do
	# shellcheck disable=SC2086 # none or one
	expect 0 "$ABTF_PAHOLE" -J $option --btf_encode_detached=rust.btf rust
	"$dump" rust.btf >rust.dump
	has rust.dump 'STRUCT Option_u32_ '
done
for option in --lang_exclude=rust --lang_exclude=Rust --lang=c11 --lang=C11; do
	expect 0 "$ABTF_PAHOLE" -J $option --btf_encode_detached=rust.btf rust
	"$dump" rust.btf >rust.dump
	has_not rust.dump 'STRUCT Option_u32_ '
	has rust.dump 'STRUCT in_c '
done

begin 'sizes, counts, offsets and values that are not constants, or too big'
target gcc
cat >unknown.S <<'S'
	.section .debug_abbrev,"",%progbits
	.macro abbrev code, tag, children, attrs:vararg
	.uleb128 \code, \tag
	.byte \children
	.uleb128 \attrs, 0, 0
	.endm
	abbrev 1, 0x11, 1, 0x13, 0x0b, 0x03, 0x08		# compile_unit: language, name
	abbrev 2, 0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b	# base_type: name, encoding, byte_size
	abbrev 3, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b		# structure_type: name, byte_size
	abbrev 4, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x18	# member, its location an expression
	abbrev 5, 0x13, 0, 0x03, 0x08, 0x0b, 0x18		# structure_type, its size one
	abbrev 6, 0x01, 1, 0x49, 0x13				# array_type
	abbrev 7, 0x21, 0, 0x37, 0x07				# subrange_type: count, 8 bytes
	abbrev 8, 0x21, 0, 0x2f, 0x07				# the same: upper_bound
	abbrev 9, 0x04, 1, 0x03, 0x08, 0x0b, 0x0b		# enumeration_type
	abbrev 10, 0x28, 0, 0x03, 0x08, 0x1c, 0x1e		# enumerator: 16 bytes
	abbrev 11, 0x16, 0, 0x03, 0x08, 0x49, 0x13		# typedef
	abbrev 12, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x07	# member, its offset 8 bytes
	.uleb128 13, 0x0d					# the same in the declaration
	.byte 0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x21
	.sleb128 0x2000000000000004
	.uleb128 0, 0
	abbrev 14, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x0b, 0x07, 0x0d, 0x0b, 0x0c, 0x0b # member: byte_size, bit_size, bit_offset
	abbrev 15, 0x21, 0, 0x37, 0x1e				# subrange_type: count, 16 bytes
	abbrev 16, 0x21, 0, 0x37, 0x0b, 0x51, 0x0b		# the same: byte_stride
	abbrev 17, 0x21, 0, 0x37, 0x0b, 0x2e, 0x0b		# the same: bit_stride
	abbrev 18, 0x01, 1, 0x49, 0x13, 0x2e, 0x0b		# array_type: bit_stride
	abbrev 19, 0x21, 0, 0x37, 0x0b				# subrange_type
	abbrev 20, 0x28, 0, 0x03, 0x08, 0x1c, 0x07		# enumerator: 8 bytes
	.uleb128 21, 0x28					# the same in the declaration
	.byte 0
	.uleb128 0x03, 0x08, 0x1c, 0x21
	.sleb128 0x100000005
	.uleb128 0, 0
	abbrev 22, 0x24, 0, 0x03, 0x08, 0x3e, 0x0b, 0x0d, 0x0b	# base_type: bit_size
	abbrev 23, 0x13, 1, 0x03, 0x08, 0x0d, 0x0b		# structure_type: bit_size
	abbrev 24, 0x21, 0, 0x2f, 0x0d				# subrange_type: upper_bound, sdata
	abbrev 25, 0x21, 0, 0x2f, 0x13				# the same: a reference
	abbrev 26, 0x01, 1, 0x49, 0x13, 0x50, 0x18		# array_type: data_location
	abbrev 27, 0x01, 1, 0x49, 0x13, 0x50, 0x18, 0x51, 0x0b	# the same, and byte_stride
	.byte 0
	.section .debug_info,"",%progbits
cu:	.long end - start
start:	.value 5
	.byte 1, 8
	.long .debug_abbrev
	.uleb128 1
	.byte 0x1d
	.asciz "unit"
int:	.uleb128 2
	.asciz "int"
	.byte 5, 4
bits:	.uleb128 22
	.asciz "bits"
	.byte 5, 31
	.uleb128 23
	.asciz "struct_bits"
	.byte 61
	.uleb128 4
	.asciz "a"
	.long bits - cu
	.uleb128 2
	.byte 0x23, 4
	.byte 0
	.macro far name, code, last:vararg
	.uleb128 3
	.asciz "\name"
	.byte 16
	.uleb128 \code
	.asciz "a"
	.long int - cu
	\last
	.byte 0
	.endm
	far far_offset, 12, .quad 0x2000000000000004
	far far_back, 12, .quad 0xe000000000000004
	far far_constant, 13
	far far_storage, 14, .byte 4, 0, 0, 0, 0, 0, 0, 0x20, 3, 5
	.macro member name, bytes:vararg
	.uleb128 3
	.asciz "\name"
	.byte 16
	.uleb128 4
	.asciz "a"
	.long int - cu
	.uleb128 .Lend\@ - .Lstart\@
.Lstart\@: .byte \bytes
.Lend\@:
	.byte 0
	.endm
	member known, 0x23, 4
	member virtual, 0x12, 6, 0x48, 0x1c, 6, 0x22
	member constant, 0x34
	member cut_off, 0x23
	.uleb128 5
	.asciz "dynamic"
	.uleb128 2
	.byte 0x91, 0
	.macro array name, code, number
\name:	.uleb128 6
	.long int - cu
	.uleb128 \code
	.quad \number
	.byte 0
	.uleb128 11
	.asciz "\name"
	.long \name - cu
	.endm
	array count_most, 7, 0xffffffff
	array count_big, 7, 0x100000000
	array count_five, 7, 0x100000005
	array bound_most, 8, 0xfffffffe
	array bound_big, 8, 0xffffffff
	array bound_none, 8, -1
	array count_huge, 7, 0x8000000000000005
	array bound_huge, 8, 0x8000000000000005
	.macro other name, array, code, last:vararg
\name:	.uleb128 \array
	.long int - cu
	.ifeq \array - 18
	.byte 3
	.endif
	.ifeq \array - 26
	.byte 2, 0x97, 6
	.endif
	.ifeq \array - 27
	.byte 2, 0x97, 6, 4
	.endif
	.uleb128 \code
	\last
	.byte 0
	.uleb128 11
	.asciz "\name"
	.long \name - cu
	.endm
	other count_wide, 6, 15, .quad 5, 1
	other byte_stride, 6, 16, .byte 5, 8
	other bit_stride, 6, 17, .byte 5, 3
	other array_stride, 18, 19, .byte 5
	other elsewhere, 26, 19, .byte 5
	other elsewhere_adjacent, 27, 19, .byte 5
	other byte_adjacent, 6, 16, .byte 5, 4
	other bit_adjacent, 6, 17, .byte 5, 32
	other both_adjacent, 6, 16, .byte 2, 12, 16, 3, 4
	other rows_apart, 6, 16, .byte 2, 16, 16, 3, 4
	other columns_apart, 6, 16, .byte 2, 12, 16, 3, 12
	other bound_minus, 6, 24, .sleb128 -5
	other bound_variable, 6, 25, .long int - cu
	.macro enum name, code, last:vararg
	.uleb128 9
	.asciz "\name"
	.byte 4
	.uleb128 \code
	.asciz "\name\()_a"
	\last
	.byte 0
	.endm
	enum most, 20, .quad 0xffffffff
	enum least, 20, .quad -0x80000000
	enum too_much, 20, .quad 0x100000005
	enum too_little, 20, .quad -0x80000001
	enum constant, 21
	.uleb128 9
	.asciz "wide"
	.byte 8
	.uleb128 10
	.asciz "big"
	.quad 1, 1
	.byte 0
	.uleb128 9
	.asciz "narrow"
	.byte 8
	.uleb128 10
	.asciz "minus"
	.quad -1, -1
	.byte 0
	.byte 0
end:
S
as -o unknown.o unknown.S
image unknown unknown.o
encoded unknown
expect_text "$(sed 's/: they, .*//' unknown.said)" <<'E'
BTF cannot represent 4 structs with a member at an offset that BTF cannot represent, or outside of the struct
BTF cannot represent 3 arrays of 2^32 elements or more, or whose index type has an unknown number of values
BTF cannot represent 2 arrays whose elements are elsewhere, or may not be adjacent (DW_AT_data_location, DW_AT_byte_stride, DW_AT_bit_stride)
BTF cannot represent 4 enums with a value that does not fit in the enum, or in 64 bits (DW_AT_const_value)
BTF cannot represent 1 types whose size is not a constant (DW_AT_byte_size, DW_AT_bit_size)
BTF cannot represent 3 structs with a member whose offset is not a constant (DW_AT_data_member_location, DW_AT_bit_offset, DW_AT_data_bit_offset)
E
expect_text "$(types unknown '^(INT bits|STRUCT|FWD|ENUM|TYPEDEF)')" <<'E'
ENUM constant unsigned size 4 { }
ENUM least unsigned size 4 { least_a = 2147483648; }
ENUM most unsigned size 4 { most_a = 4294967295; }
ENUM too_little unsigned size 4 { }
ENUM too_much unsigned size 4 { }
ENUM64 narrow signed size 8 { minus = -1; }
ENUM64 wide unsigned size 8 { }
FWD constant struct
FWD cut_off struct
FWD dynamic struct
FWD far_back struct
FWD far_constant struct
FWD far_offset struct
FWD far_storage struct
FWD virtual struct
INT bits size 4 bits 32 encoding 0x1
STRUCT known size 16 { int a @32; }
STRUCT struct_bits size 8 { bits a @32; }
TYPEDEF array_stride -> void
TYPEDEF bit_adjacent -> int [5]
TYPEDEF bit_stride -> void
TYPEDEF both_adjacent -> int [2][3]
TYPEDEF bound_big -> void
TYPEDEF bound_huge -> void
TYPEDEF bound_minus -> int [0]
TYPEDEF bound_most -> int [4294967295]
TYPEDEF bound_none -> int [0]
TYPEDEF bound_variable -> int [0]
TYPEDEF byte_adjacent -> int [5]
TYPEDEF byte_stride -> void
TYPEDEF columns_apart -> void
TYPEDEF count_big -> void
TYPEDEF count_five -> void
TYPEDEF count_huge -> void
TYPEDEF count_most -> int [4294967295]
TYPEDEF count_wide -> void
TYPEDEF elsewhere -> void
TYPEDEF elsewhere_adjacent -> void
TYPEDEF rows_apart -> void
E

begin 'a unit without DIEs does not affect other units'
printf 'struct s { int a; } s; int f(struct s *s) { return s->a; }' | unit full
printf '.section .debug_info,"",%%progbits\n.long 8\n.value 5\n.byte 1, 8\n.long 0\n.long 9\n.value 5\n.byte 1, 8\n.long 0\n.byte 0\n' |
	as -o empty.o -
image empty full.o empty.o
encoded empty
expect_eq "$(cat empty.said)" '2 compile units are empty'
expect_eq "$(funcs empty)" 'f = f: int f(struct s *s)'

begin 'zeroes between units and at the end do not affect the units'
for zeroes in 4 60 3; do
	printf '.section .debug_info,"",%%progbits\n.zero %s\n' $zeroes | as -o zeroes.o -
	image padded full.o zeroes.o
	encoded padded
	expect_eq "$(funcs padded)" 'f = f: int f(struct s *s)' "$zeroes at the end"
	expect_eq "$(cat padded.said)" '1 compile units are empty'
done
printf '.section .debug_info,"",%%progbits\n.zero 64\n' | as -o zeroes.o -
image padded zeroes.o full.o zeroes.o
encoded padded
expect_eq "$(funcs padded)" 'f = f: int f(struct s *s)' 'between units'
expect_eq "$(cat padded.said)" '2 compile units are empty'
