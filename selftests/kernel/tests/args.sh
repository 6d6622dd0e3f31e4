#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# "abtf list --args": tracefs, bpftrace and libbpf print the known values of arguments, results and
# arguments of inlined calls, in a module with four functions of each name.
# kernels: stock patched
# memory: 1024
. /test/ktap.sh
plan 14

# each program and each probe is a file
# shellcheck disable=SC3045 # busybox has it
ulimit -n 4096
tracing=/sys/kernel/tracing
check 'the module is loaded' insmod /test/args.ko
while read -r probe; do
	printf '%s\n' "$probe" >>$tracing/kprobe_events || echo "rejected: $probe"
done </files/probes.tracefs >/tmp/rejected 2>&1
check_none 'the kernel accepts each probe' cat /tmp/rejected
echo 1 >$tracing/events/args/enable
check_eq 'the module calls all functions' "$(cat /proc/args_run)" 'done'
echo 0 >$tracing/events/args/enable
# "TASK-PID [CPU] FLAGS TIME: EVENT: (PLACE) VALUES"
sed -n 's/^[^#].* [0-9.]*: \([a-z][0-9_]*\): ([^)]*) /\1 /p' $tracing/trace | sort >/tmp/got

# expected KIND, got KIND: print the expected and the printed values of this kind
expected() {
	grep "^$1" /files/expected.tracefs | sort
}
got() {
	grep "^$1" /tmp/got
}
# compare WHAT KIND MINIMUM: compare at least MINIMUM events; each function is called once
compare() {
	expected "$2" >/tmp/expected
	got "$2" >/tmp/printed
	if [ "$(wc -l </tmp/expected)" -lt "$3" ]; then
		fail "$1" "only $(wc -l </tmp/expected)"
		return
	fi
	check "$1" diff /tmp/expected /tmp/printed
}
compare 'tracefs prints arguments of functions' f 150
# s390x returns each struct in memory, which tracefs cannot read: 40 are left there
compare 'tracefs prints results' r 40
compare 'tracefs prints arguments of inlined calls' i 80
# changed: print unexpected values, and functions of which no body was called
changed() {
	expected c >/tmp/expected
	got c >/tmp/printed
	[ -s /tmp/expected ] || echo none
	grep -vxFf /tmp/expected /tmp/printed
	sed 's/_.*//' /tmp/expected | sort -u >/tmp/names
	sed 's/_.*//' /tmp/printed | sort -u | diff /tmp/names -
}
check_none 'tracefs prints arguments of functions that the compiler may have changed' changed
echo >$tracing/kprobe_events

# program TOOL: run it, and split each line "LABEL vN=VALUE vN=VALUE" into lines "LABEL: vN=VALUE"
program() {
	case $1 in
	bpftrace)
		# not the file that cat writes to: sendfile() does not lock the position
		LD_LIBRARY_PATH=/files/lib BPFTRACE_VMLINUX=none /files/bpftrace -o "/tmp/said.$1" \
			-c 'cat /proc/args_run' /files/probes.bpftrace
		;;
	libbpf)
		echo >$tracing/trace
		/files/libbpf /files/probes.bpf.o /proc/args_run
		sed -n 's/.*: bpf_trace_printk: //p' $tracing/trace >"/tmp/said.$1"
		;;
	esac 2>&1 | head -n 20 | sed 's/^/# /'
	sed 's/ \(v[0-9]*=\)/\n\1/g' "/tmp/said.$1" |
		awk '/^v[0-9]+=/ { print label ": " $0; next } { label = $0 }' >"/tmp/got.$1"
}

# differences TOOL KIND MINIMUM: print differences between expected and printed values. Each value must
# be printed once; for kind c, by at least one body. "*" matches any value.
differences() {
	awk -v kind="$2" -v minimum="$3" '
		{ at = index($0, "="); key = substr($0, 1, at - 1); value = substr($0, at + 1) }
		FILENAME ~ /expected/ {
			mine = $1 == kind
			key = substr(key, 3)
			if (mine)
				wanted[key]++
			values[key] = value
			next
		}
		!(key in values)	{ print "unexpected: " $0; next }
		!(key in wanted)	{ next }
		values[key] != "*" && values[key] != value {
			print $0 " instead of " values[key]
		}
		{ nr++; printed[key]++; body = key; sub(/\.[a-z].*@/, "@", body); bodies[body]++ }
		END {
			for (key in wanted) {
				body = key; sub(/\.[a-z].*@/, "@", body)
				if (kind == "c" ? !bodies[body] : printed[key] != wanted[key])
					print key ": printed " printed[key] + 0 " times"
			}
			if (nr < minimum)
				print "only " nr + 0 " values"
		}' "/files/expected.$1" "/tmp/got.$1"
}

for tool in bpftrace libbpf; do
	[ -e /files/$tool.skip ] || program $tool
	while read -r kind minimum what; do
		[ "$tool$kind" != bpftracer ] || continue
		[ $tool = libbpf ] || minimum=$((minimum / 2))
		if [ -e /files/$tool.skip ]; then
			skip "$tool prints $what" "$(cat /files/$tool.skip)"
		else
			check_none "$tool prints $what" differences $tool "$kind" "$minimum"
		fi
	done <<-T
	f 1000 arguments of functions
	r 40 results
	i 200 arguments of inlined calls
	c 100 arguments of functions that the compiler may have changed
	T
done
