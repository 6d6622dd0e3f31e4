#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args with a cached function map, in modules, and without DWARF; and the column that it
# adds to the table.
. "${0%/*}/../lib.sh"
unset DEBUGINFOD_URLS

mkdir -p kernel
cat >kernel/core.c <<'C'
struct object { int z; struct object *next; };
int sink;
static __attribute__((noinline, used)) int dup(struct object *o, int k) { asm volatile("nop; nop" : : : "memory"); return o->z + k; }
__attribute__((noinline)) int only(struct object *o) { return dup(o, 1); }
double floats(int a, double d) { return d; }
C
unit kernel/core <kernel/core.c
unit kernel/other <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { asm volatile("nop" : : : "memory"); return p[n]; }
C
image vmlinux kernel/core.o kernel/other.o

begin 'the column has a question mark for an argument without a location'
expect 0 quietly "$ABTF" list -a --args vmlinux floats only
says ' a=%di:s32,d=\?( |$)'
says ' o=%di:x64( |$)'

begin 'an invalid expression is one error, not one for each function'
expect 1 "$ABTF" list -a --args='o z' vmlinux '*'
expect_eq "$(grep -c 'expected \[LABEL=\]NAME' out)" 1

begin 'a cached function map: DWARF is read from the image'
id=$(build_id vmlinux)
mkdir -p root/usr/lib/debug/boot
cp vmlinux root/usr/lib/debug/boot/vmlinux-6.12
export XDG_CACHE_HOME=$PWD/cache
for call in first second; do
	expect 0 quietly "$ABTF" list --build-id="$id" --sysroot=root --probe=tracefs --args dup@core.c+0x2
	says ' o=%di:x64 k=%si:s32$'
	[ -s "$XDG_CACHE_HOME/abtf/$id.functions" ] || fail "$call: the function map is not cached"
done

begin 'without the image, arguments on entry are known; elsewhere, the reason is printed'
expect 0 quietly "$ABTF" list --build-id="$id" --sysroot=nowhere --probe=tracefs --args dup@core.c
says ' o=%di:x64 k=%si:s32$'
expect 4 "$ABTF" list --build-id="$id" --sysroot=nowhere --probe=tracefs --args dup@core.c+0x2
says ': o is not printed: only DWARF of the image shows where it is at this instruction$'
says ': k is not printed: only DWARF'

begin "types of a module may be missing from the kernel's BTF: programs read bytes"
{ echo 'static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=my_mod";'; cat kernel/core.c; } | unit mod
module mod.ko mod.o
for format in bpftrace libbpf; do
	expect 0 quietly "$ABTF" list --probe=$format --args='o->next->z' vmlinux only
	says 'object \*'
	has out 'o->next->z|BPF_CORE_READ\(o, next, z\)'
	expect 0 quietly "$ABTF" list --probe=$format --args='o->next->z' mod.ko only
	has_not out 'o->next->z|BPF_CORE_READ|\(struct object'
done
