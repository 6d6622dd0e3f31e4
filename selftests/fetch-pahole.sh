#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Puts the pahole of Debian unstable at build/pahole-sid/pahole, to be run with
# the loader and libraries of Debian unstable, and prints its version; pfunct is
# next to it.  An existing copy is kept.
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
