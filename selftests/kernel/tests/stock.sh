#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The reason for the patches: a stock kernel with functions that share a name.
# kernels: stock
. /test/ktap.sh
bpftool btf dump file /sys/kernel/btf/vmlinux | grep "FUNC '" >/tmp/funcs
# Debian's pahole keeps one function with each name
if grep -q "FUNC 'c_start'" /tmp/funcs; then
	one_of_each=1
	plan 10
else
	one_of_each=
	plan 7
fi

consoles='/proc/cpuinfo /proc/crypto /proc/consoles'
# without leading zeros, as attach prints it
first=0x$(sed -n 's/ [Tt] c_start$//p' /proc/kallsyms | sort | head -n 1 | sed 's/^0*//')

check_eq 'there are three c_start' "$(grep -c ' [Tt] c_start$' /proc/kallsyms)" 3
if [ -z "$one_of_each" ]; then
	# Newer versions keep none, and so does abtf-pahole without addresses.
	for name in c_start type_show t_start; do
		check_eq "by name, there is no $name" "$(attach $name 2>/dev/null)" 'find: ENOENT'
	done
else
	# shellcheck disable=SC2086
	attach c_start $consoles >/tmp/c_start
	check_eq 'by name, a program attaches to the first c_start, that of /proc/cpuinfo' \
		"$(sed 's/^[1-9][0-9]* /calls /' /tmp/c_start)" \
		"calls /proc/cpuinfo
0 /proc/crypto
0 /proc/consoles
at $first"

	# Programs for the function of the class of network devices get the arguments of another function.
	type_show=/sys/class/net/lo/type
	check 'there are several type_show' [ "$(grep -c ' [Tt] type_show$' /proc/kallsyms)" -ge 3 ]
	check_eq 'BTF has one type_show' "$(grep -c "FUNC 'type_show'" /tmp/funcs)" 1
	check_eq "type_show is not the network devices' function" "$(attach type_show $type_show)" "0 $type_show"

	# The lowest t_start is notrace; the others include one that could be traced.
	check 'one t_start can be traced' grep -qw t_start /sys/kernel/tracing/available_filter_functions
	# the error depends on the architecture; 524 is the kernel's ENOTSUPP
	attach t_start >/tmp/t_start 2>/dev/null
	check 'the first t_start cannot be traced' grep -qE '^attach: (EBUSY|EINVAL|524)$' /tmp/t_start
fi

# NAME@FILE is an error, because BTF has no such names.
check_eq 'fentry finds no NAME@FILE' \
	"$(by-name -o /test/by-name.bpf.o fentry/c_start@crypto/proc.c /proc/crypto 2>/dev/null)" 'load: ESRCH'
check_eq 'fexit finds no NAME@FILE' \
	"$(by-name -o /test/by-name.bpf.o fexit/c_start@fs/proc/consoles.c /proc/consoles 2>/dev/null)" \
	'load: ESRCH'
check_eq 'bpftool lists no NAME@FILE' "$(grep -c "FUNC '[^']*@" /tmp/funcs)" 0
