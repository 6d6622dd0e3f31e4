#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make test-compilers: run the encoder's tests with other compilers, and print a line of counts for
# each. Only test files that check functions, or what a compiler generates; logs are below
# build/test-compilers/NAME.
#   COMPILERS="A B"  only these; one that is not installed is downloaded (see fetch-compilers.sh)
#   T=name           only test files with this in their name
set -eu -o pipefail
cd "$(dirname "$0")/.."
: "${COMPILERS:=$(echo gcc-{13..16} clang-{16..23})}"
out=build/test-compilers failed='' ran=''

mkdir -p "$out"
for name in $COMPILERS; do
	cc=$(command -v "$name") || {
		status=0
		selftests/fetch-compilers.sh "$name" || status=$?
		# Debian drops old compilers
		[ $status != 3 ] || { echo "$name: skipped, no Debian suite has this compiler"; continue; }
		[ $status = 0 ] || exit $status
		cc=$PWD/build/compilers/$name
	}
	# the status is that of summary.sh, which also counts a file without results
	CC=$cc DIRS=encoder WITH='^\s*(need_symbol|need_dwarf|verify|expect_funcs) ' OUT=$out/$name \
		selftests/run-tests.sh >"$out/$name.log" || failed=1
	sed -n "s/^FAIL/FAIL $name/p" "$out/$name.log"
	ran=1
	version=$("$cc" -dumpfullversion 2>/dev/null || "$cc" -dumpversion)
	echo "$name $version: $(tail -n 1 "$out/$name.log")" | tee "$out/$name.counts"
done
[ -z "$failed" ] && [ -n "$ran" ]
