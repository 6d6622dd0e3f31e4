#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Unpacks packages of Debian unstable, with all their dependencies, below
# build/clients-sid/PACKAGE.  A package that is already there is kept.
#
#   fetch-clients.sh bpftrace libbpf-dev
set -eu -o pipefail
cd "$(dirname "$0")/.."

dir=build/clients-sid
arch=$(dpkg --print-architecture)
mkdir -p "$dir"

for name; do
	[ ! -e "$dir/$name.version" ] || continue
	echo "  fetching unstable's $name, and the libraries it needs"
	rm -rf "${dir:?}/$name"
	packages=$(selftests/apt.sh sid "$arch" depends "$name")
	# shellcheck disable=SC2086 # a list
	selftests/apt.sh sid "$arch" unpack "$dir/$name" $packages >"$dir/$name.log"
	# usrmerge: these links are in no package
	ln -sfn usr/lib "$dir/$name/lib"
	ln -sfn usr/lib64 "$dir/$name/lib64"
	selftests/apt.sh sid "$arch" version "$name" >"$dir/$name.tmp"
	mv "$dir/$name.tmp" "$dir/$name.version"
done
