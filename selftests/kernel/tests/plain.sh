#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What the kernel shows, byte by byte, compared with the files it was built from.
. /test/ktap.sh
modprobe md5

same() {
	cmp "/sys/kernel/$1" "/files/$2"
}

case $KERNEL in
patched|debug)
	plan 6
	check 'vmlinux: what "abtf strip" makes of the image' same btf/vmlinux vmlinux.plain
	check 'a module: what "abtf strip" makes of the file' same btf/md5 md5.plain
	check 'vmlinux with addresses: what is in the image' same btf_addr/vmlinux vmlinux.btf
	check 'a module with addresses: as long as what is in the file' \
		[ "$(wc -c </sys/kernel/btf_addr/md5)" = "$(wc -c </files/md5.btf)" ]
	check_eq 'the size of the plain file is that of its content' \
		"$(stat -c %s /sys/kernel/btf/vmlinux)" "$(dd if=/sys/kernel/btf/vmlinux bs=1M 2>/dev/null | wc -c)"
	# Reads that begin and end in the middle of a record, against the whole.
	dd if=/sys/kernel/btf/vmlinux of=/tmp/pieces bs=1021 2>/dev/null
	check 'read in odd pieces it is the same' cmp /tmp/pieces /files/vmlinux.plain
	;;
*)
	plan 3
	check 'vmlinux: what is in the image' same btf/vmlinux vmlinux.btf
	check 'a module: what is in the file' same btf/md5 md5.btf
	check_not 'there is nothing with addresses' [ -e /sys/kernel/btf_addr/vmlinux ]
	;;
esac
