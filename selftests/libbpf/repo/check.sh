#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# check.sh CHECKOUT: applies the libbpf series to libbpf's own repository (github.com/libbpf/libbpf, a
# checkout or a bare one), in a copy of its HEAD in build/libbpf-repo/tree, with src/ for tools/lib/bpf/ and
# include/uapi/ for tools/include/uapi/. It builds the result with libbpf's makefile and flags, and then
# runs the host tests with it, built with ASan and UBSan.
#	KVER=VERSION	of which series (the newest; libbpf of 2024 would be 6.12's)
#	FUZZ=S		then run the fuzz targets, S seconds each: see fuzz.sh
set -eu
set -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
series=$top/libbpf-patch/${KVER:-$("$top/selftests/versions.sh" | tail -n 1)}
out=$top/build/libbpf-repo
tree=$out/tree

die() {
	echo "check.sh: $*" >&2
	exit 1
}

[ $# = 1 ] || die 'usage: check.sh CHECKOUT'
commit=$(git -C "$1" rev-parse --verify -q 'HEAD^{commit}') || die "$1: no git repository"
git -C "$1" cat-file -e "$commit:src/libbpf.c" 2>/dev/null || die "$1: no checkout of libbpf"

rm -rf "$tree"
mkdir -p "$tree"
git -C "$1" archive "$commit" | tar -x -C "$tree"
git init -q "$tree" # so that git apply uses this directory as the top

# Omit files that are not in the repository, such as bpftool.
patches=$(sed 's#^#fixes/#' "$series/fixes/series" && cat "$series/series")
for patch in $patches; do
	sed -E 's#\b([ab])/tools/lib/bpf/#\1/src/#g; s#\b([ab])/tools/include/uapi/#\1/include/uapi/#g' \
		"$series/$patch" >"$out/patch"
	git -C "$tree" apply --include='src/*' --include='include/uapi/*' "$out/patch" ||
		die "$patch does not apply to ${commit:0:12}"
done
rm -rf "$tree/.git"
echo "${series#"$top"/} applies to libbpf ${commit:0:12}: $(cat "$series/fixes/series" "$series/series" | wc -l) patches"

rm -rf "$out/build"
env -u MAKEFLAGS make -s -j2 -C "$tree/src" OBJDIR="$out/build" >"$out/build.log" 2>&1 || {
	cat "$out/build.log" >&2
	die 'libbpf does not build'
}
! grep -i warning "$out/build.log" || die 'libbpf builds with warnings'
echo 'libbpf builds with its Makefile'

make -s -C "$top/encoder"
make -s -C "$top/selftests/compare"
make -s -C "$top/selftests/example"
export LIBBPF=$tree
mkdir -p "$out/work"
(cd "$out/work" && bash "$top/selftests/libbpf/patched.sh" 3>"$out/results") >"$out/log" 2>&1 || {
	cat "$out/log" >&2
	die 'the host tests ended early'
}
awk -F'\t' '{ n[$1]++; print toupper($1) " " $2 } END { exit n["fail"] || !n["pass"] }' "$out/results" || {
	cat "$out/log" >&2
	die 'host tests failed'
}
echo "host tests: $(grep -c '^pass' "$out/results") passed, 0 failed"

[ -z "${FUZZ:-}" ] || exec "$here/fuzz.sh" "$FUZZ"
