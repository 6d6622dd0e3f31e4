#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# latency.sh FUNCTION COMMAND...: how long does one of several functions take, from entry to return,
# while a command runs?  Run it as root.  FUNCTION is NAME or NAME@FILE, as for "abtf list", and in a
# module MODULE:NAME.
#
#	# examples/latency.sh type_show@irqdesc.c cat /sys/kernel/irq/1/type
#
# It sets a probe and a return probe with tracefs, lets the kernel subtract their times, prints a
# histogram in microseconds, and removes everything.  It needs CONFIG_HIST_TRIGGERS and
# CONFIG_SYNTH_EVENTS, which distributions have, but no BPF.  (bpftrace cannot set a return probe
# at an offset.)
#
# Calls by several threads at the same time are distinguished by their thread.  If a thread calls
# the function again before it returns (recursion, an interrupt), only the inner call is counted.
# The idle threads of all CPUs have the same number, so a call in one of them may be dropped or
# mixed up with another's.
set -eu
tracing=${TRACING:-/sys/kernel/tracing}
: "${ABTF:=abtf}"

[ $# -ge 2 ] || { echo "usage: latency.sh FUNCTION COMMAND..." >&2; exit 2; }
function=$1
shift
module=
case ${function%%@*} in
*:*)	module=--module=${function%%:*} function=${function#*:} ;;
esac
entry=$($ABTF list --running $module --probe=tracefs "$function")
return=$($ABTF list --running $module --probe=tracefs --retprobe "$function")
case $entry in
*"
"*)	printf 'latency.sh: %s has several bodies; select one of them:\n%s\n' "$function" "$entry" >&2
	exit 1 ;;
esac
# p:GROUP/EVENT PLACE
entry="p:abtf/latency_entry ${entry#* }"
return="r:abtf/latency_return ${return#* }"

remove() {
	set +e
	for file in synthetic/abtf_latency abtf/latency_return abtf/latency_entry; do
		[ ! -e "$tracing/events/$file" ] ||
			sed -n 's/^\(hist:.*\) \[.*\]$/!\1/p' "$tracing/events/$file/trigger" |
			while read -r trigger; do
				echo "$trigger" >"$tracing/events/$file/trigger"
			done
	done 2>/dev/null
	echo '!abtf_latency' >>"$tracing/synthetic_events"
	echo '-:abtf/latency_return' >>"$tracing/kprobe_events"
	echo '-:abtf/latency_entry' >>"$tracing/kprobe_events"
} 2>/dev/null
trap remove EXIT
trap 'exit 1' INT TERM

echo "$entry" >>"$tracing/kprobe_events"
echo "$return" >>"$tracing/kprobe_events"
echo 'abtf_latency u64 usecs' >>"$tracing/synthetic_events"
echo 'hist:keys=common_pid:start=common_timestamp.usecs' >"$tracing/events/abtf/latency_entry/trigger"
# shellcheck disable=SC2016 # variables of the trigger
echo 'hist:keys=common_pid:usecs=common_timestamp.usecs-$start:onmatch(abtf.latency_entry).abtf_latency($usecs)' \
	>"$tracing/events/abtf/latency_return/trigger"
echo 'hist:keys=usecs.log2:sort=usecs' >"$tracing/events/synthetic/abtf_latency/trigger"
"$@" || echo "latency.sh: $1 ended with status $?" >&2
cat "$tracing/events/synthetic/abtf_latency/hist"
missed=$(sed -n 's/^ *latency_return *[0-9]* *//p' "$tracing/kprobe_profile")
[ "${missed:-0}" = 0 ] || echo "latency.sh: $missed returns were missed" >&2
