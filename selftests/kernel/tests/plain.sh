#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Compare the files in sysfs byte by byte with the files of the kernel build.
. /test/ktap.sh
modprobe md5

# same SYSFS-FILE FILE: compare a file in /sys/kernel with one of the build
same() {
	cmp "/sys/kernel/$1" "/files/$2"
}

# The BTF in the kernel's memory, which debuggers and readers of a vmcore use.
memory() {
	kcore __start_BTF "$(stat -c %s /sys/kernel/btf/vmlinux)" >/tmp/memory
	case $? in
	0) check 'memory at __start_BTF has the bytes of the file' cmp /tmp/memory /sys/kernel/btf/vmlinux ;;
	77) skip 'memory at __start_BTF has the bytes of the file' '/proc/kcore does not have the image' ;;
	*) fail 'memory at __start_BTF has the bytes of the file' '/proc/kcore cannot be read' ;;
	esac
}

case $KERNEL in
patched|debug)
	plan 7
	check 'BTF of vmlinux in sysfs is the output of "abtf strip" for the image' same btf/vmlinux vmlinux.plain
	check 'BTF of a module in sysfs is the output of "abtf strip" for the file' same btf/md5 md5.plain
	check 'addresses of vmlinux in sysfs are those in the image' same btf_addr/vmlinux vmlinux.table
	check_eq 'a module has one address in sysfs for each FUNC with a record' \
		"$(wc -c </sys/kernel/btf_addr/md5)" "$(($(wc -c </files/md5.btf) - $(wc -c </files/md5.plain)))"
	check_eq 'the size of /sys/kernel/btf/vmlinux is correct' \
		"$(stat -c %s /sys/kernel/btf/vmlinux)" "$(dd if=/sys/kernel/btf/vmlinux bs=1M 2>/dev/null | wc -c)"
	dd if=/sys/kernel/btf/vmlinux of=/tmp/pieces bs=1021 2>/dev/null
	check 'reads of odd sizes return the same BTF' cmp /tmp/pieces /files/vmlinux.plain
	;;
*)
	plan 4
	check 'BTF of vmlinux in sysfs has the bytes in the image' same btf/vmlinux vmlinux.btf
	check 'BTF of a module in sysfs has the bytes in the file' same btf/md5 md5.btf
	check_not 'sysfs has no addresses' [ -e /sys/kernel/btf_addr ]
	;;
esac
memory
