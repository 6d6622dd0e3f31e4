#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# For machines without guests: checks that the kernel files that the series change compile without
# warnings.
#	ARCH='A B'	these (powerpc64le riscv64)
machines=${ARCH:-powerpc64le riscv64}
unset ARCH
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

touched=$(sed -n 's,^+++ b/\(\(kernel\|net\)/.*\.c\)$,\1,p' "$top/kernel-patch/$kver"/{,fixes/}*.patch | sort -u)
[ -n "$touched" ] || die "kernel-patch/$kver touches no source"
dirs=$(sed 's|[^/]*$||' <<<"$touched" | sort -u)
failed=0

for arch in $machines; do
	case $arch in
	powerpc64le)	srcarch=powerpc start=ppc64le_defconfig ;;
	riscv64)	srcarch=riscv start=tinyconfig ;;
	*)		die "$arch: not one of powerpc64le, riscv64" ;;
	esac
	cross=$arch-linux-gnu-
	out=$linux/objects-$arch
	pahole=$out/tools-abtf/$(basename "$encoder")
	log=$out.log
	mkdir -p "$out/tools-abtf"
	cp "$encoder" "$pahole"
	echo "check-machines.sh: $arch (log: $log)"
	kmake -s $start >"$log.config" 2>&1
	# without files that a machine does not build
	cat "${configs[0]}" "$here/config.patched" >>"$out/.config"
	kmake -s olddefconfig >>"$log.config" 2>&1
	# these machines do not have the option
	grep -qx CONFIG_DEBUG_INFO_BTF_MODULES=y "$out/.config" || die "$arch: no BTF of modules; see $log.config"
	# ignore warnings of the stock build
	kmake -s -j"$(nproc)" W=1 prepare scripts >>"$log.config" 2>&1 ||
		{ tail -n 40 "$log.config"; die "$arch: cannot be prepared; see $log.config"; }
	status=0
	# shellcheck disable=SC2086 # words
	kmake -s -j"$(nproc)" W=1 $dirs >"$log" 2>&1 || status=1
	# no "grep -q" in a pipe: the first grep may die of SIGPIPE, and with it the condition
	grep 'warning: ' "$log" | grep -Ff <(sed 's/$/:/' <<<"$touched") >"$log.warnings" || :
	if [ $status != 0 ] || [ -s "$log.warnings" ]; then
		grep -E -A6 'error:|warning: |Error ' "$log" | tail -n 40
		echo "FAIL $arch"
		failed=1
	else
		echo "PASS $arch"
	fi
done
exit $failed
