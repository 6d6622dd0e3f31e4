#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# For tests/*.host and host/malformed.sh, which change the BTF in the kernel's image or in a module.
# ../compare/addr-edit.c explains the commands of "edit".
#
#	edit_kernel			edit_module NAME BASE.ko
#	edit FUNC COMMAND [ARGUMENT]	edit FUNC COMMAND [ARGUMENT]
#	finish_kernel
#
# edit_module copies BASE.ko of the kernel's build to NAME.ko in the current directory.
set -eu
set -o pipefail

flock "$TOP/build/compare.lock" make -s -C "$TOP/selftests/compare" kernel-tools
tools=$TOP/build/compare

edit_kernel() {
	edited=vmlinux.edited
	cp "$KERNEL_OUT/vmlinux" $edited
}

# edit_module NAME BASE.ko: copy BASE.ko to NAME.ko, which edit() then changes
edit_module() {
	local base

	edited=$1.ko
	base=$(find "$KERNEL_OUT/" -name "$2")
	[ -n "$base" ] || { echo "no $2 in $KERNEL_OUT"; return 1; }
	cp "$base" "$edited"
}

# edit FUNC COMMAND [ARGUMENT]: edit the BTF in the current file
edit() {
	"$tools/addr-edit" "$edited" "$@"
}

# distance NAME,N SYMBOL: print the bytes from the N-th symbol NAME, sorted by address, to another one
distance() {
	local from to

	from=$("${CROSS}nm" "$edited" | sort | awk -v name="${1%,*}" -v nth="${1#*,}" \
		'$3 == name && !--nth { print $1 }')
	to=$("${CROSS}nm" "$edited" | awk -v name="$2" '$3 == name { print $1 }')
	echo $((0x$to - 0x$from))
}

# padding: print the size of the padding before each function, or 8 if there is none
padding() {
	local bytes

	bytes=$(sed -n 's/^CONFIG_FUNCTION_PADDING_BYTES=//p' "$KERNEL_OUT/.config")
	[ "${bytes:-0}" != 0 ] && echo "$bytes" || echo 8
}

# padding_has_symbols: test whether padding starts with a symbol __pfx_NAME
padding_has_symbols() {
	local bytes

	bytes=$(sed -n 's/^CONFIG_FUNCTION_PADDING_BYTES=//p' "$KERNEL_OUT/.config")
	"${CROSS}nm" "$edited" | awk '/ __pfx_/ { found = 1 } END { exit !found }' && return
	# all kernels with padding have them
	[ "${bytes:-0}" = 0 ] || { echo "no symbols of padding in $edited" >&2; exit 1; }
	return 1
}

finish_kernel() {
	"${CROSS}objcopy" --dump-section .BTF=old.btf "$KERNEL_OUT/vmlinux" /dev/null
	"${CROSS}objcopy" --dump-section .BTF=new.btf "$edited" /dev/null
	! cmp -s old.btf new.btf || { echo 'nothing was edited'; return 1; }
	"$tools/image-edit" "$KERNEL_IMAGE" image old.btf new.btf
	rm -f old.btf new.btf "$edited"
}
