#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# All users can read BTF; only root can read the addresses of functions.
# kernels: patched debug
. /test/ktap.sh
modprobe md5
plan 7

# as_nobody COMMAND: run a shell command as a user without privileges
as_nobody() {
	su nobody -s /bin/sh -c "$*"
}

plain=/sys/kernel/btf addr=/sys/kernel/btf_addr
check_eq 'files with addresses have mode 0400' "$(stat -c %a:%u:%g $addr/vmlinux $addr/md5 | sort -u)" 400:0:0
check_eq 'files with BTF have mode 0444' "$(stat -c %a $plain/vmlinux $plain/md5 | sort -u)" 444
check_eq 'both directories have the same files' "$(ls $addr)" "$(ls $plain)"
check 'anybody reads BTF' as_nobody "cat $plain/vmlinux $plain/md5 >/dev/null"
check_not 'only root reads addresses' as_nobody "cat $addr/vmlinux"
check 'root reads addresses' cat $addr/vmlinux $addr/md5
rmmod md5
check_not 'the file of a module is removed with the module' [ -e $addr/md5 ]
