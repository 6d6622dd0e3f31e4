#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Debian's unmodified bpftool reads the kernel's BTF.
. /test/ktap.sh
modprobe md5
insmod /test/target.ko
plan 8

# dump ARGUMENT...: run bpftool btf dump, with output to /tmp/dump
dump() {
	bpftool btf dump "$@" >/tmp/dump
}

# id NAME: print the id of the BTF object from bpftool's list
id() {
	bpftool btf list | sed -n "s/^\([0-9]*\): name \[$1\].*/\1/p"
}

check 'bpftool dumps vmlinux' dump file /sys/kernel/btf/vmlinux
check 'the dump of vmlinux has functions' grep -q "^\[[0-9]*\] FUNC 'vfs_read' type_id=[0-9]* linkage=static" /tmp/dump
mv /tmp/dump /tmp/file
dump id "$(id vmlinux)"
check 'the dump of vmlinux by id is the same' cmp /tmp/dump /tmp/file
check 'bpftool writes a vmlinux.h' dump file /sys/kernel/btf/vmlinux format c
check 'vmlinux.h has types' grep -q '^struct task_struct {' /tmp/dump
check 'bpftool dumps a module with its base' dump -B /sys/kernel/btf/vmlinux file /sys/kernel/btf/target
check 'the dump of the module has functions' grep -q "^\[[0-9]*\] FUNC 'target_call'" /tmp/dump
mv /tmp/dump /tmp/file
dump -B /sys/kernel/btf/vmlinux id "$(id target)"
check 'the dump of the module by id is the same' cmp /tmp/dump /tmp/file
