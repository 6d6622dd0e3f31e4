#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make run": picks an image, encodes it, lists the names that several of its
# functions bear.  Writes below build/ only; an image that was found is read,
# never changed.
set -eu
cd "$(dirname "$0")/.."
abtf=encoder/abtf

has_dwarf() {
	[ -r "$1" ] && readelf -SW "$1" 2>/dev/null | grep -qE '\.z?debug_info'
}

newest_on_this_machine() {
	local file newest=

	for file in /usr/lib/debug/boot/vmlinux-* /lib/modules/*/build/vmlinux; do
		if has_dwarf "$file" && [[ -z $newest || $file -nt $newest ]]; then
			newest=$file
		fi
	done
	echo "$newest"
}

example=
if [ -n "${VMLINUX:-}" ]; then
	image=$VMLINUX
	echo "Image: $image"
elif [ "${KERNEL:-}" = debian ]; then
	echo "Image: Debian's 6.12"
	selftests/fetch-debian.sh
	image=build/debian/vmlinux
elif [ -n "${KERNEL:-}" ]; then
	echo "KERNEL=$KERNEL: only KERNEL=debian is known; use VMLINUX=FILE for any other" >&2
	exit 2
else
	image=$(newest_on_this_machine)
	if [ -n "$image" ]; then
		echo "Image: $image, the newest with DWARF on this machine"
	else
		echo "Image: no vmlinux with DWARF on this machine, so the example it is"
		make --no-print-directory -C selftests/example
		image=build/example/vmlinux
		example=1
	fi
fi

# The example is ours, so its BTF goes where a kernel's is: into the image.
if [ -n "$example" ]; then
	echo "Encoding its types and functions into its .BTF section"
	$abtf encode "$image"
	btf=$image
else
	mkdir -p build/run
	btf=build/run/$(basename "$image").btf
	echo "Encoding its types and functions into $btf"
	$abtf encode -o "$btf" "$image"
fi
echo "Listing the names that several functions bear"
echo
if [ -n "$example" ]; then
	$abtf list "$btf"
else
	# where functions are declared stands in the image only
	$abtf list --image "$image" "$btf"
fi
echo
echo "One name:  $abtf list $btf $([ -n "$example" ] && echo cpumask_weight || echo type_show)"
echo "All:       $abtf list --all $btf"
