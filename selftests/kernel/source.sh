#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The source all three patch series start from: Debian's linux-source-6.12,
# unpacked below build/linux/src and imported into git as one commit, the tag
# "base-import".  Author, date and message are fixed, so the commit's id depends on the
# tarball alone and a patch's "base-commit:" can be compared with it.
#
# Does nothing if the import is there and the tarball has not changed since.
set -eu

cd "$(dirname "$0")/../.."

tarball=${LINUX_TARBALL:-/usr/src/linux-source-6.12.tar.xz}
src=build/linux/src
stamp=$src/.git/abtf-tarball

die()
{
	echo "source.sh: $*" >&2
	exit 1
}

[ -e "$tarball" ] || die "$tarball: not there; \"make setup-kernel\" installs it"

sum=$(sha256sum <"$tarball" | cut -d' ' -f1)
[ -e "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ] && exit 0

echo "source.sh: importing $tarball into $src"
rm -rf "$src"
mkdir -p "$src"
tar -xf "$tarball" -C "$src" --strip-components=1 --no-same-owner

cd "$src"
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
	git commit -q --no-verify -m "Linux $(make -s kernelversion) as Debian packages it"
git tag base-import
echo "$sum" >.git/abtf-tarball
