#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The source that the patch series of a version start from, unpacked below
# build/linux-KVER/src and imported into git as one commit, the tag "base-import".
# Author, date and message are fixed, so the commit's id depends on the tarball alone
# and a patch's "base-commit:" can be compared with it.
#
# 6.12 is Debian's linux-source-6.12, which "make setup-kernel" installs.  Other
# versions are what Debian's unstable has of them, or has instead.
#	LINUX_TARBALL=FILE	this one
#
# Does nothing if the import is there and the tarball has not changed since.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

src=$linux/src
stamp=$src/.git/abtf-tarball

# The package of unstable: of this version, else the newest.
package_of() {
	local newest

	newest=$("$top/selftests/apt.sh" sid amd64 depends linux-source |
		grep -x 'linux-source-[0-9.]*' | head -n 1) || true
	if "$top/selftests/apt.sh" sid amd64 version "linux-source-$kver" 2>/dev/null | grep -q .; then
		echo "linux-source-$kver"
	else
		[ -n "$newest" ] || die "unstable has no linux-source-$kver, and no other"
		echo "$newest"
	fi
}

download() {
	local package

	package=$(package_of)
	echo "source.sh: downloading $package of unstable"
	rm -rf "$linux/package"
	"$top/selftests/apt.sh" sid amd64 unpack "$linux/package" "$package" >"$linux/package.log" 2>&1 ||
		{ tail -n 5 "$linux/package.log" >&2; die "$package could not be had"; }
	mv "$linux/package/usr/src/$package.tar.xz" "$tarball"
	rm -rf "$linux/package"
}

case $kver in
6.12)
	tarball=${LINUX_TARBALL:-/usr/src/linux-source-6.12.tar.xz}
	;;
*)
	tarball=${LINUX_TARBALL:-$linux/linux-source.tar.xz}
	[ -e "$tarball" ] || download
	;;
esac
[ -e "$tarball" ] || die "$tarball: not there; \"make setup-kernel\" installs it"

sum=$(sha256sum <"$tarball" | cut -d' ' -f1)
[ -e "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ] && exit 0

echo "source.sh: importing $tarball into ${src#"$top/"}"
rm -rf "$src"
mkdir -p "$src"
tar -xf "$tarball" -C "$src" --strip-components=1 --no-same-owner

cd "$src"
version=$(env -u MAKEFLAGS make -s kernelversion)
git init -q -b base
# What the environment or the user's configuration could change in the commit.
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
"$kver"|"$kver".*) ;;
*) echo "source.sh: this is Linux $version, and not $kver, which Debian no longer has" ;;
esac
