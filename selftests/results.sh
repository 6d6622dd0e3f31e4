# SPDX-License-Identifier: GPL-2.0-only
# Sourced by scripts that run tests.  Each writes its results to a directory, and summary.sh counts them.
# shellcheck shell=bash

# lock_results DIR: delete the results of an earlier run, which must not be counted. Until this shell
# ends, no other run can write there.  Two runs would delete each other's results, and failures would
# not be counted.
lock_results() {
	local fd

	mkdir -p "$(dirname "$1")"
	exec {fd}>"$1.lock"
	flock -n "$fd" && { rm -rf "$1"; return; }
	echo "$1: another run of tests writes its results there" >&2
	return 1
}

# begin_results DIR NAME...: make DIR empty.  summary.sh counts each NAME without a result as failed.
begin_results() {
	local dir=$1

	shift
	rm -rf "$dir"
	mkdir -p "$dir"
	[ $# = 0 ] || printf '%s\n' "$@" >"$dir/tests.txt"
}

# skip_long FILE DIR: with QUICK=1, a test with a comment "# long: WHY" is skipped, and says so
skip_long() {
	local why

	why=$(sed -n 's/^# long: *//p' "$1")
	[ -n "${QUICK:-}" ] && [ -n "$why" ] || return 1
	mkdir -p "$2"
	printf 'skip\tall cases (%s; run by "make test-all", or T=%s)\n' "$why" "$(basename "$1" .sh)" >"$2/results"
}

# end_results FILE STATUS SECONDS: add a failure if a test file was stopped, failed, or had no case
end_results() {
	local results=$1 status=$2 seconds=$3

	case $status in
	0 | 77)	[ -s "$results" ] || printf 'fail\tno case was run\n' ;;
	124)	printf 'fail\tstopped after %s s: the limit for a machine of slowness %s\n' "$seconds" "$SLOWNESS" ;;
	137)	printf 'fail\tkilled by SIGKILL after %s s\n' "$seconds" ;;
	*)	grep -q '^fail' "$results" || printf 'fail\texit status %s\n' "$status" ;;
	esac >>"$results"
}

# print_results FILE NAME: print each result as "PASS NAME: TITLE"
print_results() {
	awk -F'\t' -v name="$2" '{ printf "%-4s %s: %s\n", toupper($1), name, $2 }' "$1"
}

# add_seconds DIR NAME SECONDS: add a line to DIR/seconds, with the CPU time of all processes that this
# shell has started
add_seconds() {
	local times=$1/times.$$ cpu

	# not in $(...), where it would be that of another shell
	times >"$times"
	cpu=$(awk -F'[ms ]+' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }' "$times")
	rm "$times"
	echo "$3 $2, $cpu of CPU time" >>"$1/seconds"
}
