#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# encode --from-btf: BTF of modules, split from a base.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/from-btf.sh"

for where in gcc aarch64 s390x; do
	target $where
	build_vmlinux
	build_module
	cp mod.ko pristine.ko

	begin "$where: a module: the same features give the same file"
	"$ABTF" encode -q --base vmlinux mod.ko
	cp mod.ko again.ko
	expect 0 "$ABTF" encode --base vmlinux --from-btf again.ko
	cmp mod.ko again.ko || fail 'the file differs'
	verify -b vmlinux again.ko
	expect 0 "$ABTF" check --base vmlinux again.ko
	says '4 functions, 3 with an address, 1 with a file: 0 violations'

	begin "$where: a module: addresses are removed, and come back for unambiguous names"
	expect 0 "$ABTF" encode --base vmlinux --from-btf --features=$most again.ko
	readelf -SW again.ko | find_lines rela.BTF | expect_none
	"$ABTF" strip --base vmlinux mod.ko plain.btf
	replace_btf again.ko plain.btf
	expect 0 "$ABTF" encode --base vmlinux --from-btf again.ko
	expect 0 "$ABTF" check --base vmlinux again.ko
	says '4 functions, 3 with an address, 1 with a file: 0 violations'
	"$ABTF" encode -q --base vmlinux --from-btf --features=$most,func_addr mod.ko
	"$ABTF" strip --base vmlinux mod.ko plain.btf
	replace_btf again.ko plain.btf
	expect 0 "$ABTF" encode --base vmlinux --from-btf --report ko.report again.ko
	check_sums ko
	"$dump" again.ko vmlinux | sed -nE 's/^\[[0-9]+\] FUNC ([^ ]+ [^ ]+) .*/\1/p' >got
	expect_text "$(cat got)" <<-'F'
	dup addr
	mod addr
	start linkage
	F
	expect_eq "$(readelf -rW again.ko | sed -n '/rela.BTF/,/^$/p' | grep -c ' [+] 0$')" 2
	"$dump" again.ko vmlinux >again.dump
	has again.dump 'VAR counter'
	has_not again.dump 'STRUCT s size'

	begin "$where: a module gets the same distilled base as from DWARF"
	cp pristine.ko want.ko
	"$ABTF" encode -q --base vmlinux --features=+distilled_base want.ko
	cp pristine.ko got.ko
	"$ABTF" encode -q --base vmlinux got.ko
	expect 0 "$ABTF" encode --base vmlinux --from-btf --features=+distilled_base got.ko
	for name in .BTF .BTF.base; do
		section want.ko $name a.btf
		section got.ko $name b.btf
		cmp a.btf b.btf || fail "$name differs"
	done
	expect 0 "$ABTF" check got.ko

	begin "$where: records without relocations are ignored"
	"$ABTF" encode -q --base vmlinux --from-btf --features=$most,func_addr mod.ko
	cp mod.ko norel.ko
	tool objcopy -R .rela.BTF norel.ko
	expect 0 "$ABTF" encode --base vmlinux --from-btf --report norel.report norel.ko
	check_sums norel
	expect_eq "$(jq -c '[.funcs.encoded, .funcs.ambiguous_address]' norel.report)" '[3,1]'

	begin "$where: split BTF without its base is rejected"
	expect 1 "$ABTF" encode --from-btf mod.ko
	says 'split BTF needs its base'
done
target gcc

begin 'many modules are amended in one call'
build_vmlinux
"$ABTF" encode -q vmlinux
unit m <m.c
unit n <n.c
cp m.o one.ko
cp n.o two.ko
unit m2 <<<'struct s { long l; struct s *next; int bits:5; unsigned more:11; char tail; }; int f2(struct s *s) { return s->bits; }'
cp m2.o three.ko
"$ABTF" encode -q --base vmlinux one.ko two.ko three.ko 2>err || { cat err; fail 'encode failed'; }
cat one.ko two.ko three.ko >before
"$ABTF" encode -q --base vmlinux --from-btf --features=$most one.ko two.ko three.ko
! cat one.ko two.ko three.ko | cmp -s - before || fail 'precondition: no address was removed'
expect 0 "$ABTF" encode --base vmlinux --from-btf -j2 one.ko two.ko three.ko
cat one.ko two.ko three.ko | cmp - before || fail 'the files differ'
