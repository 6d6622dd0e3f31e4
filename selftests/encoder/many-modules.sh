#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# encode with many modules in one call.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/modules.sh"

build_module
cp mod.ko pristine.ko
"$ABTF" encode -q --base vmlinux -o want.btf pristine.ko
build_kfuncs
"$ABTF" encode -q --base vmlinux k.ko

begin 'many modules: a module that fails is reported, the others are encoded'
mkdir -p tree/a tree/b
cp pristine.ko tree/a/x.ko
cp pristine.ko tree/b/x.ko
cp k.ko tree/b/k.ko
head -c 3000 pristine.ko >tree/b/bad.ko
expect 1 "$ABTF" encode --base vmlinux -j4 -o made tree/a/x.ko tree/b/x.ko tree/b/bad.ko ./tree/b/k.ko
says 'bad.ko: '
says '1 of 4 images failed'
expect_eq "$(find made -type f | sort | tr '\n' ' ')" \
	'made/tree/a/x.ko.btf made/tree/b/k.ko.btf made/tree/b/x.ko.btf '
cmp made/tree/a/x.ko.btf want.btf || fail 'a call for one module writes other BTF'
"$ABTF" encode -q --base vmlinux -o one.btf tree/b/k.ko
cmp made/tree/b/k.ko.btf one.btf || fail 'a call for one module writes other BTF'
expect 1 "$ABTF" encode --base vmlinux -j2 tree/a/x.ko tree/b/bad.ko tree/b/x.ko
expect 0 "$ABTF" check --base vmlinux tree/a/x.ko tree/b/x.ko
cmp tree/a/x.ko tree/b/x.ko || fail 'the output differs'

begin 'many modules: two outputs with the same name, or a file instead of a directory, are errors'
expect 1 "$ABTF" encode --base vmlinux -o out2 tree/a/x.ko tree/b/../a/x.ko
says 'would both be written to out2/tree/a/x.ko.btf'
[ ! -e out2 ] || fail 'a file was written'
expect 2 "$ABTF" encode --base vmlinux -o one.btf tree/a/x.ko tree/b/x.ko
expect 2 "$ABTF" encode --base vmlinux --report r.json tree/a/x.ko tree/b/x.ko
here=${PWD##*/}
expect 0 "$ABTF" encode --base vmlinux -o out3/ "../$here/tree/a/x.ko"
[ -e "out3/$here/tree/a/x.ko.btf" ] || fail "out3 lacks $here/tree/a/x.ko.btf: $(find out3)"

begin 'kill -9 while encoding many modules: each file is the old or the new one'
mkdir -p killed
cp tree/a/x.ko new.ko
nr_killed=0
for i in $(seq 0 23); do
	for m in 1 2 3 4 5 6 7 8; do cp pristine.ko killed/$m.ko; done
	"$ABTF" encode -q --base vmlinux -j2 killed/?.ko &
	pid=$!
	sleep "0.0$((i % 6))$((i % 7))"
	kill -9 $pid 2>/dev/null || true
	status=0
	wait $pid 2>/dev/null || status=$?
	[ $status != 137 ] || nr_killed=$((nr_killed + 1))
	for m in 1 2 3 4 5 6 7 8; do
		cmp -s killed/$m.ko pristine.ko || cmp -s killed/$m.ko new.ko ||
			{ fail "round $i: $m.ko is neither"; break 2; }
	done
	rm -f killed/.*.ko.*
done
