#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make deb: builds the Debian packages from a copy of the tree below build/deb, and fails if lintian
# complains about them.
set -eu -o pipefail
cd "$(dirname "$0")/.."
version=$(sed -nE 's/^#define ABTF_VERSION[[:blank:]]+"(.*)"$/\1/p' encoder/version.h)
copy=build/deb/abtf-$version

if [ "$version" != "$(dpkg-parsechangelog -l debian/changelog -S Version)" ]; then
	echo "deb.sh: debian/changelog and encoder/version.h have different versions" >&2
	exit 1
fi
rm -rf build/deb
mkdir -p "$copy"
# without git, this is a tree made by "make dist"
if [ -e .git ]; then
	git ls-files -z --cached --others --exclude-standard
else
	find . -path ./build -prune -o \( -type f -o -type l \) -print0
fi | tar --null -T - -c | tar -x -C "$copy"

echo "Building the packages (log: build/deb/log)"
(cd "$copy" && dpkg-buildpackage -b -us -uc) >build/deb/log 2>&1 || {
	tail -n 30 build/deb/log >&2
	exit 1
}
rm -rf "$copy"
echo "Running lintian"
lintian --allow-root --info --fail-on error,warning,info build/deb/*.deb
ls -l build/deb/*.deb
