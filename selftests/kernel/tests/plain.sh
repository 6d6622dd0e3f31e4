#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Compare the files in sysfs byte by byte with the files of the kernel build.
. /test/ktap.sh
modprobe md5

same() {
	cmp "/sys/kernel/$1" "/files/$2"
}

# The BTF in the kernel's memory, which debuggers and readers of a vmcore use.
memory() {
	kcore __start_BTF "$(stat -c %s /sys/kernel/btf/vmlinux)" >/tmp/memory
	case $? in
	0) check 'memory at __start_BTF has the bytes of the file' cmp /tmp/memory /sys/kernel/btf/vmlinux ;;
	77) skip 'memory at __start_BTF has the bytes of the file' '/proc/kcore does not have the image' ;;
	*) fail 'memory at __start_BTF has the bytes of the file' 'it cannot be read' ;;
	esac
}

case $KERNEL in
patched|debug)
	plan 7
	check 'vmlinux: the output of "abtf strip" for the image' same btf/vmlinux vmlinux.plain
	check 'a module: the output of "abtf strip" for the file' same btf/md5 md5.plain
	check 'addresses of vmlinux: the same as in the image' same btf_addr/vmlinux vmlinux.table
	check_eq 'addresses of a module: one for each function with a record' \
		"$(wc -c </sys/kernel/btf_addr/md5)" "$(($(wc -c </files/md5.btf) - $(wc -c </files/md5.plain)))"
	check_eq 'the size of the file is correct' \
		"$(stat -c %s /sys/kernel/btf/vmlinux)" "$(dd if=/sys/kernel/btf/vmlinux bs=1M 2>/dev/null | wc -c)"
	dd if=/sys/kernel/btf/vmlinux of=/tmp/pieces bs=1021 2>/dev/null
	check 'read in odd pieces it is the same' cmp /tmp/pieces /files/vmlinux.plain
	;;
*)
	plan 4
	check 'vmlinux: the bytes of the image' same btf/vmlinux vmlinux.btf
	check 'a module: the bytes of the file' same btf/md5 md5.btf
	check_not 'there are no addresses' [ -e /sys/kernel/btf_addr ]
	;;
esac
memory
