#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make check": runs quick tests of the encoder with the programs that are installed. It needs neither
# root nor network, and installs nothing. A test that needs a missing program is skipped, and counted.
#   T=name         all tests of the encoder whose name contains it, not only quick ones
#   T=name/N       only case N of that test
#   JOBS=N         N files at a time (one for each CPU)
#
# The list below has the tests and the programs that each of them needs.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
out=build/check
. selftests/results.sh
lock_results $out || exit 1

# TEST: PROGRAM...
tests='
alias: jq
check: build/judge/btf-judge
commands: jq man
functions: jq python3
house: perl
init: jq build/judge/btf-judge
json: jq man python3
names: jq
report: jq
runner:
selectors: jq
symbolize: jq
weak: jq
'

[ -z "${T:-}" ] || tests=$(basename -s .sh -a selftests/encoder/*.sh | sed 's/$/:/')

# The judge needs libdw. Do not use programs of an earlier build if the current ones cannot be built.
for name in compare judge example; do
	make --no-print-directory -s -C selftests/$name >$out.log 2>&1 && continue
	echo "check.sh: selftests/$name cannot be built:" >&2
	tail -n 5 $out.log >&2
	rm -rf build/$name
	make --no-print-directory -s -k -C selftests/$name >/dev/null 2>&1
done

missing() {
	local program

	for program; do
		command -v "$program" >/dev/null || { echo "no $program"; return; }
	done
}

files='' skips=''
while IFS=: read -r name programs; do
	[ -n "$name" ] || continue
	# shellcheck disable=SC2086 # a list
	why=$(missing $programs)
	if [ -n "$why" ]; then
		skips+="$name"$'\t'"$why"$'\n'
	else
		files+="selftests/encoder/$name.sh "
	fi
done <<<"$tests"

# shellcheck disable=SC2086 # a list; without one, all tests would run
[ -z "$files" ] || NO_SUMMARY=1 OUT=$out JOBS=${JOBS:-$(nproc)} selftests/run-tests.sh $files
while IFS=$'\t' read -r name why; do
	[ -n "$name" ] || continue
	mkdir -p "$out/$name"
	printf 'skip\tall cases (%s)\n' "$why" >"$out/$name/results"
done <<<"$skips"
selftests/summary.sh $out | tee $out/summary
