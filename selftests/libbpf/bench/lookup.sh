#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make bench-lookup KVER=newest": measures how fast libbpf and the kernel find a FUNC by its name in sorted
# BTF of Debian's 6.12 or VMLINUX=FILE: the stock ones without addresses, the patched ones with addresses.
# The kernel's functions are extracted from its source and compiled into a program, to measure on the
# host.
#	ROUNDS=N	turns of each, of which the fastest counts (20)
# shellcheck source=../../kernel/env.sh
. "$(dirname "$0")/../../kernel/env.sh"
[ -e "$linux/src/scripts/gen-btf.sh" ] || die "KVER=$kver: BTF is not sorted in this version"
image=${VMLINUX:-$top/build/debian/vmlinux}
work=$top/build/bench-lookup
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# resolve_btfids does not find the image's sets of ids here, so they are not resolved
make -s -C "$top/selftests/kbuild" KVER="$kver" patched
"$top/encoder/abtf" encode -q -o addressed.btf "$image"
: >empty.c
gcc -c -o vmlinux empty.c
"$top/build/kbuild/$kver/patched/resolve_btfids" --btf addressed.btf vmlinux
mv vmlinux.BTF addressed.btf
"$top/encoder/abtf" strip addressed.btf plain.btf

# Extract btf_find_by_name_kind() and what it uses from a tree, for kernel-lookup.h.
kernel_lookup() {
	awk '/^[a-z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
	     /^[a-z].*\(/ && name ~ /^btf_(start_id|nr_types|named_start_id|find_by_name_kind.*|str_by_offset|name_by_offset|type_by_id|base_btf)$/ {
		inside = 1
		if ($1 != "static")
			printf "static "
	     }
	     inside { print }
	     /^}/ { inside = 0 }' "$1/kernel/bpf/btf.c" | sed 's/struct btf\>/struct kernel_btf/g'
}

# one NAME TREE
one() {
	mkdir -p "$1/include"
	make -s -j"$(nproc)" -C "$2/tools/lib/bpf" O= OUTPUT="$work/$1/" "$work/$1/libbpf.a" >"$1.log" 2>&1 ||
		{ tail "$1.log" >&2; die "libbpf of $2 does not build"; }
	ln -sfn "$2/tools/lib/bpf" "$1/include/bpf"
	kernel_lookup "$2" >"$1/kernel-lookup.inc"
	for what in libbpf kernel; do
		gcc -O2 -g -Wall -D"${what^^}_LOOKUP" -I"$1" -I"$1/include" -I"$2/tools/include/uapi" \
			-o "$1/$what" "$here/../libbpf/bench/lookup.c" "$1/libbpf.a" -lelf -lz
	done
}
one pristine "$linux/src"
one patched "$linux/patched"

# Run them in turns, so that other load affects all of them equally.
for ((i = 0; i < ${ROUNDS:-20}; i++)); do
	for what in libbpf kernel; do
		# a command that fails in an argument of echo would not end the script
		stock=$(pristine/$what plain.btf 3)
		patched=$(patched/$what addressed.btf 3)
		echo "$what, pristine: $stock"
		echo "$what, patched: $patched"
	done
done | sort -t, -k1,2 -k3n | awk -F'[:,]' '!seen[$1 $2]++'
