#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make bench-lookup KVER=7.2": how fast libbpf finds a FUNC by its name in sorted BTF of
# Debian's 6.12 or VMLINUX=FILE: the pristine one in BTF without addresses, the patched
# one in the same with them.
#	ROUNDS=N	rounds of each, of which the fastest counts (20)
# shellcheck source=../../kernel/env.sh
. "$(dirname "$0")/../../kernel/env.sh"
[ -e "$linux/src/scripts/gen-btf.sh" ] || die "KVER=$kver: nobody sorts BTF there"
image=${VMLINUX:-$top/build/debian/vmlinux}
work=$top/build/bench-lookup
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# ids of the image's own sets are not resolved: it has none for this resolve_btfids
make -s -C "$top/selftests/kbuild" KVER="$kver" patched
"$top/encoder/abtf" encode -q -o addressed.btf "$image"
: >empty.c
gcc -c -o vmlinux empty.c
"$top/build/kbuild/$kver/patched/resolve_btfids" --btf addressed.btf vmlinux
mv vmlinux.BTF addressed.btf
"$top/encoder/abtf" strip addressed.btf plain.btf

# one NAME TREE BTF
one() {
	mkdir -p "$1"
	make -s -j"$(nproc)" -C "$2/tools/lib/bpf" O= OUTPUT="$work/$1/" "$work/$1/libbpf.a" >"$1.log" 2>&1 ||
		{ tail "$1.log" >&2; die "libbpf of $2 does not build"; }
	mkdir -p "$1/include"
	ln -sfn "$2/tools/lib/bpf" "$1/include/bpf"
	gcc -O2 -g -Wall -I"$1/include" -I"$2/tools/include/uapi" -o "$1/lookup" "$here/../libbpf/bench/lookup.c" \
		"$1/libbpf.a" -lelf -lz
	echo "$1: $("$1/lookup" "$3" "${ROUNDS:-20}")"
}
one pristine "$linux/src" plain.btf
one patched "$linux/patched" addressed.btf
