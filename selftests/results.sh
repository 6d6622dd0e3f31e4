# SPDX-License-Identifier: GPL-2.0-only
# Sourced by scripts that run tests.  Each writes its results to a folder, and summary.sh counts them.
# shellcheck shell=bash

# lock_results DIR: until this shell ends, no other run may write there.  Two runs would delete each
# other's results, and what had failed would not be counted.
lock_results() {
	local fd

	mkdir -p "$(dirname "$1")"
	exec {fd}>"$1.lock"
	flock -n "$fd" && return
	echo "$1: another run of tests writes its results there" >&2
	return 1
}

# begin_results DIR NAME...: an empty folder.  summary.sh counts each NAME without a result as failed.
begin_results() {
	local dir=$1

	shift
	rm -rf "$dir"
	mkdir -p "$dir"
	[ $# = 0 ] || printf '%s\n' "$@" >"$dir/tests.txt"
}
