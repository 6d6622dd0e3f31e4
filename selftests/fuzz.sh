#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make fuzz": builds the targets of selftests/fuzz and their initial corpus, and runs
# each of them.  Inputs that reach new code are kept in build/fuzz/found, where the next
# run continues; an input that fails is build/fuzz/TARGET-crash-*.
#   FUZZ_S=S       seconds for each target (60); 0: only the inputs found before
#   FUZZ="A B"     these targets (image btf expr libbpf)
#   COVERAGE=1     also print how much of load/, btf/ and image/ the inputs reach
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
dir=$PWD/build/fuzz
read -ra targets <<<"${FUZZ:-image btf expr libbpf}"
failed=0
: "${SLOWNESS:=$(selftests/slowness.sh)}"

make --no-print-directory -s -C selftests/fuzz COVERAGE= "${targets[@]/#/$dir/fuzz-}" || exit 1
[ -d "$dir/seeds/expr" ] || selftests/fuzz/corpus.sh "$dir/seeds" || exit 1
export FUZZ_BASE=$dir/seeds/base.btf FUZZ_IMAGE=$dir/seeds/image.elf
# 99: see run-tests.sh
# A small quarantine is enough: nothing is used later than in the next run or two.
export ASAN_OPTIONS=exitcode=99:quarantine_size_mb=4:malloc_context_size=8
export UBSAN_OPTIONS=exitcode=99:print_stacktrace=1

# seeds_of TARGET: print the directory with its initial corpus
seeds_of() {
	case $1 in
	image | expr)	echo "$dir/seeds/$1" ;;
	*)		echo "$dir/seeds/btf" ;;
	esac
}

# fuzz TARGET: run it, and print the result
fuzz() {
	local target=$1 log=$dir/$1.log status=0 runs seconds seeds

	mkdir -p "$dir/found/$target"
	# 60 KiB is more than any seed; 0 seconds would be no limit
	if [ "${FUZZ_S:-60}" = 0 ]; then set -- -runs=0; else set -- -max_total_time="${FUZZ_S:-60}"; fi
	"$dir/fuzz-$target" "$@" -timeout=$((10 * SLOWNESS)) -rss_limit_mb=2048 -max_len=61440 \
		-print_final_stats=1 -artifact_prefix="$dir/$target-" \
		"$dir/found/$target" "$(seeds_of "$target")" >"$log" 2>&1 || status=$?
	runs=$(awk '$1 == "stat::number_of_executed_units:" { print $2 }' "$log")
	seconds=$(awk '$1 == "stat::average_exec_per_sec:" { print $2 }' "$log")
	seeds=$(find "$(seeds_of "$target")" -type f | wc -l)
	if [ $status = 0 ] && [ "${runs:-0}" -ge "$seeds" ] && [ "$seeds" -gt 0 ]; then
		echo "PASS fuzz: $target: ${runs:-0} executions, ${seconds:-0} per second"
		return
	fi
	failed=1
	echo "FAIL fuzz: $target: status $status after ${runs:-0} executions, with $seeds seeds; the end of $log:"
	grep -vE '^#|^INFO' "$log" | tail -n 25 | cut -c1-160 | sed 's/^/     | /'
}

for target in "${targets[@]}"; do
	fuzz "$target"
done

# Run the same inputs with programs that measure coverage.
coverage() {
	local target objects=()

	make --no-print-directory -s -C selftests/fuzz COVERAGE=1 \
		"$dir/coverage/fuzz-image" "$dir/coverage/fuzz-btf" || return
	for target in image btf; do
		LLVM_PROFILE_FILE=$dir/coverage/$target.raw "$dir/coverage/fuzz-$target" -runs=0 \
			"$dir/found/$target" "$(seeds_of $target)" >"$dir/coverage/log" 2>&1 || return
		objects+=(-object "$dir/coverage/fuzz-$target")
	done
	llvm-profdata-19 merge -o "$dir/coverage/all" "$dir/coverage"/*.raw || return
	llvm-cov-19 export -summary-only -instr-profile="$dir/coverage/all" "${objects[@]}" |
		jq -r '.data[0].files[] | [.filename, .summary.lines.covered, .summary.lines.count,
		       .summary.branches.covered, .summary.branches.count] | @tsv' |
		awk -F'\t' '
		{ n = split($1, path, "/"); d = path[n - 1] }
		d ~ /^(load|btf|image)$/ { l[d] += $2; L[d] += $3; b[d] += $4; B[d] += $5 }
		END { for (d in l) printf "%s/: %.1f %% of %d lines, %.1f %% of %d branches\n", d,
				100 * l[d] / L[d], L[d], 100 * b[d] / B[d], B[d] }' | sort
}
[ "${COVERAGE:-}" != 1 ] || coverage || failed=1
exit $failed
