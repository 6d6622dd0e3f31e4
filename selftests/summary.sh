#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# summary.sh DIR...: counts the lines of DIR/*/results, which begin with "pass",
# "fail" or "skip" and a tab.  The last line is "N passed, N failed", with
# ", N skipped" if there are any.  Fails if one failed, and if none passed.
set -u
export LC_ALL=C

count() {
	cat "${dirs[@]/%//results}" 2>/dev/null | grep -c "^$1	" || true
}

dirs=()
for dir; do
	[ -d "$dir" ] || continue
	for one in "$dir"/*/; do
		dirs+=("${one%/}")
	done
done

passed=$(count pass) failed=$(count fail) skipped=$(count skip)
line="$passed passed, $failed failed"
[ "$skipped" = 0 ] || line="$line, $skipped skipped"
if [ "$failed" != 0 ]; then
	echo "These failed:"
	grep -H '^fail' "${dirs[@]/%//results}" | sed "s|/results:fail.|: |; s|^$PWD/||; s/^/  /"
fi
echo "$line"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
