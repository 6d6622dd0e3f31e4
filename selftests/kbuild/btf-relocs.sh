#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# resolve_btfids --btf_relocs, the last step for a module with sorted BTF, adds relocations, or prints
# why it does not.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/link.sh"
if ! by_file; then
	begin 'resolve_btfids --btf_relocs'
	skip 'the encoder writes the relocations, because BTF is not sorted afterwards'
	exit 77
fi

# Two sections each start with a twin: the same offset in two files.  Another section has
# first_impl(), which could be a kfunc's prototype, but is a separate function.
objects() {
	unit core <<-'C'
	struct task { int pid; struct task *next; };
	int exported(struct task *t) { return t->pid; }
	C
	unit a <<-'C'
	struct task { int pid; struct task *next; };
	static __attribute__((noinline, used)) int pad(struct task *t) { return t->pid; }
	static __attribute__((noinline, used)) int twin(int a) { return a; }
	int zebra(int a) { return a + 1; }
	int __attribute__((section(".init.text"))) first(int a) { return a + 2; }
	int __attribute__((section(".text.impl"))) first_impl(int a) { return a + 3; }
	C
	unit b <<-'C'
	struct own { struct task *t; };
	static __attribute__((noinline, used)) long twin(struct own *o) { return o != 0; }
	int __attribute__((section(".text.other"))) other(struct own *o) { return twin(o) + 5; }
	C
	link vmlinux core.o
	"$ABTF" encode -q vmlinux
}

# without_relocs MODULE: encode, sort and embed BTF, without relocations
without_relocs() {
	"$ABTF_PAHOLE" -J --btf_features=+func_addr,func_unit --btf_base vmlinux \
		--btf_encode_detached="$1.BTF.1" "$1"
	expect 0 "$patched" -b vmlinux --btf "$1.BTF.1" "$1"
	tool objcopy --add-section ".BTF=$1.BTF" "$1"
}

# relocs MODULE: print symbol, type and addend of the relocation of each FUNC
relocs() {
	tool readelf -rW "$1" | awk '/^Relocation section/ { on = /\.rela\.BTF/ }
		on && $1 ~ /^[0-9a-f]+$/ { print $5, $3, $7 == "" ? $6 : $7 }' | sort
}

positive() {
	objects
	module m.ko a.o b.o
	cp m.ko by-abtf.ko
	"$ABTF" encode -q --base vmlinux by-abtf.ko
	without_relocs m.ko
	cp m.ko bare.ko

	begin "$1: the same relocations as from abtf, without sorting"
	expect 0 "$patched" --btf_base vmlinux --btf_relocs m.ko
	expect_none <<<"$out"
	expect_text "$(relocs m.ko)" <<<"$(relocs by-abtf.ko)"
	expect_eq "$(relocs m.ko | cut -d' ' -f1 | tr '\n' ' ')" 'first_impl other pad twin twin zebra '

	begin "$1: abtf check finds no violation, and every function is in its section"
	expect 0 "$ABTF" check --base vmlinux m.ko
	says '7 functions.*0 violations'
	for file in m.ko by-abtf.ko; do
		"$ABTF" list -aj --base vmlinux $file |
			jq -r '.functions[] | "\(.name) \(.offset) \(.flags)"' | sort >$file.list
	done
	cmp m.ko.list by-abtf.ko.list || { fail "the functions differ from abtf's:"; diff by-abtf.ko.list m.ko.list; }

	begin "$1: the other sections are unchanged"
	tool objcopy --remove-section=.rela.BTF m.ko m.rest
	tool objcopy --remove-section=.rela.BTF bare.ko bare.rest
	cmp m.rest bare.rest || fail 'another section of the module changed'
}

positive x86_64
begin 'types are sorted by resolve_btfids, but not by abtf'
for file in m.ko by-abtf.ko; do
	section $file .BTF own.btf
	"$dump" own.btf vmlinux | sed -nE 's/^\[[0-9]+\] (STRUCT|FUNC) ([^ ]+).*/\2/p' >$file.names
done
sort -c m.ko.names || fail 'the types are not sorted'
! sort -c by-abtf.ko.names 2>/dev/null || fail "abtf's types are sorted, too, so the test is useless"

# not_made MESSAGE [BASE]: expect an error with this message, and an unchanged m.ko
not_made() {
	cp m.ko before.ko
	expect $failed "$patched" --btf_base "${2:-vmlinux}" --btf_relocs m.ko
	says "$1"
	cmp -s m.ko before.ko || fail 'm.ko was changed'
}

begin 'a FUNC without a matching symbol is rejected'
tool objcopy --redefine-sym zebra=horse bare.ko m.ko
not_made '^FAILED m.ko: not exactly one function zebra at offset 0x[0-9a-f]+ of a section$'
tool objcopy --redefine-sym other=other.isra.0 bare.ko m.ko
not_made '^FAILED m.ko: not exactly one function other at offset 0x0 of a section$'

begin 'a module that already has relocations is rejected'
cp by-abtf.ko m.ko
not_made '^FAILED m.ko has relocations for BTF$'

begin 'two functions with the same name and offset in different sections are rejected'
unit c <<'C'
static __attribute__((noinline, used, section(".text.c"))) int only(int a) { return a; }
C
unit d <<'C'
static __attribute__((noinline, used, section(".text.d"))) int only(int a) { return a; }
C
module m.ko c.o d.o a.o
cp m.ko by-abtf.ko
"$ABTF" encode -q --base vmlinux by-abtf.ko
section by-abtf.ko .BTF two.btf
objcopy --add-section .BTF=two.btf m.ko
not_made '^FAILED m.ko: not exactly one function only@[cd].c at offset 0x0 of a section$'

begin 'the encoder omits such functions, with the reason'
module m.ko c.o d.o a.o
"$ABTF" encode -q --base vmlinux --report report -o three.btf m.ko
expect_eq "$(jq -r '.functions[] | select(.encoded | not) | "\(.symbol) \(.reason)"' report | sort | tr '\n' ' ')" \
	'only ambiguous_address only ambiguous_address '
objcopy --add-section .BTF=three.btf m.ko
expect 0 "$patched" --btf_base vmlinux --btf_relocs m.ko
expect 0 "$ABTF" check --base vmlinux m.ko

begin 'without functions there is nothing to do'
unit data <<'C'
struct own { int a; } data = { 1 };
C
module m.ko data.o
without_relocs m.ko
cp m.ko before.ko
expect 0 "$patched" --btf_base vmlinux --btf_relocs m.ko
cmp m.ko before.ko || fail 'm.ko was changed'

begin 'if no FUNC has an address, like the one in init text above, nothing is written'
module m.ko a.o b.o
"$ABTF" strip --base vmlinux bare.ko plain.btf
objcopy --add-section .BTF=plain.btf m.ko
cp m.ko before.ko
expect 0 "$patched" --btf_base vmlinux --btf_relocs m.ko
cmp m.ko before.ko || fail 'm.ko was changed'

begin 'files that are missing or of another kind'
cp bare.ko m.ko
not_made '^FAILED: load base BTF from nothing: ' nothing
expect $failed "$patched" --btf_base vmlinux --btf_relocs nothing
says '^FAILED cannot open nothing: '
echo 'This is not a module.' >m.ko
not_made '^FAILED'
objcopy --remove-section=.BTF bare.ko m.ko
not_made '^FAILED: load BTF from m.ko: '
expect 129 "$patched" --btf_relocs m.ko
says '^ *Usage: '
expect 129 "$patched" --btf_base vmlinux --btf m.BTF --btf_relocs m.ko
says '^ *Usage: '

begin 'one byte of the module changed: a message, or a module'
size=$(stat -c %s bare.ko)
for ((i = 0; i < 300; i++)); do
	cp bare.ko m.ko
	printf "\\x$(printf %x $((i * 7 % 256)))" |
		dd bs=1 conv=notrunc status=none of=m.ko seek=$((size * i / 300))
	status=0
	"$patched" --btf_base vmlinux --btf_relocs m.ko >said 2>&1 </dev/null || status=$?
	case $status in
	0)	[ "$(relocs m.ko 2>said | wc -l || true)" = 6 ] || fail "byte $((size * i / 300)): $(relocs m.ko 2>&1)"
		echo 0 ;;
	"$failed")
		[ -s said ] || fail "byte $((size * i / 300)): no message"
		echo $status ;;
	*) fail "byte $((size * i / 300)): exit status $status"; head -n 30 said; break ;;
	esac
done >statuses
sort statuses | uniq -c
expect_eq "$(wc -l <statuses)" 300
grep -qx "$failed" statuses || fail 'none was noticed'
grep -qx 0 statuses || fail 'none was accepted'

for other in aarch64 s390x; do
	target $other
	positive $other
done
