#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Unpacks compilers of Debian suites: build/compilers/NAME is a symbolic link into NAME.root, which
# has the package and its dependencies. They compile and link with the loader, libraries and
# binutils of their suite; clang has its lld and llvm.
# A compiler that was unpacked before is used unchanged.  The status is 3 if no suite has it.
#
#   fetch-compilers.sh gcc-16 clang-22
set -eu -o pipefail
cd "$(dirname "$0")/.."

dir=$PWD/build/compilers
arch=$(dpkg --print-architecture)

# use_own_libraries ROOT: let the programs in it run with the loader and libraries in it
use_own_libraries() {
	local root=$1 libraries file loader

	libraries=$(echo "$root"/usr/lib/*-linux-gnu)
	find "$root/usr" -type f -perm /111 | while read -r file; do
		# only programs have a loader
		loader=$(patchelf --print-interpreter "$file" 2>/dev/null) || continue
		patchelf --set-interpreter "$root/usr$loader" --force-rpath --set-rpath "$libraries" "$file"
	done
	# a library with an RPATH would not use the program's
	find "$root/usr" -type f -name '*.so.*' | while read -r file; do
		[ -z "$(patchelf --print-rpath "$file" 2>/dev/null)" ] || patchelf --remove-rpath "$file"
	done
}

mkdir -p "$dir"
for name; do
	[ ! -x "$dir/$name" ] || continue
	suite=$(selftests/apt.sh sid,trixie,bookworm "$arch" suite "$name")
	echo "  fetching $name of $suite, and the packages it needs"
	root=$dir/$name.root
	rm -rf "$root"
	packages=$name
	case $name in
	clang-*) packages="$name lld-${name#*-} llvm-${name#*-}" ;;
	esac
	# shellcheck disable=SC2086 # a list
	packages=$(selftests/apt.sh "$suite" "$arch" depends $packages)
	# shellcheck disable=SC2086 # a list
	selftests/apt.sh "$suite" "$arch" unpack "$root" $packages >"build/$name.log"
	# before trixie, packages could have files in /lib, which is a link to /usr/lib
	[ ! -d "$root/lib" ] || cp -a "$root"/lib*/. "$root/usr/lib/"
	[ ! -d "$root/lib64" ] || { mkdir -p "$root/usr/lib64"; cp -a "$root/lib64/." "$root/usr/lib64/"; }
	use_own_libraries "$root"
	# where gcc looks for the assembler and the linker first
	tools=$(basename "$(echo "$root"/usr/bin/*-linux-gnu-as)" -as)
	mkdir -p "$root/usr/$tools/bin"
	for tool in as ld nm objcopy; do
		ln -s "../../bin/$tools-$tool" "$root/usr/$tools/bin/$tool"
	done
	echo 'int main(void) { return 0; }' |
		"$root/usr/bin/$name" -g -x c -ffreestanding -nostdlib -Wl,-e,main -o "$root/try" -
	ln -s "$name.root/usr/bin/$name" "$dir/$name"
done
