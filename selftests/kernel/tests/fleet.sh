#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# docs/fleet.md: of a directory with the tables of several kernels, a program uses the running
# kernel's and its modules', and attaches nothing if that is missing.
# kernels: stock patched
. /test/ktap.sh
plan 11

# counts ARGUMENT...: run the example, and print what it counted
counts() {
	/files/count_calls "$@" 2>&1
}
if [ -e /files/skip ]; then
	for what in tables 'a function of vmlinux' 'by kprobe.multi' 'no table for this kernel' \
		    'an unknown function' 'a module that is not loaded' 'a function of a module' \
		    'Go: a function of vmlinux' 'Go: no table for this kernel' \
		    'Go: a module that is not loaded' 'Go: a function of a module'; do
		skip "$what" "$(cat /files/skip)"
	done
	exit
fi
types='cat /sys/class/net/lo/type /sys/class/net/lo/type >/dev/null'
check 'there are tables of several kernels' \
	[ "$(grep -l '^abtf-table [0-9]* [0-9a-f]* vmlinux all' /files/tables/*/*.table | wc -l)" -ge 2 ]
check_eq 'C: a function of vmlinux is found' "$(counts /files/tables type_show@net-sysfs.c -- "$types")" 2
echo 1 >/proc/sys/kernel/kptr_restrict
if grep -q ' register_fprobe_ips$' /proc/kallsyms; then
	check_eq 'C: a function of vmlinux is traced by kprobe.multi' "$(counts -m /files/tables type_show@net-sysfs.c -- "$types")" 2
else
	skip 'C: a function of vmlinux is traced by kprobe.multi' 'this kernel has no fprobes'
fi
check_eq 'C: without a table for this kernel, the error is "no table"' \
	"$(counts /files/others type_show@net-sysfs.c -- "$types")" \
	'type_show@net-sysfs.c: no table for this kernel or module'
check_eq 'C: an unknown function is not in the table' \
	"$(counts /files/tables no@such.c -- "$types")" 'no@such.c: not in the table'
# symbol_by_go DIRECTORY MODULE NAME: print the symbol at the address, or the error
symbol_by_go() {
	/files/find-go "$@" >/tmp/found
	awk 'NR == FNR { at = $0; next } $1 == at { print $3 $4; found = 1 } END { if (!found) print at }' \
		/tmp/found /proc/kallsyms
}
if [ -e /files/go.skip ]; then
	for what in 'a function of vmlinux is found' 'without a table for this kernel, the error is "no table"' \
		    'a module that is not loaded is an error'; do
		skip "Go: $what" "$(cat /files/go.skip)"
	done
else
	check_eq 'Go: a function of vmlinux is found' \
		"$(symbol_by_go /files/tables '' type_show@net-sysfs.c)" type_show
	check_eq 'Go: without a table for this kernel, the error is "no table"' \
		"$(symbol_by_go /files/others '' type_show@net-sysfs.c | sed 's/.*\.table: //')" \
		'no table for this kernel or module'
	check_eq 'Go: a module that is not loaded is an error' \
		"$(symbol_by_go /files/tables probed probed_twin@probed-left.c)" \
		'probed: the module is not loaded'
fi
reads='cat /proc/probed_left /proc/probed_left /proc/probed_right >/dev/null'
check_eq 'C: a module that is not loaded is an error' \
	"$(counts /files/tables probed:probed_twin@probed-left.c -- "$reads")" \
	'probed:probed_twin@probed-left.c: the module is not loaded'
insmod /test/probed.ko
if [ -e /files/module.skip ]; then
	skip 'C: a function of a module is found' "$(cat /files/module.skip)"
else
	check_eq 'C: a function of a module is found' \
		"$(counts /files/tables probed:probed_twin@probed-left.c -- "$reads")" 2
fi
if [ -e /files/go.skip ] || [ -e /files/module.skip ]; then
	skip 'Go: a function of a module is found' "$(cat /files/go.skip /files/module.skip 2>/dev/null | head -n 1)"
else
	check_eq 'Go: a function of a module is found' \
		"$(symbol_by_go /files/tables probed probed_twin@probed-left.c)" 'probed_twin[probed]'
fi
