#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What "abtf list --probe" prints, given to the tools themselves on a stock kernel, with
# KASLR, and addresses hidden: a probe on one of several functions of a name sees the
# calls of that one, and no other.  21 functions of vmlinux, two of a module.
# kernels: stock
# timeout: 600
# memory: 1024
. /test/ktap.sh
plan 13

tracing=/sys/kernel/tracing
echo 2 >/proc/sys/kernel/kptr_restrict
check_eq 'addresses are hidden' "$(cut -d' ' -f1 /proc/kallsyms | sort -u)" 0000000000000000
check 'the module is loaded' insmod /test/probed.ko
cut -d' ' -f2 /files/funcs | sort -u >/tmp/paths

# profile PATH: how often each event was hit so far
profile() {
	awk '{ print $1, $2 }' $tracing/kprobe_profile | sort
}

# with_tracefs FILE PATH...: the lines of events that reading PATH hits, as "PATH NR"
with_tracefs() {
	local file=$1 path
	shift
	cat "$file" >$tracing/kprobe_events || return 1
	echo 1 >$tracing/events/abtf/enable
	for path; do
		profile >/tmp/before
		dd if="$path" of=/dev/null 2>/dev/null
		profile >/tmp/after
		awk -v path="$path" 'FILENAME == "/tmp/before" { was[$1] = $2; next }
			FILENAME == "/tmp/after" { hit[$1] = $2 > was[$1]; next }
			{ sub(/^p:abtf\//, "", $1) }
			hit[$1] { print path, FNR }' /tmp/before /tmp/after "$file"
	done
	echo 0 >$tracing/events/abtf/enable
	echo >$tracing/kprobe_events
}

# shellcheck disable=SC2046 # several paths
check_eq 'tracefs' "$(with_tracefs /files/tracefs $(cat /tmp/paths) | sort)" "$(cat /files/expected)"

# Which path is read the reader's name says.
with_bpftrace() {
	nr=0
	while read -r path; do
		nr=$((nr + 1))
		echo "(echo path$nr >/proc/self/comm; while read -r line; do :; done <$path)"
	done </tmp/paths >/tmp/calls
	nr=0
	while read -r probe; do
		nr=$((nr + 1))
		echo "$probe { @[comm, $nr] = count(); }"
	done </files/bpftrace >/tmp/program.bt
	LD_LIBRARY_PATH=/files/lib /files/bpftrace-program -c 'sh /tmp/calls' /tmp/program.bt >/tmp/said 2>&1 ||
		cat /tmp/said
	sed -n 's/^@\[path\([0-9]*\), \([0-9]*\)\]: .*/\1 \2/p' /tmp/said |
		awk 'FILENAME == "/tmp/paths" { path[FNR] = $1; next } { print path[$1], $2 }' /tmp/paths - | sort
	grep -iE 'error|warn' /tmp/said
}

if [ -e /files/bpftrace.skip ]; then
	skip bpftrace "$(cat /files/bpftrace.skip)"
else
	check_eq bpftrace "$(with_bpftrace)" "$(cat /files/expected)"
fi

# shellcheck disable=SC2046
check_eq 'libbpf 1.1' "$(/files/libbpf-probes $(cat /tmp/paths) 2>&1 | sort)" "$(cat /files/expected)"

if [ -e /files/cilium.skip ]; then
	skip cilium/ebpf "$(cat /files/cilium.skip)"
else
	# shellcheck disable=SC2046
	check_eq cilium/ebpf "$(/files/cilium-probes $(cat /tmp/paths) 2>&1 | sort)" "$(cat /files/expected)"
fi

perf() {
	LD_LIBRARY_PATH=/files/lib /files/perf-program "$@"
}

# The events that perf makes, counted by perf.
with_perf() {
	local path

	sh -e /tmp/perf-commands >/tmp/said 2>&1 || {
		cat /tmp/said
		return
	}
	sed -n "s/.*'\([^=]*\)=.*/\1/p" /files/perf >/tmp/events
	while read -r path; do
		perf stat -x, -o /tmp/stat $(sed 's/^/-e probe:/' /tmp/events) \
			dd if="$path" of=/dev/null 2>/tmp/said || cat /tmp/said
		awk -F, -v path="$path" 'FILENAME == "/tmp/events" { nr[$1] = FNR; next }
			$1 > 0 { sub(/^probe:/, "", $3); print path, nr[$3] }' /tmp/events /tmp/stat
	done </tmp/paths | sort
	perf probe -q -d 'probe:*'
}

if [ -e /files/perf.skip ]; then
	skip perf "$(cat /files/perf.skip)"
else
	{
		echo 'perf() { LD_LIBRARY_PATH=/files/lib /files/perf-program "$@"; }'
		cat /files/perf
	} >/tmp/perf-commands
	# it does not leave _text to the kernel, but looks it up in /proc/kallsyms
	echo 1 >/proc/sys/kernel/kptr_restrict
	check_eq perf "$(with_perf)" "$(cat /files/expected)"
fi

# Inlined calls: those of file_ppos(), which read() comes across, and the module's.
nr_events() {
	cat /files/inlined >$tracing/kprobe_events && grep -c . $tracing/kprobe_events
}
check_eq 'every inlined call can be probed' "$(nr_events)" "$(grep -c . /files/inlined)"
echo >$tracing/kprobe_events
module=$(grep -n ' probed:' /files/inlined | cut -d: -f1)
check_eq "in the module, each file comes across its own" \
	"$(with_tracefs /files/inlined /proc/probed_left /proc/probed_right |
		awk -v first="$(echo "$module" | head -n 1)" '$2 >= first' | cut -d' ' -f1 | sort)" \
	'/proc/probed_left
/proc/probed_right'
check 'read() comes across one of vmlinux' grep -q . <<T
$(with_tracefs /files/inlined /proc/version | cut -d' ' -f1)
T

# The example, which is given a table: names when it runs, and on this kernel alone.
counts() {
	/files/count_calls "$@" 2>&1
}
types='cat /sys/class/net/lo/type /sys/class/tty/ttyS0/type /sys/class/net/lo/type >/dev/null'
check_eq 'examples/count_calls' \
	"$(counts /files/table type_show@net/core/net-sysfs.c -- "$types")" 2
check_eq 'by kprobe.multi, where addresses are shown: of two' \
	"$(counts -m /files/table type_show@net-sysfs.c type_show@serial_core.c -- "$types")" 3
sed '1s/^./x/' /files/table >/tmp/table
check_eq 'not with the table of another kernel' \
	"$(counts /tmp/table type_show@net-sysfs.c -- "$types")" \
	'type_show@net-sysfs.c: Stale file handle'
