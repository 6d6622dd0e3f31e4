#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Modules with wrong headers, truncated or changed modules, and wrong bases: a message, or valid BTF.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/modules.sh"

build_module
cp mod.ko pristine.ko

begin 'wrong headers (missing sections, huge sizes) are errors'
shoff=$(readelf -h pristine.ko | sed -n 's/.*Start of section headers: *\([0-9]*\).*/\1/p')
# index_of SECTION: print its number
index_of() {
	readelf -SW pristine.ko | sed -nE "s/^ *\[ *([0-9]+)\] +${1//./\\.} .*/\1/p" | head -n 1
}
# damage OFFSET BYTES: encoding fails, in place and detached, without a crash
damage() {
	local status

	cp pristine.ko broken.ko
	printf '%b' "$2" | dd of=broken.ko bs=1 seek="$1" conv=notrunc status=none
	! cmp -s broken.ko pristine.ko || fail "nothing was changed at $1"
	cp broken.ko before.ko
	expect 1 "$ABTF" encode --base vmlinux broken.ko
	says 'broken.ko: '
	cmp broken.ko before.ko || fail 'encoding failed, but wrote to the module'
	status=0
	"$ABTF" encode -q --base vmlinux -o broken.btf broken.ko 2>err || status=$?
	[ $status = 1 ] || fail "detached: status $status"
}
all='\377\377\377\377' huge='\377\377\377\377\377\377\377\177'
rela=$((shoff + 64 * $(index_of .rela.debug_info)))
symtab=$((shoff + 64 * $(index_of .symtab)))
debug=$((shoff + 64 * $(index_of .debug_info)))
damage $((rela + 32)) "$huge"		# sh_size
damage $((rela + 40)) "$all"		# sh_link
damage $((rela + 56)) '\001'		# sh_entsize
damage $((rela + 24)) "$huge"		# sh_offset
damage $((symtab + 32)) "$huge"
damage $((symtab + 40)) "$all"
damage $((symtab + 56)) '\000'
damage $((debug + 32)) "$huge"
damage 60 '\377\376'			# e_shnum
damage 62 '\376\376'			# e_shstrndx
damage 40 "$huge"			# e_shoff
# a symbol in a missing section, or in none, is not a function
at=$((0x$(readelf -SW pristine.ko | sed -nE 's/.* \.symtab +SYMTAB +[0-9a-f]+ ([0-9a-f]+) .*/\1/p')))
nr=$(readelf -sW pristine.ko | awk '$8 == "mod_func" { sub(":", "", $1); print $1 }')
for shndx in '\377\376' '\177\000' '\000\000'; do
	cp pristine.ko broken.ko
	printf '%b' "$shndx" | dd of=broken.ko bs=1 seek=$((at + 24 * nr + 6)) conv=notrunc status=none
	status=0
	"$ABTF" encode -q --base vmlinux broken.ko 2>err || status=$?
	case $status in
	0)	expect 0 "$ABTF" check --base vmlinux broken.ko
		says '6 functions, 4 with an address' ;;
	1)	has err 'broken.ko: ' ;;
	*)	fail "section $shndx: status $status" ;;
	esac
done

begin 'truncated or damaged modules: a message, or valid BTF'
damaged --output=broken.btf pristine.ko broken.ko cut:0:END:977 set:0:END:977:ffffffffffffffff -- \
	"$ABTF_PROGRAM" encode -q --base vmlinux -o broken.btf broken.ko
damaged pristine.ko broken.ko set:0:END:977:ffffffffffffffff -- "$ABTF_PROGRAM" encode -q --base vmlinux broken.ko

begin 'a base with the other byte order, and a missing base, are errors'
target s390x
unit other <<<'int x(void) { return 1; }'
module other.ko other.o
target gcc
expect 1 "$ABTF" encode --base vmlinux other.ko
says 'big-endian, but the base is not'
while read -r base message; do
	expect 1 "$ABTF" encode --base $base pristine.ko
	says "^abtf: error: $base: $message"
done <<'T'
nowhere cannot read: No such file or directory$
m1.c BTF magic is
pristine.ko no .BTF section
T
