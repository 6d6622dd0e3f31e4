#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every kind of C type, and the differences in pahole's mode.
. "${0%/*}/../lib.sh"

cat >all.c <<'C'
typedef unsigned char u8;
typedef u8 bytes_t[4];
enum small { NEG = -1, POS = 5 };
enum plain { A0, B0 = 7 };
enum __attribute__((packed)) narrow { N0, N1 = 200 };
enum wide { W0 = 1, W1 = 0x8000000000ULL };
enum wide_signed { S0 = -2, S1 = 0x7fffffffffffLL };
struct opaque;
union uopaque;
struct flex { int n; long data[]; };
struct zero { int n; char none[0]; };
struct bits {
	unsigned a:3; unsigned b:5; int c:10; unsigned long long d:33; _Bool e:1; enum plain f:4;
	signed char tail;
};
struct anon {
	int head;
	union { int i; float f; struct { short lo, hi; }; };
	struct { int x; } named;
	int last;
};
struct node { struct node *next, *prev; struct tree { struct node *root; struct tree *up; } *tree; };
struct ops {
	int (*open)(struct node *n, const char *name);
	void (*log)(const char *fmt, ...);
	void *(*get)(void);
	int (*(*nested)(int (*cb)(long), u8 x))(void);
};
struct arrays { int one[3]; int two[2][5]; u8 three[2][3][4]; bytes_t rows[6]; char *names[2]; };
struct all {
	struct opaque *o; union uopaque *uo; struct flex *fl; struct zero *z; struct bits b; struct anon a;
	struct node n; struct ops ops; struct arrays arr;
	enum small es; enum plain ep; enum narrow en; enum wide ew; enum wide_signed ews;
	float f; double d; long double ld; _Bool t; char c; signed char sc; unsigned short us;
	long long ll; unsigned __int128 big;
	const volatile int *cv; int *restrict r; void *v; const void *kv; _Atomic int at; int *const *pc;
};
int use(struct all *a, bytes_t b, int (*f)(int), ...) { return a->es; }
C
unit all <all.c
image vmlinux all.o
encode vmlinux

begin 'structures have the right sizes, offsets and members'
expect_text "$(types vmlinux '^STRUCT (flex|zero|node|tree|anon|ops) |^STRUCT size|^UNION size')" <<'T'
STRUCT anon size 16 { int head @0; union {...} @32; struct {...} named @64; int last @96; }
STRUCT flex size 8 { int n @0; long int data[0] @64; }
STRUCT node size 24 { struct node *next @0; struct node *prev @64; struct tree *tree @128; }
STRUCT ops size 32 { int (*open)(struct node *, char const *) @0; void (*log)(char const *, ...) @64; void *(*get)(void) @128; int (*(*nested)(int (*)(long int), u8))(void) @192; }
STRUCT size 4 { int x @0; }
STRUCT size 4 { short int lo @0; short int hi @16; }
STRUCT tree size 16 { struct node *root @0; struct tree *up @64; }
STRUCT zero size 4 { int n @0; char none[0] @32; }
UNION size 4 { int i @0; float f @0; struct {...} @0; }
T

begin 'bitfields have the right width and offset'
expect_text "$(types vmlinux '^STRUCT bits ')" <<'T'
STRUCT bits size 8 { unsigned int a:3 @0; unsigned int b:5 @3; int c:10 @8; long long unsigned int d:33 @18; _Bool e:1 @51; enum plain f:4 @52; signed char tail @56; }
T

# For an array of six bytes_t, compilers write u8[6][4]; the encoder keeps that.
begin 'arrays keep their dimensions'
expect_text "$(types vmlinux '^STRUCT arrays ')" <<'T'
STRUCT arrays size 120 { int one[3] @0; int two[2][5] @96; u8 three[2][3][4] @416; u8 rows[6][4] @608; char *names[2] @832; }
T

begin 'enums have the right sign and size, also with values of more than 32 bits'
expect_text "$(types vmlinux '^ENUM')" <<'T'
ENUM narrow unsigned size 1 { N0 = 0; N1 = 200; }
ENUM plain unsigned size 4 { A0 = 0; B0 = 7; }
ENUM small signed size 4 { NEG = -1; POS = 5; }
ENUM64 wide unsigned size 8 { W0 = 1; W1 = 549755813888; }
ENUM64 wide_signed signed size 8 { S0 = -2; S1 = 140737488355327; }
T

begin 'forward declarations of struct and union are encoded'
expect_text "$(types vmlinux '^FWD')" <<'T'
FWD opaque struct
FWD uopaque union
T

begin 'integers and floats have the right size and encoding'
expect_text "$(types vmlinux '^(INT|FLOAT) ' | grep -v __ARRAY)" <<'T'
FLOAT double size 8
FLOAT float size 4
FLOAT long double size 16
INT _Bool size 1 bits 8 encoding 0x4
INT __int128 unsigned size 16 bits 128 encoding 0x0
INT char size 1 bits 8 encoding 0x1
INT int size 4 bits 32 encoding 0x1
INT long int size 8 bits 64 encoding 0x1
INT long long int size 8 bits 64 encoding 0x1
INT long long unsigned int size 8 bits 64 encoding 0x0
INT long unsigned int size 8 bits 64 encoding 0x0
INT short int size 2 bits 16 encoding 0x1
INT short unsigned int size 2 bits 16 encoding 0x0
INT signed char size 1 bits 8 encoding 0x1
INT unsigned char size 1 bits 8 encoding 0x0
INT unsigned int size 4 bits 32 encoding 0x0
T

begin 'qualifiers and restrict are kept, _Atomic is dropped'
has vmlinux.dump 'STRUCT all .*int const volatile \*cv @|STRUCT all .*int volatile const \*cv @'
has vmlinux.dump 'STRUCT all .*int \*restrict r @'
has vmlinux.dump 'STRUCT all .*int \*const \*pc @'
has vmlinux.dump 'STRUCT all .*void const \*kv @'
has vmlinux.dump 'STRUCT all .* int at @'

begin 'functions: arrays decay, "..." stays'
expect_funcs vmlinux use <<'F'
use = use: int use(struct all *a, u8 *b, int (*f)(int), ...)
F

begin 'bpftool can read the plain form'
expect 0 "$ABTF" strip vmlinux.btf plain.btf
expect 0 bpftool btf dump file plain.btf format c
expect 0 bpftool btf dump file plain.btf
expect_eq "$(grep -c '^\[' out)" "$(wc -l <vmlinux.dump)"

begin 'as pahole 1.32: the same types'
"$ABTF_PAHOLE" -J --btf_features=default --btf_encode_detached=as-pahole.btf vmlinux
"$dump" as-pahole.btf >as-pahole.dump
expect 0 "$compare" vmlinux.btf as-pahole.btf
has_not as-pahole.dump ' addr '

begin 'float, enum64 and var can be turned off'
"$ABTF" encode -q --features=encode_force -o few.btf vmlinux
"$dump" few.btf >few.dump
has_not few.dump '^\[[0-9]+\] (FLOAT|ENUM64|VAR|DATASEC) '
has_not few.dump ' addr '
has few.dump 'ENUM wide '
# signed enums came with ENUM64, and older kernels reject them
has few.dump 'ENUM small unsigned size 4 { NEG = 4294967295; POS = 5; }'
has_not few.dump 'ENUM.* signed '
cp vmlinux amended
tool objcopy --add-section .BTF=vmlinux.btf amended
expect 0 "$ABTF" encode -q --from-btf --features=encode_force -o few.btf amended
"$dump" few.btf >few.dump
has few.dump 'ENUM small unsigned'
has_not few.dump 'ENUM.* signed '

begin 'types declared in functions and blocks are encoded'
unit local <<'C'
int outer(int x)
{
	struct local { int a; } l = { x };
	enum color { RED, GREEN } c = x ? RED : GREEN;
	{
		struct inner { struct local *up; long b; } *i = (void *)(long)x;
		l.a += i->b;
	}
	return l.a + c;
}
int outer2(int x)
{
	struct local { char *other; } *l = (void *)(long)x;
	return l->other[0];
}
C
image vmlinux2 local.o
encode vmlinux2
expect_text "$(types vmlinux2 '^(STRUCT|ENUM)')" <<'T'
ENUM color unsigned size 4 { RED = 0; GREEN = 1; }
STRUCT inner size 16 { struct local *up @0; long int b @64; }
STRUCT local size 4 { int a @0; }
STRUCT local size 8 { char *other @0; }
T

begin 'type and decl tags of clang are encoded'
target clang
unit tags <<'C'
#define __user __attribute__((btf_type_tag("user")))
#define __rcu __attribute__((btf_type_tag("rcu")))
#define __tag(x) __attribute__((btf_decl_tag(x)))
struct s { int __user *p; struct s __rcu *next; int m __tag("member"); } __tag("struct");
typedef int tagged_t __tag("typedef");
int f(struct s *s, tagged_t t, int x __tag("arg")) __tag("func");
int f(struct s *s, tagged_t t, int x) { return s->m + t; }
C
image vmlinux3 tags.o
need_dwarf vmlinux3 '6000|LLVM_annotation|DW_TAG_LLVM|User TAG|Unknown TAG'
encode vmlinux3
has vmlinux3.dump 'TYPE_TAG user'
has vmlinux3.dump 'TYPE_TAG rcu'
has vmlinux3.dump 'STRUCT s .*\{ int __tag\(user\) \*p @0; struct s __tag\(rcu\) \*next @64; int m @128; \}'
has vmlinux3.dump 'DECL_TAG member on \[[0-9]+\] s component 2'
has vmlinux3.dump 'DECL_TAG struct on \[[0-9]+\] s component -1'
has vmlinux3.dump 'DECL_TAG func on \[[0-9]+\] f component -1'
expect 0 "$ABTF" check vmlinux3 vmlinux3.btf

begin 'types of units with 32-bit and with 64-bit DWARF are merged'
target gcc
for name in a b c; do
	flags=()
	[ $name != b ] || flags=(-gdwarf64)
	unit "wide_$name" "${flags[@]}" <<-C
	struct named { struct named *next; int value; };
	int f_$name(struct named *p) { return p->value; }
	C
done
image dwarf64 wide_a.o wide_b.o wide_c.o
encode dwarf64
expect_eq "$(types dwarf64 '^STRUCT ')" 'STRUCT named size 16 { struct named *next @0; int value @64; }'
expect_funcs dwarf64 f_a f_b f_c <<'F'
f_a = f_a: int f_a(struct named *p)
f_b = f_b: int f_b(struct named *p)
f_c = f_c: int f_c(struct named *p)
F

begin 'an empty name counts as no name, also by an offset in .debug_str'
target gcc
unit a <<'C'
struct nameless_tag { int in_a; };
int fa(struct nameless_tag *tag) { return tag->in_a; }
C
unit b <<'C'
struct nameless_tag { long in_b; char rest; };
long fb(struct nameless_tag *tag) { return tag->in_b; }
C
image vmlinux a.o b.o
readelf -p .debug_str vmlinux | matches nameless_tag || fail 'the name is not in .debug_str'
LC_ALL=C sed -i 's/nameless_tag/\x00ameless_tag/' vmlinux
for j in 1 2; do
	expect 0 "$ABTF" encode -q -j $j -o vmlinux.btf vmlinux
	"$ABTF" strip vmlinux.btf plain.btf
	expect_eq "$(bpftool -j btf dump file plain.btf | jq -c '([null] + .types) as $t |
		$t[] | select(.kind? == "FUNC") |
		[.name, ($t[$t[$t[.type_id].params[0].type_id].type_id] | .name, [.members[].name])]')" \
'["fa","(anon)",["in_a"]]
["fb","(anon)",["in_b","rest"]]'
done

begin 'short names, which are in the DIE: also in the same slot'
unit short <<'C'
struct short_names { int s, dp, kir, vov, s_, shl, a, dov; };
int s(struct short_names *a) { return a->s; }
C
image vmlinux short.o
encode vmlinux
expect_text "$(types vmlinux '^STRUCT')" <<'T'
STRUCT short_names size 32 { int s @0; int dp @32; int kir @64; int vov @96; int s_ @128; int shl @160; int a @192; int dov @224; }
T
