#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args: programs for bpftrace and libbpf.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/args.sh"

begin 'bpftrace: 8 of 16 bytes are read by their address'
unit wide <<'C'
struct wide { __int128 w; };
__attribute__((noinline, used)) int wide(struct wide *p) { asm(""); return 0; }
C
image wide wide.o
expect 0 quietly "$ABTF" list --probe=bpftrace --args='p->w:u64' wide wide
says ', \(uint64\)\*\(uint64 \*\)arg0\);$'

begin 'a member is read by its name if a type with fewer bits is requested'
unit narrow <<'C'
struct narrow { unsigned long v; void *p; struct narrow *next; };
__attribute__((noinline, used)) int narrow(struct narrow *n) { asm(""); return 0; }
C
image narrow narrow.o
expect 0 quietly "$ABTF" list --probe=bpftrace --args='n->v:s8,n->p:x32,n->next->v:u16' narrow narrow
says ', \(int8\)\$n->v, \(uint32\)\$n->p, \(uint16\)\$n->next->v\);$'
expect 0 quietly "$ABTF" list --probe=libbpf --args='n->next->v:u16' narrow narrow
says '\(unsigned short\)\(BPF_CORE_READ\(n, next, v\)\);$'

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

begin 'bpftrace: programs print arguments'
# make_program EXPRESSION [FUNCTION]: set $out to the block of a probe, without its first line
make_program() {
	expect 0 quietly "$ABTF" list --probe=bpftrace --args="$1" vmlinux "${2:-f}"
	out=$(tail -n +2 <<<"$out")
}
make_program 'o,o->label:string,o->node.comm:string,uid,pair.w,ctx,o->on,o->node.next->names[1]->len'
expect_text "$out" <<'T'
{
	$o = (struct object *)arg0;
	printf("f o=0x%lx label=%s comm=%s uid=%u w=%d ctx=%u on=%u len=%d\n", (uint64)$o, str($o->label), str((arg0 + 64)), (uint32)arg2, (int16)(((uint64)arg3 >> 16) & 0xffff), (uint8)arg4, (uint8)$o->on, (int32)*(uint32 *)*(uint64 *)(*(uint64 *)(arg0 + 24) + 16));
}
T
make_program 'n->next,h,e,o=n->names[0]' far
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
		"$ABTF" list --probe=libbpf --args='o->label:string,o->node.comm:string,uid,pair.w,ctx,o->on,o->r,o->node.next->names[1]->len,o->bits.b,o->bits.d,s[5],s:string,s:x32,o->label:x16,o->on:s8' vmlinux f |
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

begin 'libbpf: a type without a name, or with a tag that another type has, too, is not mentioned'
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

begin 'libbpf: parameters on the stack are read from ctx, and parameters called ctx are renamed'
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
