#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Who does not know the record must stop at it, not misread it; plain is for all.
. "${0%/*}/../lib.sh"
cp "$example" vmlinux
encode vmlinux
"$ABTF" strip vmlinux.btf plain.btf

begin 'bpftool stops at the first record'
! bpftool btf dump file vmlinux.btf >out 2>&1 || fail 'bpftool took it for good'
has_not out '^\[1\]'
begin 'bpftool reads the plain form'
expect 0 bpftool btf dump file plain.btf
expect_eq "$(grep -c '^\[' out)" "$(wc -l <vmlinux.dump)"
expect 0 bpftool btf dump file plain.btf format c
says 'struct cpumask \{'

begin 'pahole stops at the first record'
have pahole || { skip 'no pahole'; exit 77; }
status=0
pahole -F btf vmlinux.btf >out 2>&1 || status=$?
[ $status != 0 ] || ! grep -q 'struct cpumask' out || fail 'pahole took it for good'
begin 'pahole reads the plain form'
expect 0 pahole -F btf plain.btf
says 'struct cpumask \{'

begin 'the record is the one of the format: kind 31 for who misreads it'
# FUNC (name, info with kind_flag, type), then low and high word; the high word
# ends in the guard, so that its kind bits are all ones
sed -nE 's/^.* FUNC [^ ]+ addr 0x[0-9a-f]+ flags (0x[0-9a-f]+) .*/\1/p' vmlinux.dump | sort -u >flags
expect_eq "$(tr '\n' ' ' <flags)" '0x0 0x1 '
while read -r word; do
	expect_eq $(((0xff000000 | word << 16) >> 24 & 0x1f)) 31
done <flags

begin 'byte for byte: one function, by hand'
unit one <<<'void only(void) { }'
image tiny one.o
encode tiny
# header; FUNC_PROTO void (void); FUNC only, kind_flag, linkage 1, address 0
expect_eq "$(od -An -v -tx4 -j24 -N32 tiny.btf | tr -s ' \n' ' ')" \
	" 00000000 0d000000 00000000 00000001 8c000001 00000001 00000000 ff000000 "
