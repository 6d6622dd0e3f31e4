#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args prints the locations of arguments, and code that reads them for each tool.  A guest test
# checks the values that the tools read.
. "${0%/*}/../lib.sh"

# The functions do nothing, so DWARF's locations hold on entry.
cat >abi.c <<'C'
typedef struct { unsigned val; } kuid_t;
struct two { long a; int b; short c; };
struct three { long a, b, c; };
struct pair { int x, y; };
struct odd { char c[5]; };
struct __attribute__((packed)) packed { char c; long l; };
struct quad { __int128 q; };
struct __attribute__((packed)) tight { __int128 q; };
struct __attribute__((packed)) open { char c; int some[]; };
struct ended { void *a; char some[]; };
struct none {};
union either { int i; char c; };
struct line { long a; } __attribute__((aligned(32)));
struct padded { struct { int a; } b[1] __attribute__((aligned(16))); };
enum color { RED, GREEN };
enum level { LOW = -1, HIGH };
#define F __attribute__((noinline, used)) static
F void scalars(_Bool b, char c, signed char sc, unsigned short us, short s, unsigned u) { asm(""); }
F void many(int a, long b, enum color c, enum level d, long long e, int f, int g, short h, char *i,
	    int j) { asm(""); }
F void structs(kuid_t uid, struct pair pair, struct two two, struct three three, struct odd odd,
	       union either either, int last) { asm(""); }
F void full(int a, int b, int c, int d, int e, struct two two, int f, struct pair g) { asm(""); }
F void misaligned(int a, struct packed p, int b) { asm(""); }
F void wide(int a, int b, __int128 c, int d, int e) { asm(""); }
F void odd_wide(int a, __int128 b, int c, __int128 d) { asm(""); }
F void quads(int a, struct quad q, int b) { asm(""); }
F void tights(int a, struct tight q, int b) { asm(""); }
F void flexible(int a, struct open o, int b) { asm(""); }
F void ended(int a, struct ended e, int b) { asm(""); }
F void split(int a, int b, int c, int d, int e, __int128 f, int g) { asm(""); }
F struct none empty(int a, int b) { asm(""); return (struct none){}; }
F struct three in_memory(int a, int b) { asm(""); return (struct three){}; }
F struct two in_registers(long a, int b) { asm(""); return (struct two){}; }
F void variable(int a, long b, ...) { asm(""); }
/* clang sets up a frame pointer for these; its locations are relative to it */
#ifndef __clang__
F void aligned(int a, int b, int c, int d, int e, int f, long g, long h, struct line l, int i) { asm(""); }
F void natural(int a, int b, int c, int d, int e, int f, long g, struct quad q, int h) { asm(""); }
F void packed(int a, int b, int c, int d, int e, int f, long g, struct tight q, int h) { asm(""); }
#endif
F void padded(struct padded p, int a, int b) { asm(""); }
C

# expect_abi MACHINE NR [FLAG...] <<'E': NR arguments are where DWARF has them; the others are
# listed
expect_abi() {
	unit abi "${@:3}" <abi.c
	image abi abi.o
	"$python" "$selftests/encoder/dwarf_args.py" abi "$1" "$ABTF" >said
	expect_text "$(sort said)" < <({
		cat
		echo 'variable ...: the call decides how many there are, and their types'
		echo "$2 equal"
	} | sort)
}

alignment='an alignment that BTF does not contain decides where it is'
members='BTF does not contain what decides where it, or an earlier one, is'

# undecided FUNCTION PARAMETER...: print the expected lines for these parameters
undecided() {
	printf "%s %s: $alignment\n" "$@"
}

# untracked FUNCTION PARAMETER...: so do these, of which DWARF has one location in several registers
untracked() {
	printf '%s %s: it is in a register, but DWARF does not record from which instruction on\n' "$@"
}

# gcc and clang differ: about arrays without elements, and an integer that does not fit into registers
uncertain=$(for param in 'flexible o' 'flexible b' 'ended e' 'ended b' 'split f' 'split g'; do
	echo "$param: $members"
done)

begin 'x86-64, gcc: registers and stack slots of arguments follow the ABI'
(expect_abi x86 87 <<E
$(undecided aligned l aligned i natural q natural h packed q packed h)
$uncertain
padded p: DWARF has no location of it at this instruction
E
)

begin 'x86-64, clang: registers and stack slots of arguments follow the ABI'
(target clang; expect_abi clang 58 -fomit-frame-pointer <<E
$(grep -v ended <<<"$uncertain")
ended e: clang may not have stored it
padded p: it is in pieces
E
)

even=$(undecided full two full f full g natural q natural h packed q packed h tights q tights b)

begin 'x86-64: an unnamed bit-field is all of the first or last eight bytes'
for members_of in 'long a; int : 32;' 'long : 64; long a;'; do
	unit unnamed <<-C
	struct unnamed { $members_of };
	__attribute__((noinline, used)) int take(int a, struct unnamed u, int b) { asm(""); return 0; }
	C
	image unnamed unnamed.o
	expect 0 "$ABTF" list --probe=tracefs --args=a,u.a,b unnamed take
	says ' a=%di:s32$'
	says "u.a is not printed: $members$"
	says "b is not printed: $members$"
done

begin 'arm64: registers and stack slots of arguments follow the ABI'
(target aarch64; expect_abi aarch64 81 <<E
$even
$(untracked odd_wide b odd_wide d quads q split f)
E
)

begin 's390x: registers and stack slots of arguments follow the ABI'
(target s390x; expect_abi s390x 92 <<E
$(grep -v split <<<"$uncertain")
E
)

begin 'ppc64le: registers and stack slots of arguments follow the ABI'
(target powerpc64le; expect_abi powerpc64le 83 <<E
$even
$(untracked quads q)
E
)

begin 'riscv64: registers and stack slots of arguments follow the ABI'
(target riscv64; expect_abi riscv64 88 <<'E'
natural q: it is partly in registers, and partly on the stack
packed q: it is partly in registers, and partly on the stack
E
)

# --- members, and the reads of each tool

mkdir -p kernel
cat >kernel/core.c <<'C'
typedef unsigned long u64;
struct pt_regs {
	u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};
struct name { int len; const char *text; };
struct node { struct node *next; struct name *names[4]; char comm[16]; };
struct bits { unsigned a : 3; int b : 5; unsigned long c : 40; unsigned d : 8; };
struct object {
	int z;
	union { struct { short q; char *label; }; long r; };
	struct node node;
	struct bits bits;
	const struct object *const *list;
	_Bool on;
	struct unknown *unknown;
};
typedef struct { unsigned val; } kuid_t;
struct pair { short x, w; int y; };
struct pt_regs regs;
#define F __attribute__((noinline, used)) static
F int f(struct object *o, char *s, kuid_t uid, struct pair pair, _Bool ctx, unsigned char tag) { asm(""); return 0; }
F long far(int a, int b, int c, int d, int e, int g, int h, struct node *n, struct object big) { asm(""); return 0; }
F struct pair made(int a) { asm(""); return (struct pair){}; }
F void nothing(void) { asm(""); }
F int floats(int a, double d, int b) { asm(""); return 0; }
C
unit kernel/core <kernel/core.c
image vmlinux kernel/core.o

# fetches EXPRESSION FETCH: tracefs reads EXPRESSION with the fetch argument FETCH
fetches() {
	expect 0 quietly "$ABTF" list --probe=tracefs --args="$1" vmlinux "${3:-f}"
	expect_eq "${out#* * }" "$2" "$1"
}

begin 'tracefs: members, pointers and elements are read'
fetches o 'o=%di:x64'
fetches 'o->z' 'z=+0(%di):s32'
fetches 'o->q' 'q=+8(%di):s16'
fetches 'o->label' 'label=+16(%di):x64'
fetches 'o->label:string' 'label=+0(+16(%di)):string'
fetches 'o->label:ustring,s:string' 'label=+0(+16(%di)):ustring s=+0(%si):string'
fetches 'o->r' 'r=+8(%di):s64'
fetches 'o->node.next->next->names[2]->len' 'len=+0(+24(+0(+24(%di)))):s32'
fetches 'o->node.comm:string' 'comm=+64(%di):string'
fetches 'o->node.comm[3]' 'comm=+67(%di):s8'
fetches 's[5]' 's=+5(%si):s8'
fetches 'o[1].z' 'z=+112(%di):s32'
fetches 'o->list[1]->on' 'on=+96(+8(+88(%di))):u8'
fetches 'o->on,on=o->z:x32' 'on=+96(%di):u8 on_2=+0(%di):x32'
fetches n 'n=+16(%sp):x64' far
fetches 'n->next,big.z,h' 'next=+0(+16(%sp)):x64 z=+24(%sp):s32 h=+8(%sp):s32' far

begin 'arrays of no or one element, which may be longer, and a bit-field inside of a byte'
unit tail <<'C'
struct flexible { unsigned a : 3, b : 4; int some[]; };
struct old { int n; int one[1]; };
__attribute__((noinline, used)) int tail(struct flexible *f, struct old *o) { asm(""); return 0; }
C
image tail tail.o
expect 0 quietly "$ABTF" list --probe=tracefs --args='f->some[2],f->b,o->one[3]' tail tail
says ' some=\+12\(%di\):s32 b=\+0\(%di\):b4@3/8 one=\+16\(%si\):s32$'
# bpftrace and libbpf reject names of elements after the end of the type
expect 0 quietly "$ABTF" list --probe=bpftrace --args='f->some[2],o->one[3],o->one[0]' tail tail
says ', \(int32\)\*\(uint32 \*\)\(arg0 \+ 12\), \(int32\)\*\(uint32 \*\)\(arg1 \+ 16\), \(int32\)\$o->one\[0\]\);$'
expect 0 quietly "$ABTF" list --probe=libbpf --args='f->some[2],o->one[3],o->one[0]' tail tail
expect_eq "$(grep -o 'BPF_CORE_READ(.*)' out)" 'BPF_CORE_READ(o, one[0]))'

begin 'tracefs: bit-fields and parts of registers are read'
fetches 'o->bits.a' 'a=+80(%di):b3@0/8'
fetches 'o->bits.c' 'c=+81(%di):b40@0/64'
fetches 'o->bits.d' 'd=+86(%di):u8'
fetches 'uid,tag,ctx' 'uid=%dx:u32 tag=%r9:u8 ctx=%r8:u8'
# a pointer is only hexadecimal by default
fetches 'o:s64,o:u8,o' 'o=%di:s64 o_2=%di:u8 o_3=%di:x64'
fetches 'pair.x' 'x=%cx:s16'
expect 4 "$ABTF" list --probe=tracefs --args=pair.w vmlinux f
says 'error: f: pair.w is not printed: this tool cannot extend the sign of a bit-field or a part of a register'
expect 4 "$ABTF" list --probe=tracefs --args=o-\>bits.b vmlinux f
says 'cannot extend the sign'

begin 's390x: the low bits of a value are its last bytes'
(
	target s390x
	unit big <kernel/core.c
	image big big.o
	expect 0 quietly "$ABTF" list --probe=tracefs --args='o->z:u16,o->r:x8,uid:u16,o->bits.d' big f
	says ' z=\+2\(%r2\):u16 r=\+15\(%r2\):x8 uid=%r4:u16 d=\+86\(%r2\):u8$'
	expect 0 quietly "$ABTF" list --probe=tracefs --args='o->bits.a,o->bits.c' big f
	says ' a=\+80\(%r2\):b3@5/8 c=\+81\(%r2\):b40@24/64$'
)

begin 'a pointer in two registers cannot be followed'
(
	target aarch64
	unit split <<-'C'
	struct __attribute__((packed)) split { int a; struct split *p; };
	__attribute__((noinline, used)) int take(struct split s) { asm(""); return 0; }
	C
	image split split.o
	expect 0 quietly "$ABTF" list --probe=tracefs --args=s.a split take
	expect 4 "$ABTF" list --probe=tracefs --args='s.p->a' split take
	says 'is not printed: the pointer is not in one register$'
)

begin 'numbers in the other byte order: one note'
unit order <<'C'
typedef unsigned short __be16;
typedef unsigned int __le32, __best;
typedef const __be16 port_t;
struct flow { port_t port; __le32 len; __best other; };
static __attribute__((noinline, used)) int flow(struct flow *f, __be16 *to) { asm(""); return 0; }
C
image order order.o
for format in bpftrace tracefs libbpf json; do
	expect 0 "$ABTF" list --probe=$format '--args=f->other,f->port,to[0],f->len' order flow
	says 'f->port: its bytes are in the other order \(__be\), and the probe does not swap them'
	expect_eq "$(grep -c 'other order' out)" 1
	expect 0 "$ABTF" list --probe=$format '--args=f->other,f->len,to' order flow
	has_not out 'other order'
done
expect 0 "$ABTF" list '--args=f->port' order flow
has_not out 'other order'

begin 'bpftrace: 8 of 16 bytes are read by their address'
unit wide <<'C'
struct wide { __int128 w; };
__attribute__((noinline, used)) int wide(struct wide *p) { asm(""); return 0; }
C
image wide wide.o
expect 0 quietly "$ABTF" list --probe=bpftrace --args='p->w:u64' wide wide
says ', \(uint64\)\*\(uint64 \*\)arg0\);$'

begin 'bpftrace: structs with an __int128, at which bpftrace 0.17 aborts, are read by their address'
unit int128 <<'C'
struct wide { int n; union { __int128 w; int x; }; };
struct near { struct wide *wide; int n; };
__attribute__((noinline, used)) int wide(struct wide *p, struct near *q) { asm(""); return 0; }
C
image int128 int128.o
expect 0 quietly "$ABTF" list --probe=bpftrace --args='p,p->n,q->wide,q->wide->n' int128 wide
says '^	\$q = \(struct near \*\)arg1;$'
says ', \(uint64\)arg0, \(int32\)\*\(uint32 \*\)arg0, \(uint64\)\$q->wide, \(int32\)\*\(uint32 \*\)\*\(uint64 \*\)arg1\);$'
if have bpftrace; then
	echo "$out" >int128.bt
	"$ABTF" encode -q -o int128.btf int128
	"$ABTF" strip int128.btf int128.plain
	BPFTRACE_BTF=int128.plain bpftrace -d --unsafe --no-warnings int128.bt >parsed 2>&1 || true
	has parsed 'AST after: ResourceAnalyser'
fi

begin 'expressions that cannot be evaluated are errors with a reason'
# denies EXPRESSION REASON [FUNCTION]
denies() {
	expect 4 "$ABTF" list --probe=tracefs --args="$1" vmlinux "${3:-f}"
	says "error: ${3:-f}: .* is not printed: $2"
}
denies p "there is no such parameter; parameters: o, s, uid, pair, ctx, tag"
denies 'o->no' "'struct object' has no member 'no'"
denies 'o.z' "'struct object \*' is not a struct or union: use ->"
denies 'o->list->on' "'const struct object \*' is not a struct or union: use -> or \[0\]->$"
denies 'o->z->a' "'->a' is not a pointer"
denies 'o->unknown->a' "'struct unknown' is not a struct or union whose members are known"
denies 'o->z[1]' '\[1\] needs an array or a pointer'
denies 'o->unknown[1]' 'the size of the elements is not known'
denies 'o->node' 'it is a struct, union or array'
denies 'o->node.comm' 'it is a struct, union or array'
denies 's:u7' "a value of this type cannot be printed as 'u7', expected string, ustring, or u, s or x"
# the bytes after the value, or the bits above it in a register, would be printed, too
for expr in o-\>bits.a:u8 o-\>z:u64 uid:u64 pair.x:x32 o-\>on:s16 s[0]:u16; do
	denies "$expr" "a value of this type cannot be printed as '${expr#*:}'"
done
denies 'o->z:string' "a value of this type cannot be printed as 'string'"
denies 'o->node.comm[16]' '\[16\] is not in the array, which has 16 elements'
denies 'o->node.names[4]->len' '\[4\] is not in the array, which has 4 elements'
denies 'o->list[999999999]' '\[999999999\] is too far away'
denies 'o->node.next->next->next->next->next->next->next->next->next' 'more than 8 pointers'
denies 'o->list[200000000]->list[200000000]->list[200000000]->list[200000000]' 'it would be longer than the 63 characters'
denies d 'it, or an earlier one, is a floating-point number' floats
denies b 'it, or an earlier one, is a floating-point number' floats
expect 0 "$ABTF" list --probe=tracefs --args=a,b vmlinux floats
says 'warning: floats: b is not printed: it, or an earlier one, is a floating-point'
says ' a=%di:s32$'
expect 0 "$ABTF" list --probe=tracefs --args=' o -> z : u16 , x = o->list [ 1 ],o: s64, s .a ' vmlinux f
spaced=$out
expect 0 "$ABTF" list --probe=tracefs --args='o->z:u16,x=o->list[1],o:s64,s.a' vmlinux f
expect_eq "$spaced" "$out"
for expr in '' ',' 'o->' 'o->z,' '1' 'o[-1]' 'o[' 'o[1' 'o[99999999999999999999]' 'o z' 'o->z!' '=o'; do
	expect 1 "$ABTF" list --probe=tracefs --args="$expr" vmlinux f
	says "error: --args: .*expected \[LABEL=\]NAME"
done

begin 'the error for a floating-point number does not call it a struct'
unit number <<'C'
struct number { double d; };
__attribute__((noinline, used)) int number(struct number *n) { asm(""); return 0; }
C
image number number.o
expect 4 "$ABTF" list --probe=tracefs '--args=n->d' number number
says 'error: number: n->d is not printed: it is a floating-point number$'

begin 'a warning mentions variable arguments, on entry and inside the function'
unit variable <<<'__attribute__((noinline)) void variable(int a, ...) { asm volatile("nop; nop"); }'
image variable variable.o
for name in variable variable+0x1; do
	expect 0 "$ABTF" list --probe=tracefs --args variable $name
	says 'warning: variable: \.\.\. is not printed: the call decides how many there are, and their types$'
	says ' a=%di:s32$'
done
expect 0 quietly "$ABTF" list --probe=json --args variable variable
expect_eq "$(jq -r '.probes[].args[] | .expression' out | xargs)" 'a ...'

begin "the kernel's limits are checked: 32 characters in a name, reserved names, 128 arguments, 4,093 characters"
long=a1234567890123456789012345678901
fetches "$long=o" "$long=%di:x64"
denies "${long}2=o" 'its name is longer than the 32 characters that the kernel accepts: write LABEL=NAME'
for name in common_pid __probe_ip; do
	denies $name=o 'the kernel uses its name: write LABEL=NAME'
	fetches ${name}_=o ${name}_=%di:x64
done
# the last of so many
expect 0 quietly "$ABTF" list --probe=tracefs --args="$(seq -s, -f a%.0f=o 128)" vmlinux f
says ' a128=%di:x64$'
expect 0 "$ABTF" list --probe=tracefs --args="$(seq -s, -f a%.0f=o 130)" vmlinux f
says ' a128=%di:x64$'
says 'warning: f and 1 other: o is not printed: the kernel accepts 128 arguments$'
expect 0 "$ABTF" list --probe=perf --args="$(seq -s, -f ${long%???}%.0f=o 101 200)" vmlinux f
says 'warning: f.*: o is not printed: the event would be longer than the kernel accepts$'
[ "$(wc -c < <(grep p:probe out))" -gt 3000 ]
[ "$(wc -c < <(grep p:probe out))" -lt 3700 ]

begin 'per-CPU pointers are not dereferenced'
(
	target clang
	unit percpu <<-'C'
	struct object { int z; struct object *next; };
	#define __percpu __attribute__((btf_type_tag("percpu")))
	#define F __attribute__((noinline)) int
	F read(struct object __percpu *p, const struct object __percpu *q, struct object *__percpu *r, struct object *o) { asm(""); return 0; }
	C
	image percpu percpu.o
	expect 0 quietly "$ABTF" list --probe=tracefs --args percpu read
	says ' p=%di:x64 q=%si:x64 r=%dx:x64 o=%cx:x64$'
	for expr in 'p->z' 'q->next->z' 'r[1]' 'p[0].z'; do
		expect 4 "$ABTF" list --probe=tracefs --args="$expr" percpu read
		says 'is not printed: the pointer is for all CPUs: each has its own value at another address$'
	done
	expect 0 quietly "$ABTF" list --probe=tracefs --args='o->next->z' percpu read
	says ' z=\+0\(\+8\(%cx\)\):s32$'
)

begin 'options that cannot be combined with --args are rejected'
for options in '--probe=aya' --inlined --table; do
	expect 2 "$ABTF" list $options --args vmlinux f
done

begin 'tracefs: --retprobe prints return values'
returns() {
	expect 0 quietly "$ABTF" list --retprobe --probe=tracefs --args vmlinux "$1"
	expect_eq "${out#* * }" "$2"
}
returns far 'ret=$retval:s64'
returns f 'ret=$retval:s32'
expect 0 quietly "$ABTF" list --retprobe --probe=tracefs --args vmlinux nothing
expect_eq "$(wc -w <<<"$out")" 2
expect 0 quietly "$ABTF" list --retprobe --probe=tracefs --args='$retval.x,y=$retval.y:x32' vmlinux made
expect_eq "${out#* * }" 'x=$retval:s16 y=$retval:b32@32/64'

begin 'bpftrace: programs print arguments'
# program EXPRESSION [FUNCTION]: print the block of a probe, without its first line
program() {
	expect 0 quietly "$ABTF" list --probe=bpftrace --args="$1" vmlinux "${2:-f}"
	out=$(tail -n +2 <<<"$out")
}
program 'o,o->label:string,o->node.comm:string,uid,pair.w,ctx,o->on,o->node.next->names[1]->len'
expect_text "$out" <<'T'
{
	$o = (struct object *)arg0;
	printf("f o=0x%lx label=%s comm=%s uid=%u w=%d ctx=%u on=%u len=%d\n", (uint64)$o, str($o->label), str((arg0 + 64)), (uint32)arg2, (int16)(((uint64)arg3 >> 16) & 0xffff), (uint8)arg4, (uint8)$o->on, (int32)*(uint32 *)*(uint64 *)(*(uint64 *)(arg0 + 24) + 16));
}
T
program 'n->next,h,e,o=n->names[0]' far
expect_text "$out" <<'T'
{
	$n = (struct node *)*(uint64 *)(reg("sp") + 16);
	printf("far next=0x%lx h=%d e=%d o=0x%lx\n", (uint64)$n->next, (int32)*(uint32 *)(reg("sp") + 8), (int32)arg4, (uint64)$n->names[0]);
}
T

# more text than the stack of a program has space for
strings='s,o->r'$(printf ',o->label:string%.0s' {1..12})

begin 'the installed bpftrace accepts the programs'
if have bpftrace; then
	encode vmlinux
	"$ABTF" strip vmlinux.btf plain.btf
	"$ABTF" list --probe=bpftrace --args vmlinux f far nothing 2>/dev/null >all.bt
	"$ABTF" list --probe=bpftrace --args="o->label:string,o->node.comm:string,uid,pair.w,ctx,o->on,o->r,o->node.next->names[1]->len,o->bits.a,o->node.comm[1]" vmlinux f 2>/dev/null >members.bt
	"$ABTF" list --probe=bpftrace --args="n->next,h,big.z,big.node.comm:string,n->names[1]->text:string" vmlinux far 2>/dev/null >stack.bt
	"$ABTF" list --probe=bpftrace --args="$strings" vmlinux f >strings.bt
	for file in all members stack strings; do
		BPFTRACE_BTF=plain.btf bpftrace -d --unsafe --no-warnings $file.bt >parsed 2>&1 || true
		has parsed 'AST after: ResourceAnalyser'
		has_not parsed 'ERROR: .*[0-9]:[0-9]|error:'
	done
else
	skip 'no bpftrace'
fi

begin 'libbpf: the programs compile'
if have clang && have bpftool && [ -e /usr/include/bpf/bpf_core_read.h ]; then
	encode vmlinux
	"$ABTF" strip vmlinux.btf plain.btf
	# shellcheck disable=SC2016
	{
		echo 'typedef unsigned char __u8; typedef unsigned short __u16, __be16, __sum16; typedef unsigned __u32, __be32, __wsum;'
		echo 'typedef unsigned long long __u64, __be64; typedef int __s32; typedef long long __s64;'
		echo 'enum { BPF_MAP_TYPE_ARRAY = 2 };'
		bpftool btf dump file plain.btf format c
		echo '#include <bpf/bpf_helpers.h>'
		echo '#include <bpf/bpf_tracing.h>'
		echo '#include <bpf/bpf_core_read.h>'
		echo 'char _license[] SEC("license") = "GPL";'
		"$ABTF" list --probe=libbpf --args vmlinux f far nothing made
		"$ABTF" list --retprobe --probe=libbpf --args vmlinux f made far nothing
		"$ABTF" list --probe=libbpf --args='o->label:string,o->node.comm:string,uid,pair.w,ctx,o->on,o->r,o->node.next->names[1]->len,o->bits.b,o->bits.d,s[5],s:string,s:x32' vmlinux f |
			sed 's/BPF_KPROBE(f/&_members/'
		"$ABTF" list --probe=libbpf --args='n->next,h,big.z,big.node.comm:string,n->names[1]->text:string,big.bits.a' vmlinux far |
			sed 's/BPF_KPROBE(far/&_members/'
		"$ABTF" list --probe=libbpf --args="$strings" vmlinux f | sed 's/BPF_KPROBE(f/&_strings/'
		"$ABTF" list --probe=libbpf --args="$(printf 'n->names[1]->text:string,%.0s' {1..8})n" vmlinux far |
			sed 's/BPF_KPROBE(far/&_strings/'
	} 2>/dev/null >program.bpf.c
	expect 0 clang -target bpf -D__TARGET_ARCH_x86 -O2 -g -Wall -Werror -Wno-unused-function -c -o program.bpf.o program.bpf.c
	expect_eq "$(readelf -SW program.bpf.o | grep -cE 'k(ret)?probe.* PROGBITS')" 5
else
	skip 'no clang, bpftool or libbpf'
fi

begin 'libbpf: types without a name, or with a tag that another type has, too'
unit tags_a <<'C'
#define F __attribute__((noinline, used))
struct both { int a; };
F int takes(enum { A } e, struct both *b) { asm(""); return 0; }
F enum { B } gives(void) { asm(""); return 0; }
C
unit tags_b <<'C'
union both { int b; long c; };
__attribute__((noinline, used)) int other(union both *b) { asm(""); return 0; }
C
image tags tags_a.o tags_b.o
expect 0 quietly "$ABTF" list --probe=libbpf --args='e,b->a' tags takes
says '^int BPF_KPROBE\(takes_?[0-9a-f]*, unsigned int e, void \*b\)$'
has_not out CORE_READ
expect 0 quietly "$ABTF" list --probe=libbpf --retprobe --args tags gives
says '^int BPF_KRETPROBE\(gives_[0-9a-f]*_ret, unsigned int ret\)$'

begin 'libbpf: no variable has the name of a parameter'
unit pairs <<'C'
struct pair { int key, value; };
__attribute__((noinline, used)) int pairs(struct pair *p, int key_value, int key_value_at) { asm(""); return 0; }
C
image pairs pairs.o
expect 0 quietly "$ABTF" list --probe=libbpf '--args=p->key,p->value,key_value' pairs pairs
says '^	signed int key_value__ = \(signed int\)\(BPF_CORE_READ\(p, key\)\);$'
says '^	signed int value_value = '
says ' key=%ld value=%ld key_value=%ld", \(signed long\)key_value__, \(signed long\)value_value, \(signed long\)key_value\);$'

begin 'libbpf: parameters on the stack, and parameters that are called like ctx'
unit names <<'C'
__attribute__((noinline, used)) int names(int ctx, int ctx_, int ctx__, int d, int e, int f, int x, int x_at)
{ asm(""); return 0; }
C
image names names.o
expect 0 quietly "$ABTF" list --probe=libbpf --args names names
says '^int BPF_KPROBE\(names_[0-9a-f]+, int ctx_, int ctx__, int ctx___, int d, int e\)$'
says '^	unsigned long x_at_ = ctx->sp \+ 8;$'
says '^	unsigned long x_at_at = ctx->sp \+ 16;$'

begin "libbpf: vmlinux.h does not define a module's typedefs and enums"
unit types <<'C'
typedef int number; typedef struct named *pointer; struct named { int a; }; enum color { RED };
__attribute__((section(".modinfo"), used)) static const char info[] = "name=types";
__attribute__((noinline)) number f(number a, enum color b, number *c, pointer d, struct named *e, int g)
{ asm(""); return a; }
C
module types.ko types.o
expect 0 quietly "$ABTF" list --probe=libbpf --args types.ko f
says '^int BPF_KPROBE\(f_types_[0-9a-f]+, signed int a, unsigned int b, void \*c, unsigned long d, struct named \*e\)$'
says '^	int g = \(int\)\(ctx->r9\);$'
expect 0 quietly "$ABTF" list --probe=libbpf --retprobe --args types.ko f
says '^int BPF_KRETPROBE\(f_types_[0-9a-f]+_ret, signed int ret\)$'

begin 'libbpf: char is unsigned in the kernel, but not for BPF; bpftrace: more than 32 bits need %lu'
unit unsigned -funsigned-char <<'C'
struct bits { unsigned long a : 24, b : 40; };
__attribute__((noinline)) int takes(char c, signed char s, struct bits bits) { asm(""); return 0; }
C
image unsigned unsigned.o
expect 0 quietly "$ABTF" list --probe=libbpf --args=c,s unsigned takes
says ' c=%lu s=%ld", \(unsigned long\)\(unsigned char\)c, \(signed long\)s\);$'
expect 0 quietly "$ABTF" list --probe=bpftrace --args=bits.a,bits.b unsigned takes
says ' a=%u b=%lu'

begin 'libbpf: only the low byte of a bool is read'
expect 0 quietly "$ABTF" list --probe=libbpf --args=ctx vmlinux f
says '^	unsigned char ctx_ = \(unsigned char\)\(ctx->r8\);$'

begin 'libbpf: a packed enum is an integer: bpftool 7.1 prints it as if it had four bytes'
unit packed <<'C'
enum low { LOW = -1, HIGH } __attribute__((packed));
struct level { char c; enum low low; };
__attribute__((noinline)) int takes(enum low low, struct level *level) { asm(""); return 0; }
C
image packed packed.o
expect 0 quietly "$ABTF" list --probe=libbpf --args='low,level->low' packed takes
says '^int BPF_KPROBE\(takes_0, signed char low, struct level \*level\)$'
says '^	signed char low_2_value = \(signed char\)\(0\);$'

# --- at inlined calls, and in functions without a proven prototype

cat >inl.c <<'C'
struct object { int z; struct object *next; };
typedef struct { unsigned val; } kuid_t;
#define F __attribute__((noinline, used)) static
static inline __attribute__((always_inline)) int inl(struct object *o, int k, long c, kuid_t uid)
{
	asm volatile("nop" : : "r"(o), "r"(k));
	return o->next->z + k + c + uid.val;
}
F int outer(struct object *o, int k, kuid_t uid) { return inl(o, k, 7, uid); }
F int moved(int k, struct object *o) { asm volatile("nop"); return inl(o->next, k + 1, -2, (kuid_t){ 5 }); }
F int frame(void) { struct object o = {}; asm volatile("" : : "r"(&o) : "memory"); return inl(&o, 1, 2, (kuid_t){ 3 }); }
static __attribute__((noinline)) int shrunk(struct object *o, int unused, int k) { asm volatile("nop"); return o->z + k; }
F int caller(struct object *o, int k) { return shrunk(o, 1, k) + shrunk(o->next, 1, k + 2); }
C

# calls IMAGE <<'E': the arguments of inl in each function
calls() {
	expect 0 quietly "$ABTF" list --inlined --probe=json --args "$1" inl
	expect_text "$(jq -r '.probes[] | (.call // .name | sub(" at .*"; "")) + ": " + ([.args[] | .name + "=" +
		(.reason // ((.registers + (.offsets | map(tostring)) + [.add | tostring]) | join(" ")))] |
		join(", "))' <<<"$out")"
}

begin 'inlined calls, gcc: registers and constants'
unit inl <inl.c
image inlined inl.o
another='DWARF may describe another value of it'
calls inlined <<E
inl in outer: o=di 0, k=si 0, c=7, uid=$another
inl in moved: o=dx 0, k=ax 0, c=-2, uid=$another
inl in frame: o=ax 0, k=1, c=2, uid=$another
E

begin 'inlined calls, clang: registers and addresses in the frame; constants may be assigned'
(
	target clang
	unit inl <inl.c
	image inlined.clang inl.o
	calls inlined.clang <<E
inl in outer: o=di 0, k=si 0, c=$another, uid=dx 0
inl in moved: o=ax 0, k=cx 0, c=$another, uid=$another
inl in frame: o=sp 0, k=$another, c=$another, uid=$another
E
	expect 0 "$ABTF" list --probe=tracefs --args inlined.clang shrunk
	says 'warning: shrunk: unused is not printed: DWARF has no location of it'
	says ' o=%di:x64 k=%si:s32$'
)

begin 'inlined calls: tools read the registers of the call'
expect 0 quietly "$ABTF" list --inlined --probe=tracefs --args='o->next->z,c' inlined inl
says '^p:abtf/inl_28 _text\+0x28 z=\+0\(\+8\(%dx\)\):s32 c=\\-2:s64$'
expect 0 quietly "$ABTF" list --inlined --probe=bpftrace --args='o->next->z' inlined inl
says '^	\$o = \(struct object \*\)reg\("dx"\);$'
expect 0 quietly "$ABTF" list --inlined --probe=libbpf --args='o->next->z' inlined inl
says '^int BPF_KPROBE\(inl_28\)$'
says '^	struct object \*o = \(struct object \*\)\(ctx->dx\);$'

begin "inside a function: the parameters' locations at that address"
expect 0 quietly "$ABTF" list --probe=tracefs --args inlined moved@inl.c+0x8
says ' k=%di:s32 o=%si:x64$'

begin 'a function is found with any description of its code (low_pc, ranges)'
# unit_code PERL [FLAG...]: make image $out from changed assembly
unit_code() {
	local change=$1
	shift
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine "$@" -dA -S -o code.s inl.c
	perl -0pi -e "$change" code.s
	# shellcheck disable=SC2086
	$CC $machine -c -o code.o code.s
	image "$out" code.o
	expect 0 quietly "$ABTF" list --probe=tracefs --args "$out" moved@inl.c+0x8
	says ' k=%di:s32 o=%si:x64$'
}
out=one-range unit_code 1
for version in 4 5; do
	out=list$version unit_code '/DW_AT_ranges/ or die' -ffunction-sections -gdwarf-$version
done
# a range without an end, and a list outside of the section
out=no-end unit_code 's/TAG_compile_unit.*?\.uleb128 \K0x12(?=\s+# \(DW_AT_high_pc)/0x3ff0/s or die'
out=no-list unit_code 's/\.long\s+\K\S+(?=\s+# DW_AT_ranges)/0x7fffffff/ or die' -ffunction-sections

begin 'an address in the frame, and an argument without a location: the reason is printed'
unit lost -O0 <<'C'
static __attribute__((noinline, used)) int lost(int a) { asm volatile("nop"); return a; }
C
image lost lost.o
expect 4 "$ABTF" list --probe=tracefs --args lost lost+0x8
says 'error: lost: a is not printed: it is in the frame, but DWARF does not record from which instruction on'

begin 'without any value, the exit status is the same for all tools'
for tool in bpftrace libbpf perf tracefs cilium bcc json; do
	expect 4 "$ABTF" list --probe=$tool --args=nosucharg lost lost
	says 'lost: nosucharg is not printed: there is no such parameter; parameters: a'
done
expect_eq "$("$ABTF" list --probe=json --args=nosucharg,a lost lost | jq -c '[.error, [.warnings[] | select(test("not printed"))]]')" '[null,[]]'
