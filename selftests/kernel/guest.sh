#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Writes the file system of guests of the chosen kernel to build/vm/KVER-ARCH/KERNEL/base.cpio, if
# something changed: busybox, Debian's bpftool, our programs, tests and modules, and the kernel's modules.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

mkdir -p "$vm"
exec 9>"$guests/lock"
flock 9
[ -z "$sysroot" ] || "$here/sysroot.sh" 9>&-
programs_tree=${LINUX:-$linux/patched}
[ -e "$programs_tree" ] || programs_tree=$linux/src
GUESTS=$guests TREE=$(realpath "$programs_tree") CROSS=$cross SYSROOT=$sysroot TRIPLET=$triplet SRCARCH=$srcarch \
	BPF=$bpf SKELETONS=$skeletons \
	make --no-print-directory -s -C "$here" 9>&-

# Build the tests' modules. kbuild writes next to the sources, so copy them. Rebuild if a source is newer
# than the last build, or for another kernel.
modules() {
	local sources=$vm/modules id

	[ -e "$here/modules/Makefile" ] || return 0
	mkdir -p "$sources"
	id=$(cat "$out/tools-abtf/id"; cd "$here/modules" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
	[ "$(cat "$vm/modules.id" 2>/dev/null)" != "$id" ] || return 0
	echo "guest.sh: building modules for the $kernel kernel"
	(cd "$here/modules" && cp -auL . "$sources/")
	# kbuild does not notice that the encoder or its libraries changed
	find "$sources" -name '*.ko' -delete
	kmake -s M="$sources" -j"$(nproc)" modules >"$vm/modules.log" 2>&1 9>&- || {
		tail -n 40 "$vm/modules.log" >&2
		die "building the tests' modules failed; the log is in $vm/modules.log"
	}
	echo "$id" >"$vm/modules.id"
}
modules

# debian PROGRAM: print its path, for the guest's architecture
debian() {
	local dir

	for dir in /usr/sbin /usr/bin /sbin /bin; do
		if [ -e "$sysroot$dir/$1" ]; then
			echo "$sysroot$dir/$1"
			return
		fi
	done
	die "no $1"
}

# libraries FILE: copy the loader and the libraries that an ELF file needs, recursively
libraries() {
	local lib dir

	readelf -ldW "$1" | sed -n 's/.*program interpreter: \(.*\)\]$/\1/p; s/.*(NEEDED).*\[\(.*\)\]$/\1/p' |
		while read -r lib; do
			for dir in '' "/lib/$triplet/" "/usr/lib/$triplet/"; do
				[ ! -e "$sysroot$dir$lib" ] || break
			done
			[ ! -e "$root$dir$lib" ] || continue
			mkdir -p "$root$(dirname "$dir$lib")"
			cp -L "$sysroot$dir$lib" "$root$dir$lib"
			libraries "$sysroot$dir$lib"
		done
}

# install_debian PROGRAM: copy one of Debian's programs with its libraries.
install_debian() {
	local program

	program=$(debian "$1")
	cp -L "$program" "$root/bin/"
	libraries "$program"
}

id=$(
	cat "$out/tools-abtf/id" "$vm/modules.id" 2>/dev/null
	sha256sum "$0" "$here/guest/init" "$here/guest/etc/"* "$guests/test/"* "$here"/{tests,clients}/*.sh 2>/dev/null
	sha256sum "$(debian busybox)" "$(debian bpftool)"
)
if [ -e "$vm/base.cpio" ] && [ "$(cat "$vm/base.id" 2>/dev/null)" = "$id" ]; then
	exit 0
fi

root=$vm/root
rm -rf "$root"
mkdir -p "$root"/{bin,dev,proc,sys,tmp,test,files,lib/modules}
cp "$(debian busybox)" "$root/bin/busybox"
segments=$(readelf -lW "$root/bin/busybox")
! grep -q 'program interpreter' <<<"$segments" ||
	die 'busybox is not static; "make setup-kernel" installs busybox-static'
# The host's busybox has the same applets.
busybox --list | grep -vx busybox | while read -r applet; do
	ln -s busybox "$root/bin/$applet"
done
install_debian bpftool
cp -r "$here/guest/." "$root/"
cp "$here"/{tests,clients}/*.sh "$root/test/"
[ ! -d "$guests/test" ] || cp "$guests/test/"* "$root/test/"
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
