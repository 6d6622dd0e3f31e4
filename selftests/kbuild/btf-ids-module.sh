#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In a module, BTF_ID() of a function that exists in the module and in vmlinux gets the id of the
# module's function. All other ids are the same as with the original tool.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/link.sh"

ids_unit core <<'C'
struct task { int pid; struct task *next; };
int exported(struct task *t) { return t->pid; }
int dup(int a) { return a; }
int other(long a) { return a + 1; }
C
link vmlinux core.o
"$ABTF" encode -q vmlinux

# Functions with the same prototype as in vmlinux, and with another one
ids_unit one <<'C'
struct task { int pid; struct task *next; };
struct own { struct task *t; };
int dup(int a) { return a + 7; }
int other(struct own *o) { return o->t->pid; }
BTF_ID_LIST(one_list)
BTF_ID(func, dup)
BTF_ID(func, other)
BTF_ID(func, exported)
BTF_ID(struct, own)
BTF_ID(struct, task)
BTF_ID(func, nowhere)
BTF_KFUNCS_START(one_set8)
BTF_ID_FLAGS(func, other, 1)
BTF_ID_FLAGS(func, dup, 2)
BTF_KFUNCS_END(one_set8)
C

module=m.ko
module m.ko one.o
cp m.ko m.linked
# names do not show whether a function is in vmlinux or in the module
own() {
	"$ABTF" list -aj --base vmlinux m.ko | jq ".functions[] | select(.name == \"$1\").id"
}

begin "a module's own function, although vmlinux has one with the same name"
by_kbuild "$ABTF_PAHOLE" "$patched" m.ko
says '^WARN: resolve_btfids: unresolved symbol nowhere$'
expect_eq "$(raw_ids one_list 2 | tr '\n' ' ')" "$(own dup) $(own other) "
[ -n "$(own dup)" ] || fail 'no FUNC for dup'
expect_ids one_list <<'I'
func dup
func other
func exported
struct own
struct task
0
I
expect_eq "$(raw_ids one_set8 6 | tail -n 4 | awk 'NR % 2' | sort -n | tr '\n' ' ')" \
	"$(printf '%s\n' "$(own dup)" "$(own other)" | sort -n | tr '\n' ' ')"

begin 'only BTF and the ids have changed'
for file in m.ko m.linked; do
	objcopy --remove-section=.BTF --remove-section=.rela.BTF --remove-section=.BTF_ids $file $file.rest
done
cmp m.ko.rest m.linked.rest || fail 'another section of the module changed'
expect 0 "$ABTF" check --base vmlinux m.ko

begin 'without addresses: the same bytes as by the pristine tool'
link vmlinux core.o
pahole -J vmlinux
module m.ko one.o
cp m.ko m.new
by_kbuild pahole "$stock" m.ko
mv m.ko m.pristine
says 'unresolved symbol nowhere'
echo "$out" >said
mv m.new m.ko
by_kbuild pahole "$patched" m.ko
cmp m.ko m.pristine || fail 'the module differs'
expect_eq "$out" "$(cat said)" 'messages'
