#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# btf-compare, which other tests rely on, must find differences.
. "${0%/*}/../lib.sh"
cp "$example" vmlinux
encode vmlinux
btf=vmlinux.btf

begin 'an object is equal to itself, and to itself in another order'
expect 0 "$compare" -a $btf $btf
for seed in 1 2 3; do
	"$shuffle" $seed $btf shuffled.btf
	! cmp -s $btf shuffled.btf || fail 'nothing was shuffled'
	expect 0 "$compare" -a $btf shuffled.btf
	expect 0 "$compare" --funcs $btf shuffled.btf
done
"$ABTF" strip $btf plain.btf

begin 'one member moved: a difference, with its cause first'
"$shuffle" 4 plain.btf moved.btf move kobject
expect 1 "$compare" plain.btf moved.btf
expect_eq "$(head -n 1 out | grep -c 'STRUCT struct kobject')" 1

begin 'one type twice: a repeat'
id=$(sed -nE 's/^\[([0-9]+)\] STRUCT kobject .*/\1/p' vmlinux.dump)
"$shuffle" 5 plain.btf twice.btf twice "$id"
expect 1 "$compare" plain.btf twice.btf
says 'repeat in twice.btf'
says 'repeats in A: 0, repeats in B: 1'

begin 'a changed size, or the type of a typedef or variable, is found'
count=0
while read -r id kind rest; do
	id=${id#[} id=${id%]}
	case $kind in FUNC|FUNC_PROTO|DECL_TAG|CONST|VOLATILE|PTR|ARRAY) continue ;; esac
	"$edit" plain.btf edited.btf "$id" 2 0 2>/dev/null || continue
	cmp -s plain.btf edited.btf && continue
	count=$((count + 1))
	expect 1 "$compare" plain.btf edited.btf
done < <("$dump" plain.btf)
[ $count -gt 40 ] || fail "only $count edits"

begin 'functions: a missing one is shown with others that share its name'
id=$(sed -nE 's/^\[([0-9]+)\] FUNC printk .*/\1/p' vmlinux.dump)
other=$(sed -nE 's/^\[([0-9]+)\] FUNC_PROTO -> \[[0-9]+\] bool .*/\1/p' vmlinux.dump | head -n 1)
"$edit" plain.btf edited.btf "$id" 2 "$other"
expect 1 "$compare" --funcs plain.btf edited.btf
says 'missing in B: int printk\(char const \*fmt, ...\)'
says 'it has: bool printk'

begin 'a file that is not BTF: status 2'
expect 2 "$compare" /dev/null plain.btf
expect 2 "$compare" plain.btf
