#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Readers that do not support records must fail, instead of misreading them; all can read plain BTF.
. "${0%/*}/../lib.sh"
cp "$example" vmlinux
encode vmlinux
"$ABTF" strip vmlinux.btf plain.btf

# rejected FILE: every old reader fails with a message, and prints no type
rejected() {
	local reader status

	for reader in 'bpftool btf dump file' 'bpftool btf dump file FILE format c' \
		'bpftool -j btf dump file' 'pahole --format_path=btf -F btf' "$dedup"; do
		case $reader in
		*FILE*)		reader=${reader/FILE/$1} ;;
		"$dedup")	reader="$dedup $1 taken" ;;
		*)		reader="$reader $1" ;;
		esac
		status=0
		$reader >out 2>&1 || status=$?
		[ $status != 0 ] || fail "${reader##*/} accepted BTF with records"
		[ -s out ] || fail "${reader##*/}: failed without a message"
		has_not out '^\[[0-9]+\] [A-Z]|struct [a-z_]+ \{|"kind":'
		! [ -e taken ] || fail 'libbpf accepted BTF with records'
	done
}

# read_as IN RECORDED: old readers accept plain BTF, and find as many types as RECORDED has
read_as() {
	expect 0 bpftool btf dump file "$1"
	expect_eq "$(grep -c '^\[' out)" "$(wc -l <"$2")" 'types'
	expect 0 pahole --format_path=btf -F btf "$1"
	expect 0 "$dedup" "$1" "$1.dedup"
}

dedup=$top/build/compare/btf-dedup
have pahole || { begin 'old readers'; skip 'no pahole'; exit 77; }

begin 'the example: bpftool, pahole and libbpf stop at its records'
rejected vmlinux.btf
begin 'the example: old readers accept its plain form'
read_as plain.btf vmlinux.dump
expect 0 bpftool btf dump file plain.btf format c
says 'struct cpumask \{'
expect 0 pahole --format_path=btf -F btf plain.btf
says 'struct cpumask \{'

# An old reader treats 12 bytes as a type: without the guard, it would be at the start of a type
# again after three consecutive records (24 bytes).  With a variable after them, the records are in
# the middle, otherwise at the end.
for where in gcc s390x; do
	target $where
	for nr in 1 2 3 6 40; do
		for after in '' 'int variable __attribute__((section(".data..percpu")));'; do
			{
				for ((i = 0; i < nr; i++)); do
					echo "void f$i(void) { }"
				done
				echo "$after"
			} | unit few
			image few few.o
			encode few
			begin "$where, $nr records${after:+ and a variable}: rejected, and accepted when stripped"
			expect_eq "$(grep -c ' addr ' few.dump)" $nr 'records'
			rejected few.btf
			"$ABTF" strip few.btf few-plain.btf
			read_as few-plain.btf few.dump
		done
	done
	# for any offset
	for low in 0 1 0x01000000 0xffffffff; do
		begin "$where: three records, offset $low"
		echo 'void a(void) { } void b(void) { } void c(void) { }' | unit few
		image few few.o
		encode few
		cp few.btf edited.btf
		sed -nE 's/^\[([0-9]+)\] FUNC .*/\1/p' few.dump >ids
		expect_eq "$(wc -l <ids)" 3
		while read -r id; do
			"$edit" edited.btf next.btf "$id" 3 $low
			mv next.btf edited.btf
		done <ids
		"$dump" edited.btf >edited.dump
		rejected edited.btf
		"$ABTF" strip edited.btf edited-plain.btf
		read_as edited-plain.btf edited.dump
	done
done
target gcc

begin 'one function, written by hand, byte by byte'
unit one <<<'void only(void) { }'
image tiny one.o
encode tiny
# header; FUNC_PROTO void (void); FUNC only, kind_flag, linkage 1, address 0
expect_eq "$(od -An -v -tx4 -j24 -N32 tiny.btf | tr -s ' \n' ' ')" \
	" 00000000 0d000000 00000000 00000001 8c000001 00000001 00000000 ff000000 "
