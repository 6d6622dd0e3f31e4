#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Sets variables for the kernel that the user chose:
#
#	KERNEL=patched	the series applied (the default)
#	KERNEL=stock	the pristine source
#	KERNEL=debug	as patched, with config.debug; same as "DEBUG=1"
#	KERNEL=off	as patched, without addresses; same as "FUNC_ADDR=n"
#	LINUX=DIR	this source tree, unchanged, instead of the patched one
#	KVER=VERSION	of kernel-patch/; 6.12 is the default, "newest" the newest
#	ARCH=arm64	the kernel's architecture: x86_64 (the default), arm64 or s390x
#	VARIANT=bti	with config.bti on top, and its compiler; see config.*
#	PAHOLE=FILE	encoder of stock kernels, and of kernels without addresses (apt's pahole)
#
# Sets $kernel, $kver, $arch, $linux (everything about this version), $tree (source),
# $out (build directory), $pahole (its encoder, inside $out), $guests (files that
# guests of this version and architecture share) and $vm (files of this kernel
# only); and for the machine $srcarch (the kernel's name for it), $debarch, $triplet, $bpf
# (clang's target), $skeletons (empty if none can be made), $cross (CROSS_COMPILE), $sysroot
# (empty for the host's architecture) and $image (the file in $out that is booted).
# shellcheck disable=SC2034 # for scripts that source this
set -eu
set -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)

# die MESSAGE: exit with the status for a guest that could not be started, see vm.sh
die() {
	echo "${0##*/}: $*" >&2
	exit 125
}

kver=${KVER:-6.12}
versions=$("$top/selftests/versions.sh")
newest=${versions##*$'\n'}
[ "$kver" != newest ] || kver=$newest
grep -qxF "$kver" <<<"$versions" || die "KVER=$kver: not one of ${versions//$'\n'/, }"
mkdir -p "$top/build/linux-$kver"
linux=$(realpath "$top/build/linux-$kver")

arch=${ARCH:-x86_64}
case $arch in
x86_64)	srcarch=x86 bpf=bpfel debarch=amd64 triplet=x86_64-linux-gnu image=arch/x86/boot/bzImage ;;
arm64)	srcarch=arm64 bpf=bpfel debarch=arm64 triplet=aarch64-linux-gnu image=arch/arm64/boot/Image ;;
s390x)	srcarch=s390 bpf=bpfeb debarch=s390x triplet=s390x-linux-gnu image=arch/s390/boot/bzImage ;;
*)	die "ARCH=$arch: not one of x86_64, arm64, s390x" ;;
esac
# Debian's bpftool cannot make skeletons of objects with another byte order.
skeletons=$bpf
[ "$(printf '\1\0' | od -An -tu2 | tr -d ' ')-$bpf" != 1-bpfeb ] || skeletons=''
cross='' sysroot=''
if [ "$triplet" != "$(uname -m)-linux-gnu" ]; then
	cross=$triplet-
	sysroot=$top/build/sysroot/$debarch
fi

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
[ "$arch" = x86_64 ] || name=$name-$arch
[ -z "${VARIANT:-}" ] || name=$name-$VARIANT
out=$linux/kernel-$name
guests=$top/build/vm/$kver-$arch
vm=$guests/${name/"-$arch"}
image=$out/$image

# Fragments on top of tinyconfig: for all kernels, for the version (6.12, or newer), for the machine,
# and for both.
configs=("$here/config")
age=6.12
[ "$kver" = 6.12 ] || age=newer
for name in "$age" "$arch" "$arch-$age"; do
	[ ! -e "$here/config.$name" ] || configs+=("$here/config.$name")
done
# variant_line NAME: print the VALUE of "# NAME: VALUE" in the variant's file
variant_line() {
	sed -n "s/^# $1: //p" "$here/config.$VARIANT"
}

cc=() compiler=
if [ -n "${VARIANT:-}" ]; then
	[ -e "$here/config.$VARIANT" ] || die "VARIANT=$VARIANT: selftests/kernel/config.$VARIANT does not exist"
	! grep -qx CONFIG_CC_IS_CLANG=y "$here/config.$VARIANT" || cc=(CC=clang-19)
	! grep -qx CONFIG_LD_IS_LLD=y "$here/config.$VARIANT" || cc=(LLVM=-19)
	# unpacked by fetch-compilers.sh; the kernel's host programs are the machine's
	compiler=$(variant_line compiler)
	unpacked=$top/build/compilers/$compiler.root/usr
	case $compiler in
	gcc-*)	 cc=("CC=$unpacked/bin/$compiler $(variant_line flags)" "CROSS_COMPILE=$unpacked/bin/$triplet-") ;;
	clang-*) cc=("LLVM=$unpacked/lib/llvm-${compiler#*-}/bin/" HOSTCC=gcc HOSTCXX=g++ HOSTLD=ld HOSTAR=ar) ;;
	esac
fi

# The encoder: abtf-pahole for addresses, or Debian's pahole for a stock kernel
case $kernel in
patched|debug)	encoder=$top/encoder/abtf-pahole ;;
stock|off)	encoder=$(realpath -s "$(command -v "${PAHOLE:-pahole}")") || die 'no pahole; "make setup-kernel" installs it' ;;
esac
pahole=$out/tools-abtf/$(basename "$encoder")

# kmake ARGUMENTS...: run kbuild with fixed variables, so that the same source always results in the same
# image, and without the variables that make exports to this script.
kmake() {
	env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES -u MAKELEVEL -u V -u T -u DEBUG -u KERNEL \
		-u CMD -u FILES -u LINUX -u PAHOLE -u JOBS -u CC -u CFLAGS -u LDFLAGS -u KVER -u VARIANT \
		make -C "$tree" O="$out" ARCH=$srcarch CROSS_COMPILE="$cross" "${cc[@]}" LOCALVERSION= PAHOLE="$pahole" \
		KBUILD_BUILD_USER=abtf KBUILD_BUILD_HOST=abtf KBUILD_BUILD_VERSION=1 \
		KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 2026' "$@"
}
