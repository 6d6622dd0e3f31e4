# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by scripts that measure commands. A command that fails prints its stderr and ends the script.

# median: print the median of the numbers in stdin
median() {
	sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# ratio THEIRS OURS: print their quotient
ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / b }'
}

# seconds MILLISECONDS: print them in seconds
seconds() {
	awk -v ms="$1" 'BEGIN { printf "%.2f", ms / 1000 }'
}

# timed COMMAND...: print "WALL CPU" in milliseconds; CPU is user and system time
timed() {
	local times messages TIMEFORMAT='%3R %3U %3S'

	messages=$(mktemp)
	times=$({ time "$@" >/dev/null 2>"$messages"; } 2>&1) || { cat "$messages" >&2; rm "$messages"; return 1; }
	rm "$messages"
	awk '{ printf "%d %d\n", $1 * 1000, ($2 + $3) * 1000 }' <<<"$times"
}

# cpu FILE COMMAND...: append its CPU time in milliseconds to a file
cpu() {
	local file=$1 times

	shift
	times=$(timed "$@") || return 1
	echo "${times#* }" >>"$file"
}

# memory COMMAND...: print the peaks of anonymous and of all resident memory, in kB. This needs a
# separate run, because sampling every 5 ms takes CPU time.
memory() {
	local pid key value fd anon=0 all=0

	# waiting on a pipe needs no process for each sample
	exec {fd}<> <(:)
	"$@" >/dev/null 2>&1 &
	pid=$!
	while [ -r /proc/$pid/status ]; do
		while read -r key value _; do
			case $key in
			VmHWM:)		[ "$value" -le "$all" ] || all=$value ;;
			RssAnon:)	[ "$value" -le "$anon" ] || anon=$value; break ;;
			State:)		[ "$value" != Z ] || break 2 ;;
			esac
		done </proc/$pid/status || true
		read -r -t 0.005 <&$fd || true
	done 2>/dev/null
	exec {fd}>&-
	wait $pid || { echo "$1 failed" >&2; return 1; }
	echo "$anon $all"
}

# processor: print the CPU model, for the caption of a table
processor() {
	sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
}
