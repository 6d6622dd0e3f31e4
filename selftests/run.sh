#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make run": chooses an image, encodes it, lists the functions that share a name, and prints
# commands to try next, which are also in README.md. It only writes to build/, and never changes an
# image that it found.
#   VMLINUX=FILE   this image
#   KERNEL=debian  the image of Debian's 6.12, which is downloaded
#   SYSROOT=DIR    look for images below DIR (for tests)
set -eu -o pipefail
cd "$(dirname "$0")/.."
abtf=encoder/abtf

# has_dwarf FILE: test whether it is readable and has DWARF
has_dwarf() {
	[ -r "$1" ] && grep -qE '\.z?debug_info' <<<"$(readelf -SW "$1" 2>/dev/null)"
}

newest_on_this_machine() {
	local file newest=

	for file in "${SYSROOT:-}"/usr/lib/debug/boot/vmlinux-* "${SYSROOT:-}"/lib/modules/*/build/vmlinux; do
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
		echo "Image: no vmlinux with DWARF on this machine; using the example"
		make --no-print-directory -C selftests/example
		image=build/example/vmlinux
		example=1
	fi
fi

# Unlike other images, the example may be changed: write its BTF to the image, like a kernel's.
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
echo "Listing the names that several functions share"
echo
if [ -n "$example" ]; then
	$abtf list "$btf" | tee build/run.list
else
	# only the image has the declarations of functions
	$abtf list --image "$image" "$btf" | tee build/run.list
fi

# Names to try: those of README.md, if this image has them
one=$(grep -om1 'type_show@[^ ]*/irqdesc\.c' build/run.list ||
	grep -om1 '[[:alnum:]_.]\+@[^ ]\+\.c\b' build/run.list || :)
[[ $one != type_show@*/irqdesc.c ]] || one=type_show@irqdesc.c
name=${one%%@*}
many=$(grep -om1 'cpumask_weight@' build/run.list || echo "$name")
many=${many%@}
rm -f build/run.list
[ "$btf" != "$image" ] || btf=

echo
echo "Next:"
if [ -n "$one" ]; then
	echo "  $abtf list $image $many"
	[ "$many" = "$name" ] || echo "  $abtf list $image $name"
	echo "  $abtf list --probe=libbpf $image $one"
	[ -z "$example" ] || echo "  $abtf list --inlined $image $many"
fi
echo "  $abtf report -o build/report.html $image"
echo "  $abtf check $image${btf:+ $btf}"
