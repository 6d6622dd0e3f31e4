#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# resolve_btfids, built with ASan and UBSan, and BTF or images that are not what
# they should be: a message and a failed build, and vmlinux as it was.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/link.sh"

unit a <<'C'
static __attribute__((noinline, used)) int twin(int a) { return a; }
int alone(int a) { return a + 1; }
int __attribute__((section(".init.text"))) setup(int a) { return a; }
C
unit b <<'C'
struct thing { int a; struct thing *next; };
static __attribute__((noinline, used)) long twin(struct thing *t) { return t->a + 2; }
C
unit late -g0 <<'C'
const char kallsyms_names[20000] = { 1 };
C
links a.o b.o -- late.o
cp encoded.btf good.btf

# with BTF: vmlinux has this one
with() {
	btf_object btf.o "$1"
	link vmlinux a.o b.o btf.o late.o
	cp vmlinux vmlinux.linked
}

id_of() {
	"$ABTF" list -aj good.btf | jq ".[] | select(.name == \"$1\").id"
}

begin 'a record outside of all code'
for word in '3 0xfffffff0' '4 0xff00ffff' '4 0xff000001'; do
	# shellcheck disable=SC2086 # word and value
	"$edit" good.btf bad.btf "$(id_of alone)" $word
	with bad.btf
	refused
	says '^FAILED .tmp_vmlinux1: no function alone starts at 0x[0-9a-f]+$'
done

begin 'a record some bytes off, and one of another function'
"$edit" good.btf bad.btf "$(id_of alone)" 3 $((0x$(nm .tmp_vmlinux1 | sed -n 's/ T alone$//p') - 0x$(nm .tmp_vmlinux1 | sed -n 's/ T _text$//p') + 4))
with bad.btf
refused
says '^FAILED .tmp_vmlinux1: no function alone starts at 0x'
"$edit" good.btf bad.btf "$(id_of alone)" 3 0
with bad.btf
expect_eq "$(address .tmp_vmlinux1 .text)" 0 'twin is the first function'
refused
says '^FAILED .tmp_vmlinux1: no function alone starts at 0x'

begin 'guard and flags'
for high in 0x00000000 0xfe000000 0xff020000 0xff800000; do
	"$edit" good.btf bad.btf "$(id_of alone)" 4 $high
	with bad.btf
	refused
	says '^FAILED: load BTF from vmlinux: Invalid argument$'
done

begin 'an unknown kind'
for info in 0x1f000000 0x9f000000 0x14000000; do
	"$edit" good.btf bad.btf "$(id_of setup)" 1 $info
	with bad.btf
	refused
	says '^FAILED: load BTF from vmlinux'
done

begin 'cut short at every place'
size=$(stat -c %s good.btf)
for ((cut = 0; cut < size; cut += cut < 24 ? 6 : 37)); do
	head -c $cut good.btf >bad.btf
	with bad.btf
	refused
	says '^FAILED'
done

begin 'without .BTF'
link vmlinux a.o b.o late.o
cp vmlinux vmlinux.linked
refused
says '^FAILED: load BTF from vmlinux: No data available$'

begin 'the usage says what excludes what'
with good.btf
if by_file; then
	# a run of its own, which other options do not concern
	expect 129 "$patched" --encoded_from .tmp_vmlinux1
	expect 129 "$patched" --btf_relocs vmlinux
else
	expect 129 "$patched" --btf good.btf --encoded_from .tmp_vmlinux1 vmlinux
	expect 129 "$patched" -b good.btf --encoded_from .tmp_vmlinux1 vmlinux
fi

# damage FILE START LENGTH: 150 times, another byte there is another one; then
# what was done and whether vmlinux is whole are counted
damage() {
	local file=$1 i status at

	cp "$file" file.good
	: >results
	for ((i = 0; i < 150; i++)); do
		at=$(($2 + $3 * i / 150))
		cp file.good "$file"
		printf "\\x$(printf %x $((i * 7 % 256)))" |
			dd bs=1 conv=notrunc status=none of="$file" seek=$at
		cp vmlinux before
		status=0
		"$patched" --encoded_from .tmp_vmlinux1 vmlinux >said 2>&1 </dev/null || status=$?
		case $status in
		0)	echo good >>results ;;
		"$failed")
			grep -q . said || fail "byte $at: failed without a word"
			cmp -s before vmlinux || fail "byte $at: failed, and vmlinux was changed"
			echo failed >>results
			;;
		*)	fail "byte $at: exit status $status"
			head -n 30 said
			break
			;;
		esac
		cp vmlinux.linked vmlinux
	done
	cp file.good "$file"
	sort results | uniq -c
	expect_eq "$(wc -l <results)" 150
}

begin 'a byte of .BTF is another one'
resolve
cp vmlinux.linked vmlinux
btf=$(readelf -SW vmlinux | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 == ".BTF" { print $4 }')
damage vmlinux $((0x$btf)) "$size"
[ "$(grep -c failed results)" -ge 50 ] || fail 'hardly any was noticed'

begin 'a byte of the first link is another one'
strip -g .tmp_vmlinux1
damage .tmp_vmlinux1 0 "$(stat -c %s .tmp_vmlinux1)"
[ "$(grep -c failed results)" -ge 1 ] || fail 'none was noticed'
