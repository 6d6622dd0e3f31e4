#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Puts compilers of Debian unstable at build/compilers-sid/NAME, to be run with the
# loader and the libraries of unstable.  They compile (-c, -S) but do not link.  A compiler
# that is there already is used unchanged.
#
#   fetch-compilers.sh gcc-16 clang-22
set -eu -o pipefail
cd "$(dirname "$0")/.."

dir=$PWD/build/compilers-sid
arch=$(dpkg --print-architecture)

for name; do
	[ ! -x "$dir/$name" ] || continue
	echo "  fetching unstable's $name, and the libraries it needs"
	root=$dir/$name.root
	rm -rf "$root"
	packages=$(selftests/apt.sh sid "$arch" depends "$name")
	# shellcheck disable=SC2086 # a list
	selftests/apt.sh sid "$arch" unpack "$root" $packages >"build/$name.log"
	program=$(readlink -f "$root/usr/bin/$name")
	loader=$root/usr$(readelf -lW "$program" |
		sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
	libraries=$(echo "$root"/usr/lib/*-linux-gnu)
	options=
	case $name in
	gcc-*)
		# The driver starts cc1 and as, which need that loader, too.
		options="-wrapper $loader,--library-path,$libraries -B$root/usr/bin/"
		ln -sf "$(cd "$root/usr/bin" && echo ./*-linux-gnu-as)" "$root/usr/bin/as"
		;;
	esac
	cat >"$dir/$name.tmp" <<-END
		#!/bin/sh
		exec $loader --library-path $libraries $program $options "\$@"
	END
	chmod +x "$dir/$name.tmp"
	echo 'int main(void) { return 0; }' | "$dir/$name.tmp" -c -g -x c -o "$dir/$name.o" -
	mv "$dir/$name.tmp" "$dir/$name"
done
