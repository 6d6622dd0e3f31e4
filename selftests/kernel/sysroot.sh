#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Unpacks Debian's packages for guests of another architecture, once, to build/sysroot/DEBARCH.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

[ -n "$sysroot" ] || exit 0
packages='busybox-static bpftool libc6 libc6-dev libcrypt-dev linux-libc-dev libgcc-s1 zlib1g zlib1g-dev
	libelf1 libelf-dev libbpf1 libbpf-dev libcap2 libssl-dev libjq1 libonig5 jq'
mkdir -p "$(dirname "$sysroot")"
exec 9>"$sysroot.lock"
flock 9
[ "$(cat "$sysroot.id" 2>/dev/null)" != "$packages" ] || exit 0
echo "sysroot.sh: Debian's programs and libraries for $debarch"
rm -rf "$sysroot"
# shellcheck disable=SC2086 # words
"$top/selftests/apt.sh" bookworm "$debarch" unpack "$sysroot" $packages >"$sysroot.log" 2>&1 ||
	{ tail -n 5 "$sysroot.log" >&2; die "packages for $debarch could not be downloaded"; }
echo "$packages" >"$sysroot.id"
