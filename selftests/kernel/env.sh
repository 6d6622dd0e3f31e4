#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Which kernel the scripts here are about, as the user said:
#
#	KERNEL=patched	the series applied (the default)
#	KERNEL=stock	the pristine source
#	KERNEL=debug	as patched, with config.debug; "DEBUG=1" says the same
#	KERNEL=off	as patched, without addresses; so does "FUNC_ADDR=n"
#	LINUX=DIR	this source tree instead of the patched one, as it stands
#
# Sets $kernel, $tree (source), $out (what is built from it), $pahole (who
# encodes it, inside $out) and $vm (everything about guests of this kernel).
# shellcheck disable=SC2034 # for those who source this
set -eu
set -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
mkdir -p "$top/build/linux"
linux=$(realpath "$top/build/linux")

die() {
	echo "${0##*/}: $*" >&2
	exit 125
}

kernel=${KERNEL:-patched}
[ "${DEBUG:-}" != 1 ] || kernel=debug
if [ "${FUNC_ADDR:-y}" = n ]; then
	[ "$kernel" = patched ] || [ "$kernel" = off ] || die "FUNC_ADDR=n and KERNEL=$kernel exclude each other"
	kernel=off
fi

tree=$linux/patched
name=$kernel
case $kernel in
stock)
	tree=$linux/src
	;;
patched|debug|off)
	if [ -n "${LINUX:-}" ]; then
		tree=$(realpath "$LINUX")
		name=$kernel-$(basename "$tree")
	fi
	;;
*)
	die "KERNEL=$kernel: not one of patched, stock, debug, off"
	;;
esac
out=$linux/kernel-$name
vm=$top/build/vm/$name
bzimage=$out/arch/x86/boot/bzImage

# Who encodes: ours knows addresses, Debian's is what a stock kernel would take.
case $kernel in
patched|debug)	encoder=$top/encoder/abtf-pahole ;;
stock|off)	encoder=$(command -v pahole) || die 'no pahole; "make setup-kernel" installs it' ;;
esac
pahole=$out/tools-abtf/$(basename "$encoder")

# kmake ARGUMENTS...: kbuild, told the same by everybody so that the same source
# gives the same image, and nothing of what our own make was told.
kmake() {
	env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES -u MAKELEVEL -u V -u T -u DEBUG -u KERNEL \
		-u CMD -u FILES -u LINUX -u PAHOLE -u JOBS -u CC -u CFLAGS -u LDFLAGS -u ARCH \
		make -C "$tree" O="$out" LOCALVERSION= PAHOLE="$pahole" \
		KBUILD_BUILD_USER=abtf KBUILD_BUILD_HOST=abtf KBUILD_BUILD_VERSION=1 \
		KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 2026' "$@"
}
