#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Unpacks the source that the patch series of a version are for to build/linux-KVER/src, and imports it
# into git as one commit with the tag "base-import". Author, date and message are fixed, so the commit's
# id only depends on the tarball, and can be compared with a patch's "base-commit:".
#
# The tarball is the one in Debian's package linux-source-KVER: installed ("make
# setup-kernel" does that for 6.12), or downloaded from the newest suite that has it.
#	LINUX_TARBALL=FILE	this one
#
# Does nothing if this tarball has already been imported.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

src=$linux/src
stamp=$src/.git/abtf-tarball

package=linux-source-$kver
tarball=${LINUX_TARBALL:-/usr/src/$package.tar.xz}
if [ -z "${LINUX_TARBALL:-}" ] && [ ! -e "$tarball" ]; then
	tarball=$linux/linux-source.tar.xz
	if [ ! -e "$tarball" ]; then
		echo "source.sh: downloading $package"
		rm -rf "$linux/package"
		"$top/selftests/apt.sh" any amd64 unpack "$linux/package" "$package" >"$linux/package.log" 2>&1 ||
			{ tail -n 5 "$linux/package.log" >&2; die "$package could not be downloaded; see LINUX_TARBALL"; }
		mv "$linux/package/usr/src/$package.tar.xz" "$tarball"
		rm -rf "$linux/package"
	fi
fi
[ -e "$tarball" ] || die "$tarball does not exist"

sum=$(sha256sum <"$tarball" | cut -d' ' -f1)
[ -e "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ] && exit 0

echo "source.sh: importing $tarball into ${src#"$top/"}"
rm -rf "$src"
mkdir -p "$src"
tar -xf "$tarball" -C "$src" --strip-components=1 --no-same-owner

cd "$src"
version=$(env -u MAKEFLAGS -u ARCH make -s kernelversion)
git init -q -b base
# The environment and the user's configuration must not change the commit.
git config core.autocrlf false
git config core.fileMode true
git config core.compression 1
git config core.looseCompression 1
git config gc.auto 0
git config commit.gpgSign false
git config user.name 'abtf import'
git config user.email 'import@abtf.invalid'
git add -A -f
GIT_AUTHOR_NAME='abtf import' GIT_AUTHOR_EMAIL='import@abtf.invalid' \
GIT_COMMITTER_NAME='abtf import' GIT_COMMITTER_EMAIL='import@abtf.invalid' \
GIT_AUTHOR_DATE='2026-01-01T00:00:00+0000' GIT_COMMITTER_DATE='2026-01-01T00:00:00+0000' \
	git commit -q --no-verify -m "Linux $version as Debian packages it"
git tag base-import
echo "$sum" >.git/abtf-tarball
case $version in
"$kver"|"$kver".*|"$kver"-rc*) ;;
*) echo "source.sh: this is Linux $version, and not $kver" ;;
esac
