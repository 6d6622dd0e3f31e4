#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Debian's bpftool reads what it always read.
. /test/ktap.sh
modprobe md5
insmod /test/target.ko
plan 8

dump() {
	bpftool btf dump "$@" >/tmp/dump
}

# id NAME: of the BTF object, as bpftool lists them
id() {
	bpftool btf list | sed -n "s/^\([0-9]*\): name \[$1\].*/\1/p"
}

check 'it dumps vmlinux' dump file /sys/kernel/btf/vmlinux
check 'with functions' grep -q "^\[[0-9]*\] FUNC 'vfs_read' type_id=[0-9]* linkage=static" /tmp/dump
mv /tmp/dump /tmp/file
dump id "$(id vmlinux)"
check 'and the same by id' cmp /tmp/dump /tmp/file
check 'it writes a vmlinux.h' dump file /sys/kernel/btf/vmlinux format c
check 'with types' grep -q '^struct task_struct {' /tmp/dump
check 'it dumps a module on its base' dump -B /sys/kernel/btf/vmlinux file /sys/kernel/btf/target
check 'with functions' grep -q "^\[[0-9]*\] FUNC 'target_call'" /tmp/dump
mv /tmp/dump /tmp/file
dump -B /sys/kernel/btf/vmlinux id "$(id target)"
check 'and the same by id' cmp /tmp/dump /tmp/file
