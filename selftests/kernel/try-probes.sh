#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# try-probes.sh FILE: in a guest, sets a kprobe at each place in a file by predict.sh. Prints how many were
# accepted, and lines "-PLACE VERDICT" and "+PLACE VERDICT" where the kernel and the file differ.
events=/sys/kernel/tracing/kprobe_events
verdicts=$(mktemp)
nr=0
while read -r place predicted; do
	spec=$place
	case $place in
	*"|"*)
		section=${place#*|}
		offset=${section#*|} section=${section%|*}
		# the file must be read by a single read()
		base=$(cat "/sys/module/${place%%|*}/sections/$section")
		[ $((base)) != 0 ] || echo "$place: no such section"
		spec=$(printf '0x%x' $((base + offset)))
		;;
	esac
	nr=$((nr + 1))
	verdict=rejected
	! echo "p:probes/e$nr $spec" 2>/dev/null >>$events || verdict=accepted
	echo "$place $verdict"
	# the more events there are, the longer adding one takes
	[ $((nr % 100)) != 0 ] || : >$events
done <"$1" >"$verdicts"
: >$events
grep 'no such section$' "$verdicts"
echo "${1##*/}: $(grep -c ' accepted$' "$verdicts") accepted, $(grep -c ' rejected$' "$verdicts") rejected, $(cut -d. -f1 /proc/uptime) s"
# busybox only has unified diffs
diff -U 0 "$1" "$verdicts" | grep '^[-+][^-+]' | head -n 500
rm "$verdicts"
