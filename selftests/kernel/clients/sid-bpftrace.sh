#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# bpftrace of Debian unstable attaches to NAME@FILE if --traceable-functions names a list
# with that name.  bpftrace does not look for such names in BTF.
# kernels: patched
# memory: 1800
. /test/ktap.sh
PATH=/files/bin:$PATH
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
plan 13

software=/sys/bus/event_source/devices/software/type
reads="cat /sys/class/net/lo/type /sys/class/net/lo/type $software"
one=type_show@net/core/net-sysfs.c

# counts ARGS...: read the files, and print bpftrace's maps
counts() {
	bpftrace -c "$reads" "$@" 2>&1 | grep '^@' | sort
}

# rejected NAME ARGS...: bpftrace prints no maps, but a message about a probe on NAME, which is no syntax error
rejected() {
	name=$1
	shift
	bpftrace -c "$reads" "$@" >/tmp/said 2>&1
	cat /tmp/said
	grep -qF "$name" /tmp/said && ! grep -q '^@\|syntax error' /tmp/said
}

echo "# bpftrace $(bpftrace --version)"
check 'bpftrace does not find NAME@FILE without a list' rejected "$one" -e "fentry:\"$one\" { @[probe] = count(); }"

# the command of docs/libbpf.md
bpftool btf dump file /sys/kernel/btf/vmlinux | sed -n "s/.* FUNC '\([^']*@[^']*\)'.*/\1/p" |
	cat - /sys/kernel/tracing/available_filter_functions >/tmp/functions
list='--traceable-functions /tmp/functions'

# shellcheck disable=SC2086 # two words
{
	check_eq 'fentry/NAME@FILE counts the calls of that function' "$(counts $list -e "fentry:\"$one\" { @[probe] = count(); }")" \
		"@[fentry:vmlinux:$one]: 2"
	check_eq 'fexit/NAME@FILE prints the return value of that function' \
		"$(counts $list -e "fexit:\"$one\" { @[probe, retval] = count(); }")" \
		"@[fexit:vmlinux:$one, 4]: 2"
	check_eq 'fentry with a pattern attaches to each type_show' \
		"$(counts $list -e 'fentry:"type_show@*" { @[probe] = count(); }')" \
		"@[fentry:vmlinux:type_show@kernel/events/core.c]: 1
@[fentry:vmlinux:$one]: 2"
	check_eq 'bpftrace -l lists each type_show' \
		"$(bpftrace $list -l 'fentry:type_show@*' | sed 's/.*://' | sort)" \
		"$(sed -n '/^type_show@/p' /tmp/functions | sort)"
	check 'bpftrace does not find the bare name' \
		rejected type_show $list -e 'fentry:type_show { @[probe] = count(); }'
}

# On any kernel: a kprobe at an offset, as `abtf list --probe` prints it
addr=$(awk '$3 == "_text" { print $1 }' /proc/kallsyms)
offset=$(cat /files/offset)
check_eq 'a kprobe at _text+OFFSET is accepted with --unsafe' \
	"$(counts --unsafe -e "kprobe:_text+$offset { @[comm] = count(); }")" '@[cat]: 2'
check 'a kprobe at _text+OFFSET is rejected without --unsafe' rejected "_text+$offset" -e "kprobe:_text+$offset { @[comm] = count(); }"
ip=$(counts --unsafe -e "kprobe:_text+$offset { @[reg(\"ip\")] = count(); }" | grep -o '[0-9]\{20\}')
check 'reg("ip") is an address in the function' \
	[ "$(printf %x "$ip" | cut -c1-13)" = "$(printf %x $((0x$addr + offset)) | cut -c1-13)" ]

# In a module: kprobe:MODULE:SYMBOL+OFFSET
check 'the module is loaded' insmod /test/probed.ko
reads='cat /proc/probed_left'
left=$(cat /files/module-left) right=$(cat /files/module-right)
check_eq "a module: $left" "$(counts --unsafe -e "$left { @[comm] = count(); }")" '@[cat]: 1'
# nothing calls it
check "a module: $right is attached" bpftrace -c "$reads" --unsafe -e "$right { @[comm] = count(); }"
check_none "a module: $right" counts --unsafe -e "$right { @[comm] = count(); }"
