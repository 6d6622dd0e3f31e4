#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# setup.sh TOPIC...: installs missing Debian packages for build, test, bench, kernel, arm64 and s390x
# (guests of these machines), machines (cross compilers for machines without guests), thinlto, patches, callgrind,
# compilers, pahole, deb, fuzz. If none is missing, it does nothing, and needs neither root nor
# network.
set -eu

# gcc-multilib is not installed, because it conflicts with the cross compilers;
# -m32 -ffreestanding does not need it.
packages=()
for what; do
	case $what in
	build)
		packages+=(gcc make libc6-dev libjansson-dev liblzma-dev libzstd-dev
			   zlib1g-dev)
		;;
	test)
		packages+=(libbpf-dev libelf-dev libdw-dev pahole bpftool clang clang-19 lld lld-19 llvm jq
			   binutils elfutils xz-utils zstd
			   gcc-aarch64-linux-gnu gcc-s390x-linux-gnu linux-libc-dev-s390x-cross
			   gcc-riscv64-linux-gnu gcc-powerpc64le-linux-gnu
			   python3-docutils man-db bash-completion debuginfod libdebuginfod1
			   chromium dwz valgrind golang-go python3-yaml python3-jsonschema
			   dpkg-dev debhelper lintian fakeroot)
		;;
	bench)
		packages+=(pahole binutils)
		;;
	kernel)
		packages+=(linux-source-6.12 git xz-utils flex bison bc libssl-dev libelf-dev cpio kmod
			   qemu-system-x86 busybox-static clang pahole bpftool binutils jq
			   libdeflate-dev golang-go bpftrace linux-perf)
		;;
	arm64)
		# VARIANT=bti needs clang
		packages+=(qemu-system-arm gcc-aarch64-linux-gnu clang-19)
		;;
	thinlto)
		packages+=(clang-19 lld-19 llvm-19)
		;;
	s390x)
		packages+=(qemu-system-misc gcc-s390x-linux-gnu)
		;;
	machines)
		packages+=(gcc-powerpc64le-linux-gnu gcc-riscv64-linux-gnu)
		;;
	patches)
		# clang of Debian 12 is too old for the kernel's BPF selftests
		packages+=(perl patch python3-git python3-ply clang-19 llvm-19)
		;;
	fuzz)
		packages+=(clang-19 libclang-rt-19-dev llvm-19)
		;;
	compilers)
		packages+=(patchelf)
		;;
	pahole)
		# its tests
		packages+=(gawk procps ncurses-bin)
		;;
	callgrind)
		packages+=(valgrind)
		;;
	deb)
		packages+=(dpkg-dev debhelper lintian fakeroot jq libdw-dev man-db python3-jsonschema)
		;;
	*)
		echo "setup.sh: $what: not one of build, test, bench, kernel, arm64, s390x, machines, thinlto, patches, callgrind, compilers, pahole, deb, fuzz" >&2
		exit 2
		;;
	esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "This is not Debian: please install the equivalents of these packages:"
	echo "  ${packages[*]}"
	exit 0
fi

missing=()
for package in "${packages[@]}"; do
	case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
	*" installed")	;;
	*)		missing+=("$package") ;;
	esac
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "Please install, as root:" >&2
		echo "  apt-get install ${missing[*]}" >&2
		exit 1
	fi
	as_root=sudo
fi

# apt COMMAND ARGUMENT...: run apt-get without questions
apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"
}

echo "Installing ${missing[*]}"
mkdir -p build
log=build/setup.log
# Continue if one of several sources cannot be reached: installing fails if it is needed.
apt update >"$log" 2>&1 || echo "  apt-get update complained, see $log"
for try in 1 2 3; do
	apt install --no-install-recommends "${missing[@]}" >>"$log" 2>&1 && exit 0
	echo "  apt-get install failed (try $try of 3)"
	sleep $((try * 5))
done
tail -n 20 "$log" >&2
echo "setup.sh: could not install ${missing[*]}; the whole log is in $log" >&2
exit 1
