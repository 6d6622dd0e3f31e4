#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args: arguments of inlined calls, and inside functions without a proven prototype.
. "${0%/*}/../lib.sh"

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

# expect_calls IMAGE <<'E': compare the arguments of inl() in each function
expect_calls() {
	expect 0 quietly "$ABTF" list --inlined --probe=json --args "$1" inl
	expect_text "$(jq -r '.probes[] | (.call // .name | sub(" at .*"; "")) + ": " + ([.args[] | .name + "=" +
		(.reason // ((.registers + (.offsets | map(tostring)) + [.add | tostring]) | join(" ")))] |
		join(", "))' <<<"$out")"
}

begin 'inlined calls, gcc: registers and constants'
unit inl <inl.c
image inlined inl.o
another='DWARF may describe another value of it'
expect_calls inlined <<E
inl in outer: o=di 0, k=si 0, c=7, uid=$another
inl in moved: o=dx 0, k=ax 0, c=-2, uid=$another
inl in frame: o=ax 0, k=1, c=2, uid=$another
E

begin 'inlined calls, clang: registers and addresses in the frame; constants may be assigned'
(
	target clang
	unit inl <inl.c
	image inlined.clang inl.o
	expect_calls inlined.clang <<E
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

begin "inside a function, the parameters' locations at that address are used"
expect 0 quietly "$ABTF" list --probe=tracefs --args inlined moved@inl.c+0x8
says ' k=%di:s32 o=%si:x64$'

begin 'a function is found with any description of its code (low_pc, ranges)'
# check_code NAME PERL [FLAG...]: link an image from changed assembly, and find the function in it
check_code() {
	local name=$1 change=$2

	shift 2
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine "$@" -dA -S -o code.s inl.c
	perl -0pi -e "$change" code.s
	# shellcheck disable=SC2086
	$CC $machine -c -o code.o code.s
	image "$name" code.o
	expect 0 quietly "$ABTF" list --probe=tracefs --args "$name" moved@inl.c+0x8
	says ' k=%di:s32 o=%si:x64$'
}
check_code one-range 1
for version in 4 5; do
	check_code list$version '/DW_AT_ranges/ or die' -ffunction-sections -gdwarf-$version
done
# a range without an end, and a list outside of the section
check_code no-end 's/TAG_compile_unit.*?\.uleb128 \K0x12(?=\s+# \(DW_AT_high_pc)/0x3ff0/s or die'
check_code no-list 's/\.long\s+\K\S+(?=\s+# DW_AT_ranges)/0x7fffffff/ or die' -ffunction-sections
