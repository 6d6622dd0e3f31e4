#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The commands of docs/kernel-build.md patch the source like the scripts here do.
. "${0%/*}/../lib.sh"
version=${KVER:-6.12}
pristine=$top/build/linux-$version/src
tree=$top/build/linux-$version/patched
make --no-print-directory -s -C "$top" vm-source

begin 'the commands of docs/kernel-build.md produce the tested source'
# the page says to replace the version number for the other version
sed -n '/^    for series in/,/^    done/s/^    //p' "$top/docs/kernel-build.md" |
	sed "s|/6\.12/|/$version/|g" >commands
has commands '^[[:space:]]+patch '

# files that the patches touch, except those that only the tests' patches touch
touched() {
	cat "$@" | sed -n 's|^+++ b/||p; s|^--- a/||p' | sort -u
}
touched "$top"/{libbpf,kernel}-patch/"$version"/{fixes/,}0*.patch >files
mkdir source
while read -r file; do
	[ ! -e "$pristine/$file" ] || (cd "$pristine" && cp --parents "$file" "$OLDPWD/source/")
done <files
(cd source && abtf=$top bash -e ../commands) || fail 'a patch does not apply'
touched "$top/selftests/patch/$version"/0*.patch | comm -23 files - >own
[ "$(wc -l <own)" -gt 20 ] || fail 'few files were touched'
# the last commit adds functions for tests
while read -r file; do
	git -C "$tree" show "HEAD~:$file" | cmp "source/$file" - || fail "$file differs from the tested tree"
done <own
