#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# skipped.sh [DIR...]: counts skipped tests by reason, as Markdown, with a column for each directory
# of results (default: all guests, build/vm/*/*/results).
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."

[ $# != 0 ] || set -- build/vm/*/*/results
for dir; do
	cat "$dir"/*/results 2>/dev/null | awk -v dir="$dir" -F'\t' '
		{ count[$1]++ }
		$1 == "skip" && match($2, / \([^()]*(\([^()]*\)[^()]*)*\)$/) {
			print "reason\t" dir "\t" substr($2, RSTART + 2, RLENGTH - 3)
		}
		END { print "sum\t" dir "\t" count["pass"] + 0 "\t" count["fail"] + 0 "\t" count["skip"] + 0 }'
done | awk -F'\t' '
	$1 == "sum" { dirs[++nr] = $2; passed[nr] = $3; failed[nr] = $4; skipped[nr] = $5; next }
	{ reasons[$3]++; count[$3, $2]++ }
	function row(what, cells,	i, line) {
		line = "| " what " |"
		for (i = 1; i <= nr; i++)
			line = line " " cells[i] " |"
		return line
	}
	END {
		for (i = 1; i <= nr; i++) {
			n = split(dirs[i], part, "/")
			title[i] = n > 2 ? part[n - 2] " " part[n - 1] : dirs[i]
			rule[i] = "---:"
		}
		print row("", title)
		print row("---", rule)
		print row("passed", passed)
		print row("failed", failed)
		print row("skipped", skipped)
		fflush()
		for (reason in reasons) {
			for (i = 1; i <= nr; i++)
				cell[i] = count[reason, dirs[i]] ? count[reason, dirs[i]] : ""
			print row(reason, cell) | "sort"
		}
	}'
