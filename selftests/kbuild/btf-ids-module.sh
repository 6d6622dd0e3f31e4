#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# As btf-ids.sh, in modules: ids of their own functions, by .rela.BTF and symbols
# of the module, and of vmlinux's.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/link.sh"

ids_unit core <<'C'
struct task { int pid; struct task *next; };
int exported(struct task *t) { return t->pid; }
static noinline __used int dup(int a) { return a; }
static noinline __used int hidden(int a) { return a + 1; }
static noinline __used int several(int a) { return a + 2; }
static noinline __used int over(int a) { return a + 3; }
C
ids_unit more <<'C'
static noinline __used long several(long a) { return a + 4; }
int over(long a) { return a + 5; }
C
unit late -g0 <<'C'
const char kallsyms_names[20000] = { 1 };
C
links core.o more.o -- late.o
resolve --plain vmlinux.btf

# Two files have a dup, as vmlinux has.
ids_unit one <<'C'
struct task { int pid; struct task *next; };
struct own { struct task *t; };
static noinline __used int pad(struct own *o) { return o->t->pid; }
static noinline __used int dup(int a) { return a; }
BTF_ID_LIST(one_list)
BTF_ID(func, dup)
BTF_ID(func, hidden)
BTF_ID(func, exported)
BTF_ID(func, over)
BTF_ID(struct, own)
BTF_ID(struct, task)
BTF_ID(func, nowhere)
C
ids_unit two <<'C'
static noinline __used int dup(int a) { return a + 7; }
static noinline __used int alone(int a) { return a; }
int mod_init(void) { return 0; }
BTF_KFUNCS_START(two_set8)
BTF_ID_FLAGS(func, mod_init, 1)
BTF_ID_FLAGS(func, dup, 2)
BTF_ID_FLAGS(func, alone, 4)
BTF_KFUNCS_END(two_set8)
C

# module_of OBJECT...: links module m.ko and encodes it; m.linked is a copy
module_of() {
	module m.ko "$@"
	"$ABTF" encode -q --base vmlinux m.ko
	cp m.ko m.linked
}

module_refused() {
	expect $failed "$patched" -b vmlinux m.ko
	cmp -s m.ko m.linked || fail 'the module was changed'
}

module=m.ko
module_of one.o two.o
begin 'the function of the same file of the module; of vmlinux, the global or only one'
expect 0 "$patched" -b vmlinux m.ko
expect_text "$out" <<<'WARN: resolve_btfids: unresolved symbol nowhere'
expect_ids one_list <<'I'
func m:dup@one.c
func hidden
func exported
func over@more.c
struct own
struct task
0
I
expect_text "$(raw_ids two_set8 2; ids two_set8 8 | tail -n 6 | paste -d' ' - - | sort)" <<'I'
3
1
func m:alone 4
func m:dup@two.c 2
func m:mod_init 1
I
raw_ids two_set8 8 | tail -n 6 | awk 'NR % 2' | sort -nc || fail 'not sorted'

begin 'nothing but the ids has changed'
objcopy --remove-section=.BTF_ids m.ko now.rest
objcopy --remove-section=.BTF_ids m.linked linked.rest
cmp now.rest linked.rest || fail 'it has'
expect 0 "$ABTF" check --base vmlinux m.ko

begin 'a module without functions: ids of those of vmlinux'
ids_unit none <<'C'
BTF_ID_LIST(none_list)
BTF_ID(func, exported)
BTF_ID(func, over)
C
module_of none.o
expect 0 "$patched" -b vmlinux m.ko
expect_ids none_list <<'I'
func exported
func over@more.c
I

begin 'vmlinux has several, and none is global'
ids_unit none <<'C'
BTF_ID_LIST_SINGLE(none_list, func, several)
C
module_of one.o none.o
module_refused
expect_text "$(grep -v WARN out | sed 's/0x[0-9a-f]*/OFFSET/')" <<'E2'
FAILED BTF_ID(func, several): there are 2 functions of that name, and none is global or the only one in that file:
  core.c at .text+OFFSET
  more.c at .text+OFFSET
E2

begin '... neither as its plain form tells'
expect $failed "$patched" -b vmlinux.btf m.ko
says '^FAILED BTF_ID\(func, several\): there are 2 functions of that name'
expect_eq "$(grep -c '^  type ID [0-9]*$' out)" 2

begin 'the plain form, which has no symbols, is as good as vmlinux'
module_of one.o two.o
cp m.ko on-plain.ko
expect 0 "$patched" -b vmlinux m.ko
expect 0 "$patched" -b vmlinux.btf on-plain.ko
cmp m.ko on-plain.ko || fail 'the module differs'

begin 'a module that an old encoder made: every byte as by the pristine tool'
module m.ko one.o two.o
pahole -J --btf_base vmlinux.btf m.ko
cp m.ko m.pristine
expect 0 "$patched" -b vmlinux.btf m.ko
cp out said
expect 0 "$stock" -b vmlinux.btf m.pristine
cmp m.ko m.pristine || fail 'the module differs'
cmp out said || fail 'what is said differs'

begin '.rela.BTF is not there'
module_of one.o two.o
objcopy --remove-section=.rela.BTF m.ko
readelf -SW m.ko >sections
has_not sections 'rela\.BTF '
cp m.ko m.linked
module_refused
says '^FAILED m.ko: FUNC [a-z_]+ \[[0-9]+\]: .rela.BTF does not name the function at 0x[0-9a-f]+$'

begin 'two of its entries name the symbol of the other'
module_of one.o two.o
read -r at size < <(readelf -SW m.ko | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 == ".rela.BTF" { print $4, $5 }')
at=$((0x$at)) size=$((0x$size))
expect_eq $((size / 24)) 5 'entries'
# The symbol is the upper half of the second word.
bytes() {
	dd if="$1" bs=1 skip="$2" count=4 status=none
}
bytes m.linked $((at + 12)) | dd of=m.ko bs=1 seek=$((at + 36)) conv=notrunc status=none
bytes m.linked $((at + 36)) | dd of=m.ko bs=1 seek=$((at + 12)) conv=notrunc status=none
cp m.ko m.linked
module_refused
says '.rela.BTF does not name the function'

begin 'a byte of .rela.BTF is another one: noticed, or without effect'
module_of one.o two.o
cp m.ko good.ko
cp m.ko want.ko
expect 0 "$patched" -b vmlinux want.ko
read -r ids_at ids_size < <(readelf -SW m.ko | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 == ".BTF_ids" { print $4, $5 }')
: >results
for ((i = 0; i < size; i++)); do
	cp good.ko m.ko
	printf "\\x$(printf %x $((i * 37 % 256)))" | dd bs=1 conv=notrunc status=none of=m.ko seek=$((at + i))
	cp m.ko m.linked
	status=0
	"$patched" -b vmlinux m.ko >said 2>&1 || status=$?
	echo $status >>results
	case $status in
	0)	cmp -n $((0x$ids_size)) -i $((0x$ids_at)) m.ko want.ko || fail "byte $i: other ids" ;;
	255)	cmp m.ko m.linked || fail "byte $i: failed, and the module was changed" ;;
	*)	fail "byte $i: exit status $status"
		head -n 30 said ;;
	esac
done
sort results | uniq -c
[ "$(grep -c 255 results)" -ge 30 ] || fail 'hardly any was noticed'
