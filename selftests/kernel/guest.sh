#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Everything a guest of the chosen kernel finds in its file system: busybox,
# Debian's bpftool, our programs, tests and modules, and those of the kernel.
# Written to build/vm/NAME/base.cpio, when something has changed.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

exec 9>"$top/build/vm.lock"
flock 9
mkdir -p "$vm"
make --no-print-directory -s -C "$here" 9>&-

# Modules of the tests: kbuild writes beside the sources, so they are copied.
# Built again if a source is newer than the last build, or the kernel is another.
modules() {
	local sources=$vm/modules id

	[ -e "$here/modules/Makefile" ] || return 0
	mkdir -p "$sources"
	id=$(cat "$out/tools-abtf/id"; cd "$here/modules" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
	[ "$(cat "$vm/modules.id" 2>/dev/null)" != "$id" ] || return 0
	echo "guest.sh: building modules for the $kernel kernel"
	(cd "$here/modules" && cp -auL . "$sources/")
	kmake -s M="$sources" -j"$(nproc)" modules >"$vm/modules.log" 2>&1 9>&- || {
		tail -n 40 "$vm/modules.log" >&2
		die "building the tests' modules failed; the log is in $vm/modules.log"
	}
	echo "$id" >"$vm/modules.id"
}
modules

# A program of Debian's with what it is linked to.
install_host() {
	local program lib

	for program; do
		program=$(PATH=$PATH:/usr/sbin:/sbin command -v "$program") || die "no $1"
		cp -L "$program" "$root/bin/"
		{ ldd "$program" || true; } | grep -o '/[^ ]*' | while read -r lib; do
			mkdir -p "$root${lib%/*}"
			cp -Lu "$lib" "$root$lib"
		done
	done
}

id=$(
	cat "$out/tools-abtf/id" "$vm/modules.id" 2>/dev/null
	sha256sum "$0" "$here/guest/init" "$here/guest/etc/"* "$top/build/vm/test/"* "$here/tests/"*.sh 2>/dev/null
	dpkg-query -W busybox-static bpftool 2>/dev/null || true
)
if [ -e "$vm/base.cpio" ] && [ "$(cat "$vm/base.id" 2>/dev/null)" = "$id" ]; then
	exit 0
fi

root=$vm/root
rm -rf "$root"
mkdir -p "$root"/{bin,dev,proc,sys,tmp,test,files,lib/modules}
cp "$(command -v busybox)" "$root/bin/busybox"
! ldd "$root/bin/busybox" >/dev/null 2>&1 || die 'busybox is not static; "make setup-kernel" installs busybox-static'
"$root/bin/busybox" --list | grep -vx busybox | while read -r applet; do
	ln -s busybox "$root/bin/$applet"
done
install_host bpftool
cp -r "$here/guest/." "$root/"
cp "$here/tests/"*.sh "$root/test/"
[ ! -d "$top/build/vm/test" ] || cp "$top/build/vm/test/"* "$root/test/"
[ ! -d "$vm/modules" ] || find "$vm/modules" -name '*.ko' -exec cp {} "$root/test/" \;
kmake -s INSTALL_MOD_PATH="$root" DEPMOD=true modules_install >/dev/null 9>&-
release=$(cat "$out/include/config/kernel.release")
rm -f "$root/lib/modules/$release"/{build,source}
depmod=$(PATH=$PATH:/usr/sbin:/sbin command -v depmod) || die 'no depmod'
"$depmod" -b "$root" "$release"
(cd "$root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$vm/base.cpio.tmp"
mv "$vm/base.cpio.tmp" "$vm/base.cpio"
echo "$id" >"$vm/base.id"
rm -rf "$root"
