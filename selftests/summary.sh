#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# summary.sh DIR...: counts the lines of DIR/*/results, which begin with "pass", "fail" or "skip" and a
# tab. It first prints the ten longest tests of DIR/seconds, which has lines of seconds and a name. The
# last line is "N passed, N failed", followed by ", N skipped" if there are any. A test in DIR/tests.txt
# without results has failed. The exit status is 1 if a test failed, or if none passed.
set -u
export LC_ALL=C

files=()
for dir; do
	[ -d "$dir" ] || { mkdir -p "$dir/run"; printf 'fail\tno test was started\n' >"$dir/run/results"; }
	[ ! -e "$dir/tests.txt" ] || (cd "$dir" && xargs -r mkdir -p <tests.txt)
	for one in "$dir"/*/; do
		[ -d "$one" ] || continue
		[ -s "${one}results" ] || printf 'fail\tno results\n' >"${one}results"
		files+=("${one}results")
	done
done

# lines pass|fail|skip: print these results
lines() {
	[ ${#files[@]} = 0 ] || grep -H "^$1	" "${files[@]}"
}

# named WHAT TITLE: list these results, if there are any
named() {
	[ "$(lines "$1" | wc -l)" = 0 ] && return
	echo "$2"
	lines "$1" | sed "s|/results:$1	|: |; s|^$PWD/||; s/^/  /"
}

# slowest DIR...: list the tests that took longest
slowest() {
	local dir

	for dir; do
		[ ! -e "$dir/seconds" ] || sed "s|$| (${dir#"$PWD"/})|" "$dir/seconds"
	done | sort -rn | head -n 10
}

echo 'These took longest, in seconds:'
slowest "$@" | awk '{ seconds = $1; $1 = ""; printf "%6d %s\n", seconds, $0 }'
named skip 'These were skipped:'
named fail 'These failed:'
passed=$(lines pass | wc -l) failed=$(lines fail | wc -l) skipped=$(lines skip | wc -l)
line="$passed passed, $failed failed"
[ "$skipped" = 0 ] || line="$line, $skipped skipped"
echo "$line"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
