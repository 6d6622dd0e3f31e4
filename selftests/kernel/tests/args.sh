#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# "abtf list --probe=tracefs --args": the kernel prints the known values of arguments, results and
# arguments of inlined calls, in a module with four functions of each name.
# kernels: patched
. /test/ktap.sh
plan 7

tracing=/sys/kernel/tracing
check 'the module is loaded' insmod /test/args.ko
while read -r probe; do
	printf '%s\n' "$probe" >>$tracing/kprobe_events || echo "rejected: $probe"
done </files/probes >/tmp/rejected 2>&1
check_eq 'the kernel accepts each probe' "$(cat /tmp/rejected)" ''
echo 1 >$tracing/events/args/enable
check_eq 'the module calls all functions' "$(cat /proc/args_run)" 'done'
echo 0 >$tracing/events/args/enable
# "TASK-PID [CPU] FLAGS TIME: EVENT: (PLACE) VALUES"
sed -n 's/^[^#].* [0-9.]*: \([a-z][0-9_]*\): ([^)]*) /\1 /p' $tracing/trace | sort >/tmp/got

# of KIND: write the expected and the printed values to files
expected() {
	grep "^$1" /files/expected | sort
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
compare 'arguments of functions' f 150
compare 'results' r 50
compare 'arguments of inlined calls' i 80
# at least one body of each function is called
check_eq 'arguments of functions that the compiler may have changed' "$(
	expected c >/tmp/expected
	got c >/tmp/printed
	[ -s /tmp/expected ] || echo none
	grep -vxFf /tmp/expected /tmp/printed
	sed 's/_.*//' /tmp/expected | sort -u >/tmp/names
	sed 's/_.*//' /tmp/printed | sort -u | diff /tmp/names -)" ''
echo >$tracing/kprobe_events
