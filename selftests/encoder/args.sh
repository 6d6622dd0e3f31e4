#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args prints code that reads arguments and their members.  A guest test checks the values that the
# tools read.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/args.sh"

begin 'tracefs: members, pointers and elements are read'
expect_fetch o 'o=%di:x64'
expect_fetch 'o->z' 'z=+0(%di):s32'
expect_fetch 'o->q' 'q=+8(%di):s16'
expect_fetch 'o->label' 'label=+16(%di):x64'
expect_fetch 'o->label:string' 'label=+0(+16(%di)):string'
expect_fetch 'o->label:ustring,s:string' 'label=+0(+16(%di)):ustring s=+0(%si):string'
expect_fetch 'o->r' 'r=+8(%di):s64'
expect_fetch 'o->node.next->next->names[2]->len' 'len=+0(+24(+0(+24(%di)))):s32'
expect_fetch 'o->node.comm:string' 'comm=+64(%di):string'
expect_fetch 'o->node.comm[3]' 'comm=+67(%di):s8'
expect_fetch 's[5]' 's=+5(%si):s8'
expect_fetch 'o[1].z' 'z=+112(%di):s32'
expect_fetch 'o->list[1]->on' 'on=+96(+8(+88(%di))):u8'
expect_fetch 'o->on,on=o->z:x32' 'on=+96(%di):u8 on_2=+0(%di):x32'
expect_fetch n 'n=+16(%sp):x64' far
expect_fetch 'n->next,big.z,h' 'next=+0(+16(%sp)):x64 z=+24(%sp):s32 h=+8(%sp):s32' far

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
expect_fetch 'o->bits.a' 'a=+80(%di):b3@0/8'
expect_fetch 'o->bits.c' 'c=+81(%di):b40@0/64'
expect_fetch 'o->bits.d' 'd=+86(%di):u8'
expect_fetch 'uid,tag,ctx' 'uid=%dx:u32 tag=%r9:u8 ctx=%r8:u8'
# a pointer is only hexadecimal by default
expect_fetch 'o:s64,o:u8,o' 'o=%di:s64 o_2=%di:u8 o_3=%di:x64'
expect_fetch 'pair.x' 'x=%cx:s16'
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

begin 'for values in the other byte order, one note is printed'
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

begin 'tracefs: --retprobe prints return values'
# expect_return FUNCTION FETCH: tracefs reads the result of FUNCTION with FETCH
expect_return() {
	expect 0 quietly "$ABTF" list --retprobe --probe=tracefs --args vmlinux "$1"
	expect_eq "${out#* * }" "$2"
}
expect_return far 'ret=$retval:s64'
expect_return f 'ret=$retval:s32'
expect 0 quietly "$ABTF" list --retprobe --probe=tracefs --args vmlinux nothing
expect_eq "$(wc -w <<<"$out")" 2
expect 0 quietly "$ABTF" list --retprobe --probe=tracefs --args='$retval.x,y=$retval.y:x32' vmlinux made
expect_eq "${out#* * }" 'x=$retval:s16 y=$retval:b32@32/64'
