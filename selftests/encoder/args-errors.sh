#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args: expressions that cannot be evaluated, and the limits of the kernel.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/args.sh"

# expect_denied EXPRESSION REASON [FUNCTION]: tracefs cannot print EXPRESSION because of REASON
expect_denied() {
	expect 4 "$ABTF" list --probe=tracefs --args="$1" vmlinux "${3:-f}"
	says "error: ${3:-f}: .* is not printed: $2"
}

begin 'expressions that cannot be evaluated are errors with a reason'
expect_denied p "there is no such parameter; parameters: o, s, uid, pair, ctx, tag"
expect_denied 'o->no' "'struct object' has no member 'no'"
expect_denied 'o.z' "'struct object \*' is not a struct or union: use ->"
expect_denied 'o->list->on' "'const struct object \*' is not a struct or union: use -> or \[0\]->$"
expect_denied 'o->z->a' "'->a' is not a pointer"
expect_denied 'o->unknown->a' "'struct unknown' is not a struct or union whose members are known"
expect_denied 'o->z[1]' '\[1\] needs an array or a pointer'
expect_denied 'o->unknown[1]' 'the size of the elements is not known'
expect_denied 'o->node' 'it is a struct, union or array'
expect_denied 'o->node.comm' 'it is a struct, union or array'
expect_denied 's:u7' "a value of this type cannot be printed as 'u7', expected string, ustring, or u, s or x"
# the bytes after the value, or the bits above it in a register, would be printed, too
for expr in o-\>bits.a:u8 o-\>z:u64 uid:u64 pair.x:x32 o-\>on:s16 s[0]:u16; do
	expect_denied "$expr" "a value of this type cannot be printed as '${expr#*:}'"
done
expect_denied 'o->z:string' "a value of this type cannot be printed as 'string'"
expect_denied 'o->node.comm[16]' '\[16\] is not in the array, which has 16 elements'
expect_denied 'o->node.names[4]->len' '\[4\] is not in the array, which has 4 elements'
expect_denied 'o->list[999999999]' '\[999999999\] is too far away'
expect_denied 'o->node.next->next->next->next->next->next->next->next->next' 'more than 8 pointers'
expect_denied 'o->list[200000000]->list[200000000]->list[200000000]->list[200000000]' 'it would be longer than the 63 characters'
expect_denied d 'it, or an earlier one, is a floating-point number' floats
expect_denied b 'it, or an earlier one, is a floating-point number' floats
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
expect_fetch "$long=o" "$long=%di:x64"
expect_denied "${long}2=o" 'its name is longer than the 32 characters that the kernel accepts: write LABEL=NAME'
for name in common_pid __probe_ip; do
	expect_denied $name=o 'the kernel uses its name: write LABEL=NAME'
	expect_fetch ${name}_=o ${name}_=%di:x64
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

begin 'options that cannot be combined with --args are rejected'
for options in '--probe=aya' --inlined --table; do
	expect 2 "$ABTF" list $options --args vmlinux f
done

begin 'an argument in the frame is not printed if DWARF does not record when it is stored there'
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
