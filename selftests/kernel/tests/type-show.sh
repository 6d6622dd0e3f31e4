#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Attach a program to each type_show() by its name, with Debian's libbpf.  The program only sees the
# file that calls this function.
# kernels: patched debug
. /test/ktap.sh
needs_fentry

# file_of UNIT: print the file that calls its type_show(), if it exists
file_of() {
	case $1 in
	drivers/base/cacheinfo.c) echo /sys/devices/system/cpu/cpu0/cache/index0/type ;;
	drivers/tty/serial/serial_core.c) echo /sys/class/tty/ttyS0/type /sys/class/tty/ttyAMA0/type ;;
	kernel/events/core.c) echo /sys/bus/event_source/devices/software/type ;;
	kernel/irq/irqdesc.c) set -- /sys/kernel/irq/*/type; echo "$1" ;;
	kernel/reboot.c) echo /sys/kernel/reboot/type ;;
	net/core/net-sysfs.c) echo /sys/class/net/lo/type ;;
	esac | tr ' ' '\n' | while read -r file; do
		[ ! -e "$file" ] || echo "$file"
	done
}

funcs=$(bpftool btf dump file /sys/kernel/btf/vmlinux | sed -n "s/.* FUNC '\(type_show@[^']*\)'.*/\1/p")
files=
for func in $funcs; do
	files="$files $(file_of "${func#*@}")"
done
plan $(($(echo "$funcs" | wc -w) + 2))
# shellcheck disable=SC2086 # several files
for func in $funcs; do
	set -- by-name -o /test/by-name.bpf.o -t "$func" fentry $files
	file=$(file_of "${func#*@}")
	if [ -n "$file" ]; then
		check_eq "$func" "$("$@" 2>/tmp/said)" "$file"
	else
		check_none "$func" "$@"
	fi
done
check 'more than two type_show() can be called by reading a file' [ "$(echo "$files" | wc -w)" -gt 2 ]
check_eq 'the bare name type_show is not found' "$(by-name -o /test/by-name.bpf.o -t type_show fentry 2>/tmp/said)" 'target: ESRCH'
