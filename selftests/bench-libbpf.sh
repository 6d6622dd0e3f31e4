#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make bench-libbpf: how long the patched libbpf takes to find a function by name, as
# ratio to btf__find_by_name_kind(): in BTF that is made up, then in that of VMLINUX=FILE,
# as pahole and as abtf encode it.
set -eu
set -o pipefail
cd "$(dirname "$0")/.."
image=${VMLINUX:+$(realpath "$VMLINUX")}
out=$PWD/build/bench-libbpf
speed=$PWD/build/libbpf/lookup-speed

flock build/libbpf.lock make --no-print-directory -C selftests/libbpf/patched "$speed"
"$speed"
[ -n "$image" ] || exit 0

mkdir -p "$out"
pahole -J --btf_gen_floats --btf_encode_detached="$out/pahole.btf" "$image"
encoder/abtf encode -q -o "$out/abtf.btf" "$image"
cd "$out"
"$speed" pahole.btf
"$speed" abtf.btf
