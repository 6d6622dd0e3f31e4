#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The output has the same bytes for any number of threads and in each run.
. "${0%/*}/../lib.sh"

# Enough units for threads to overtake each other, with conflicts in a third of them.
for i in $(seq 60); do
	unit "u$i" <<-C
	struct common { int a; struct common *next; };
	struct mine$((i % 7)) { long x; struct common c[$((i % 5 + 1))]; };
	struct conflict { int v[$((i % 3 + 1))]; struct mine$((i % 7)) *m; };
	enum e$((i % 4)) { E$((i % 4)) };
	static __attribute__((noinline, used)) int dup(struct conflict *c) { return c->v[0] + $i; }
	int f$i(struct mine$((i % 7)) *m, enum e$((i % 4)) e) { return e; }
	C
done
objects=
for i in $(seq 60); do objects="$objects u$i.o"; done
# shellcheck disable=SC2086
image vmlinux $objects

for features in '' --features=+global_var --features=func_addr --features=encode_force; do
	begin "-j 1 to -j 8 and no -j write the same bytes ${features#--}"
	# shellcheck disable=SC2086
	"$ABTF" encode -q -j 1 $features -o j1.btf --report j1.report vmlinux
	for j in 2 3 4 5 6 7 8 ''; do
		for run in 1 2 3; do
			# shellcheck disable=SC2086
			"$ABTF" encode -q ${j:+-j $j} $features -o jn.btf --report jn.report vmlinux
			cmp j1.btf jn.btf || fail "-j ${j:-default}, run $run: the BTF differs"
			cmp j1.report jn.report || fail "-j ${j:-default}, run $run: the report differs"
		done
	done
done

begin 'abtf-pahole writes the same bytes with any -j'
"$ABTF_PAHOLE" -J -j1 --btf_encode_detached=j1.btf vmlinux
for j in -j2 -j8 -j; do
	"$ABTF_PAHOLE" -J $j --btf_encode_detached=jn.btf vmlinux
	cmp j1.btf jn.btf || fail "$j: the BTF differs"
done

begin 'the output does not depend on the directory and name of the image'
mkdir -p elsewhere
cp vmlinux elsewhere/other
"$ABTF" encode -q -j 1 -o j1.btf vmlinux
(cd elsewhere && "$ABTF" encode -q -o ../jn.btf other)
cmp j1.btf jn.btf || fail 'the BTF differs'

begin 'no function is written twice, and check finds no violation'
expect 0 "$compare" -a j1.btf j1.btf
expect 0 "$ABTF" check vmlinux j1.btf
expect_eq "$("$dump" j1.btf | grep -c 'FUNC dup@u[0-9]*\.c ')" 60
