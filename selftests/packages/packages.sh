#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make test-deb: builds packages and tarball, and installs, uses and removes the packages: on this machine
# as root, unless they are already installed; otherwise in a directory.
. "${0%/*}/../lib.sh"
cp "$example" vmlinux
# unset what make and the test runner export to this test
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL T DIRS WITH OUT JOBS NO_SUMMARY SANITIZE
version=$(sed -nE 's/^#define ABTF_VERSION[[:blank:]]+"(.*)"$/\1/p' "$top/encoder/version.h")

root=
if [ "$(id -u)" = 0 ] && ! dpkg -s abtf >/dev/null 2>&1; then
	dpkg=(dpkg --log="$PWD/dpkg.log")
else
	root=$PWD/root
	mkdir -p root/var/lib/dpkg/{info,updates,triggers}
	touch root/var/lib/dpkg/{status,available}
	dpkg=(dpkg --root="$root" --force-not-root --force-depends --log="$root/log")
fi
clean_up() { "${dpkg[@]}" -P abtf-dev abtf >/dev/null 2>&1; }

begin 'make deb builds packages without complaints from lintian'
expect 0 make -s -C "$top" deb
debs=("$top"/build/deb/abtf_*.deb "$top"/build/deb/abtf-dev_*.deb)

# build_depends: print the build dependencies in debian/control, with their restrictions
build_depends() {
	sed -n '/^Build-Depends:/,/^[^ ]*:/p' "$top/debian/control" | sed -n 's/^\(Build-Depends:\)\? //p' |
		tr ',' '\n' | sed -n 's/^ *\(.*[^ ]\) *$/\1/p' | grep -v '^debhelper'
}

# setup TOPIC: print the packages that setup.sh installs for it
setup() {
	sed -n "/^\t$1)/,/;;/p" "$selftests/setup.sh" | tr '()' '\n\n' | grep -v ';;\|packages+=' | tr -s '\t ' '\n'
}

begin 'debian/control and setup.sh list the same packages'
expect_text "$(build_depends | grep -v nocheck | sort)" \
	< <(setup build | grep -e '-dev$' | grep -v libc6 | sort)
expect_text "$(build_depends | sed -n 's/ <!nocheck>$//p' | sort)" \
	< <(setup deb | grep -vx 'deb\|dpkg-dev\|debhelper\|lintian\|fakeroot' | grep . | sort)

begin 'building the packages runs the quick tests, and nocheck omits them'
has "$top/build/deb/log" '^[0-9]+ passed, 0 failed'
has "$top/build/deb/log" '^PASS alias: '
DEB_BUILD_OPTIONS=nocheck make -n -C "$top" -f debian/rules override_dh_auto_test >nocheck
has_not nocheck ' check$'
DEB_BUILD_OPTIONS=parallel=2 make -n -C "$top" -f debian/rules override_dh_auto_test >checked
has checked ' check$|check\.sh'

begin 'the packages install, and abtf works'
expect 0 "${dpkg[@]}" -i "${debs[@]}"
expect 0 "$root/usr/bin/abtf" --version
says "^abtf ${version//./\\.} "
expect 0 "$root/usr/bin/abtf-pahole" --version
"$root/usr/bin/abtf" encode -q -o installed.btf vmlinux
"$ABTF" encode -q -o built.btf vmlinux
cmp installed.btf built.btf || fail 'the installed abtf writes different BTF'
expect 0 "$root/usr/bin/abtf" report -q -o page.html vmlinux

begin 'man page and completion work'
for page in abtf abtf-pahole; do
	man -l "$root/usr/share/man/man1/$page.1.gz" 2>/dev/null | matches 'abtf report' ||
		fail "the man page of $page does not work"
done
bash -c '. "$1/usr/share/bash-completion/completions/abtf"
	COMP_WORDS=("$1/usr/bin/abtf" re) COMP_CWORD=1; _abtf; [ "${COMPREPLY[*]}" = report ]' - "$root" ||
	fail 'completion does not work'

begin 'abtf-dev has the header and the examples'
echo '#include <abtf_probe.h>' >program.c
expect 0 gcc -fsyntax-only -Wall -Werror -I"$root/usr/include" program.c
for file in README.md Makefile latency.sh count_calls.c count_calls.bpf.c count_calls.go print_names.c print_names.bpf.c print_names.h abtfprobe/abtfprobe.go abtfprobe/go.mod; do
	[ -s "$root/usr/share/doc/abtf-dev/examples/$file" ] || fail "no $file"
done

begin 'purging leaves no file'
"${dpkg[@]}" -L abtf abtf-dev | sed '/^$/d; s|^|'"$root"'|' >files
[ "$(wc -l <files)" -gt 20 ] || fail 'the packages list few files'
expect 0 "${dpkg[@]}" -P abtf-dev abtf
while read -r file; do
	[ -d "$file" ] || [ ! -e "$file" ] || fail "$file is left"
done <files

begin 'make dist: two runs give the same bytes'
[ -e "$top/.git" ] || { skip 'not a git repository'; exit 77; }
expect 0 make -s -C "$top" dist
cp "$top/build/abtf-$version.tar.gz" first.tar.gz
expect 0 make -s -C "$top" dist
cmp first.tar.gz "$top/build/abtf-$version.tar.gz" || fail 'the tarballs differ'

begin 'CHANGELOG, debian/changelog and man page have the current version'
has "$top/CHANGELOG.md" "^## \\[${version//./\\.}\\] - 20[0-9]{2}-[0-9]{2}-[0-9]{2}$"
expect_eq "$(dpkg-parsechangelog -l "$top/debian/changelog" -S Version)" "$version"
expect_eq "$(date -u -d "$(dpkg-parsechangelog -l "$top/debian/changelog" -S Date)" '+%B %-d, %Y')" \
	"$(sed -n 's/^\.Dd //p' "$top/encoder/abtf.1")" 'date of the man page'

begin 'the CI workflow is valid YAML'
if "$python" -c 'import yaml' 2>/dev/null; then
	expect 0 "$python" -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))["jobs"]' \
		"$top/.github/workflows/ci.yml"
else
	skip 'no python3-yaml'
fi

begin 'the tarball has the committed files, and builds'
tar -xf first.tar.gz
expect_eq "$(cd "abtf-$version" && find . \( -type f -o -type l \) | sort | sed 's|^\./||')" \
	"$(git -C "$top" ls-tree -r --name-only HEAD | sort)"
dest="$PWD/it's here" prefix='/opt/my programs'
expect 0 make -s -C "abtf-$version" install DESTDIR="$dest" PREFIX="$prefix"
expect 0 "$dest$prefix/bin/abtf" --version
expect 0 man -l "$dest$prefix/share/man/man1/abtf-pahole.1"
expect 0 make -s -C "abtf-$version" uninstall DESTDIR="$dest" PREFIX="$prefix"
find "$dest" ! -type d | expect_none

begin 'a source path with blanks or colons is rejected'
for dir in 'a b' a:b; do
	mkdir "$dir"
	tar -xf first.tar.gz -C "$dir"
	expect 2 make -s -C "$dir/abtf-$version"
	says 'the path of the source cannot have blanks or colons'
done

begin 'packages can be built from the tarball'
# also build packages, as from a release
expect 0 make -s -C "abtf-$version" deb
