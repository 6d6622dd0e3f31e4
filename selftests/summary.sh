#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# summary.sh DIR...: counts the lines of DIR/*/results: "pass", "fail" or "skip", a tab, and a title. It
# first prints the ten longest tests of DIR/seconds, which has lines of seconds and a name. The last line
# is "N passed, N failed", followed by ", N skipped" if there are any. A test in DIR/tests.txt without
# results, any other line, and a title that a test has twice count as failed. The exit status is 1 if a
# test failed, or if none passed.
set -u
export LC_ALL=C

# results DIR...: print lines of pass, fail or skip, the test's directory, and the title. Nothing is
# written, because the disk may be full.
results() {
	local dir name

	for dir; do
		[ -d "$dir" ] || printf 'fail\t%s\tno test was started\n' "$dir"
		{
			cat "$dir/tests.txt"
			find "$dir" -mindepth 1 -maxdepth 1 -type d -printf '%f\n'
		} 2>/dev/null | sort -u | while read -r name; do
			cat "$dir/$name/results" 2>/dev/null | awk -F'\t' -v name="${dir#"$PWD/"}/$name" '
				function result(what, title) { print what "\t" name "\t" title }
				NF != 2 || $1 !~ /^(pass|fail|skip)$/ { result("fail", "not a result: " $0); next }
				{ result($1, $2) }
				seen[$2]++ == 1 { result("fail", "two cases with the title: " $2) }
				END { if (!NR) result("fail", "no results") }'
		done
	done
}
all=$(results "$@")

# lines pass|fail|skip: print these results
lines() {
	sed -n "s/^$1	//p" <<<"$all"
}

# named WHAT TITLE: list these results, if there are any
named() {
	[ "$(lines "$1" | wc -l)" = 0 ] && return
	echo "$2"
	lines "$1" | sed 's/	/: /; s/^/  /'
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
