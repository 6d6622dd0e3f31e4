#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Downloads the pahole of Debian unstable to build/pahole-sid/pahole, with pfunct next to it, and
# prints its version. It uses the loader and libraries of Debian unstable. An existing copy is kept.
# With the argument "tests", it also unpacks the tests in its source package to build/pahole-sid/tests.
set -eu -o pipefail
cd "$(dirname "$0")/.."

dir=$PWD/build/pahole-sid
pahole=$dir/pahole

if [ ! -x "$pahole" ]; then
	arch=$(dpkg --print-architecture)
	echo "  fetching unstable's pahole, and the libraries it needs"
	rm -rf "$dir"
	packages=$(selftests/apt.sh sid "$arch" depends pahole)
	# shellcheck disable=SC2086 # a list
	selftests/apt.sh sid "$arch" unpack "$dir" $packages >build/pahole-sid.log
	loader=$dir/usr$(readelf -lW "$dir/usr/bin/pahole" |
		sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
	for program in pfunct pahole; do
		cat >"$dir/$program.tmp" <<-END
			#!/bin/sh
			exec $loader --library-path $(echo "$dir"/usr/lib/*-linux-gnu*) $dir/usr/bin/$program "\$@"
		END
		chmod +x "$dir/$program.tmp"
		"$dir/$program.tmp" --version >/dev/null
		mv "$dir/$program.tmp" "$dir/$program"
	done
fi
echo "  $pahole: $("$pahole" --version)"

if [ "${1:-}" = tests ] && [ ! -d "$dir/tests" ]; then
	echo "  fetching its source package, for the tests"
	rm -rf "$dir/source"
	selftests/apt.sh sid any source "$dir/source" dwarves >build/pahole-source.log || {
		echo "fetch-pahole.sh: the source package could not be downloaded: see build/pahole-source.log;" \
			"use PAHOLE_TESTS=DIR, with the directory tests of pahole's repository" >&2
		exit 1
	}
	version=$("$pahole" --version)
	source=$(echo "$dir/source/dwarves_${version#v}".orig.tar.*)
	[ -f "$source" ] || {
		echo "fetch-pahole.sh: the pahole is $version, the source package $(ls "$dir/source"/*.dsc):" \
			"remove $dir to fetch both" >&2
		exit 1
	}
	mkdir "$dir/source/unpacked"
	tar -x -C "$dir/source/unpacked" --strip-components=1 -f "$source"
	mv "$dir/source/unpacked/tests" "$dir/tests"
	rm -rf "$dir/source"
fi
