#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# docs/fleet.md: of a directory with the tables of several kernels, a program uses the running
# kernel's and its modules', and attaches nothing if that is missing.
# kernels: stock patched
. /test/ktap.sh
plan 7

counts() {
	/files/count_calls "$@" 2>&1
}
if [ -e /files/skip ]; then
	for what in tables 'a function of vmlinux' 'by kprobe.multi' 'no table for this kernel' \
		    'an unknown function' 'a module that is not loaded' 'a function of a module'; do
		skip "$what" "$(cat /files/skip)"
	done
	exit
fi
types='cat /sys/class/net/lo/type /sys/class/net/lo/type >/dev/null'
check 'there are tables of several kernels' \
	[ "$(grep -l '^abtf-table [0-9]* [0-9a-f]* vmlinux all' /files/tables/*/*.table | wc -l)" -ge 2 ]
check_eq 'a function of vmlinux' "$(counts /files/tables type_show@net-sysfs.c -- "$types")" 2
echo 1 >/proc/sys/kernel/kptr_restrict
if grep -q ' register_fprobe_ips$' /proc/kallsyms; then
	check_eq 'by kprobe.multi' "$(counts -m /files/tables type_show@net-sysfs.c -- "$types")" 2
else
	skip 'by kprobe.multi' 'this kernel has no fprobes'
fi
check_eq 'the tables of other kernels only: an error of its own' \
	"$(counts /files/others type_show@net-sysfs.c -- "$types")" \
	'type_show@net-sysfs.c: no table for this kernel or module'
check_eq 'a function that the kernel does not have' \
	"$(counts /files/tables no@such.c -- "$types")" 'no@such.c: not in the table'
reads='cat /proc/probed_left /proc/probed_left /proc/probed_right >/dev/null'
check_eq 'a module that is not loaded' \
	"$(counts /files/tables probed:probed_twin@probed-left.c -- "$reads")" \
	'probed:probed_twin@probed-left.c: the module is not loaded'
insmod /test/probed.ko
if [ -e /files/module.skip ]; then
	skip 'a function of a module' "$(cat /files/module.skip)"
else
	check_eq 'a function of a module' \
		"$(counts /files/tables probed:probed_twin@probed-left.c -- "$reads")" 2
fi
