#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Puts the vmlinux of Debian's 6.12 debug package at build/debian/vmlinux and
# prints its version.  An existing file is kept.  With the argument "modules", it
# also unpacks the package's modules (6.1 GB) into build/debian/modules.
#   KEEP=1   keep the package (1 GB) next to it
set -eu
cd "$(dirname "$0")/.."

dir=build/debian
image=$dir/vmlinux
modules=
[ "${1:-}" != modules ] || modules=$dir/modules

# banner: print the version and package in the image; names of files may be of another version
banner() {
	grep -a -o -m1 'Linux version [0-9][[:print:]]*' "$image" | head -n 1 |
		sed -n 's/^Linux version \([^ ]*\) .* Debian \([^ ]*\) .*/linux-image-\1-dbg \2/p'
}

if [ -s "$image" ] && { [ -z "$modules" ] || [ -d "$modules" ]; }; then
	echo "  using $image: $(banner)"
	exit 0
fi

if ! command -v apt-get >/dev/null; then
	echo "Debian's debug image is downloaded with apt-get; on this system, use VMLINUX=FILE" >&2
	exit 1
fi

# newest PATTERN: print the newest downloaded package that matches
newest() {
	find "$dir" -maxdepth 1 -name "$1" -newermt '1970-01-02' -printf '%T@ %p\n' |
		sort -n | tail -n 1 | cut -d' ' -f2-
}

# Modules must be from the same build as the image.
if [ -s "$image" ]; then
	package=$(banner | cut -d' ' -f1)
	deb=$(newest "${package}_$(banner | cut -d' ' -f2)_*.deb")
else
	package='' deb=''
fi

# The package with this name is empty, and depends on the real one, which has the ABI in its name.
meta=linux-image-6.12-$(dpkg --print-architecture)-dbg
resolve() {
	apt-cache show --no-all-versions "$meta" 2>/dev/null |
		sed -n 's/^Depends: *\(linux-image-[^ ,]*\).*/\1/p' | head -n 1
}
# download PACKAGE: download it to $dir
download() {
	local as_user=()

	mkdir -p "$dir"
	echo "  downloading $1 into $dir (1 GB)"
	[ "$(id -u)" != 0 ] || as_user=(-o APT::Sandbox::User=root)
	(cd "$dir" && apt-get -q -o Acquire::Retries=3 "${as_user[@]}" download "$1")
}

[ -n "$package" ] || package=$(resolve)
if [ -z "$package" ]; then
	echo "  $meta: not in apt's lists, updating them"
	as_root=
	[ "$(id -u)" = 0 ] || as_root=sudo
	$as_root apt-get -q -o Acquire::Retries=3 -o APT::Update::Error-Mode=any update >/dev/null ||
		echo "  apt's lists could not be updated completely" >&2
	package=$(resolve)
fi
if [ -z "$package" ]; then
	echo "$meta: not in apt's lists" >&2
	exit 1
fi

if [ -z "$deb" ]; then
	if [ -s "$image" ]; then
		download "$package=$(banner | cut -d' ' -f2)"
	else
		echo "  $meta is $package"
		download "$package"
	fi
	deb=$(newest "${package}_*.deb")
	downloaded=1
fi

# Unpack only this file, under another name until it is complete. Then tar stops reading, about
# which dpkg-deb complains; this is harmless.
if [ ! -s "$image" ]; then
	echo "  extracting vmlinux"
	dpkg-deb --fsys-tarfile "$deb" 2>/dev/null |
		tar -x -O -f - --occurrence=1 --wildcards './usr/lib/debug/boot/vmlinux-*' >"$image.tmp"
	mv "$image.tmp" "$image"
fi
if [ -n "$modules" ] && [ ! -d "$modules" ]; then
	echo "  unpacking its modules into $modules (6.1 GB)"
	rm -rf "$modules.tmp"
	mkdir -p "$modules.tmp"
	dpkg-deb --fsys-tarfile "$deb" |
		tar -x -C "$modules.tmp" -f - --strip-components=8 --wildcards \
			'./usr/lib/debug/lib/modules/*/kernel/*.ko'
	mv "$modules.tmp" "$modules"
fi
[ -n "${KEEP:-}" ] || [ -z "${downloaded:-}" ] || rm -f "$deb"
echo "  $image: $(banner)"
