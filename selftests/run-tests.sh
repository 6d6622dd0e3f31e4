#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# run-tests.sh [FILE...]: runs these tests, or selftests/{encoder,libbpf,kbuild}/*.sh, three at
# a time, each in build/test/NAME with its output in build/test/NAME/log. Then summary.sh counts the cases.
# build/test/seconds has the wall-clock and CPU time of each file.
#   T=name        only files whose name contains it
#   T=name/N      only case N of the file with this name
#   SANITIZE=1    only tests of the encoder, built with sanitizers
#   JOBS=N        N files at a time
#   DIRS="A B"    selftests/{A,B}/*.sh instead
#   OUT=DIR       instead of build/test
#   QUICK=1       no files with a line "# long: WHY"
#   WITH=REGEX    only files with a line that matches
#   CC=FILE       a path that ends with gcc-N or clang-N: tests use it as gcc or clang
#   LEAKS=0       with SANITIZE=1, ignore memory leaks
#   SLOWNESS=N    multiply time limits by N, instead of measuring it (slowness.sh)
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
. selftests/results.sh
out=$PWD/${OUT:-build/test}
# With NO_SUMMARY=1, the caller has locked the results.
[ -n "${NO_SUMMARY:-}" ] || lock_results "$out" || exit 1

if [ "${SANITIZE:-}" = 1 ]; then
	export ABTF=$PWD/build/encoder-sanitize/abtf
	export ABTF_PAHOLE=$PWD/build/encoder-sanitize/abtf-pahole
	# abtf never exits with 99, so no expected failure hides a report.
	export ASAN_OPTIONS=exitcode=99:detect_leaks=${LEAKS:-1}
	export UBSAN_OPTIONS=print_stacktrace=1:exitcode=99
fi

: "${SLOWNESS:=$(selftests/slowness.sh)}"
# A file that takes this long hangs. On an idle machine, none takes more than two minutes, or five
# with sanitizers, but the machine may get busy later.
limit=$(((${SANITIZE:-0} ? 900 : 600) * SLOWNESS))

# run_one FILE: run it, with its results in NAME/results, as tab-separated lines
run_one() {
	local file=$1 name dir status=0 began=$SECONDS

	name=$(basename "$file" .sh)
	dir=$out/$name
	rm -rf "$dir"
	if skip_long "$file" "$dir"; then
		print_results "$dir/results" "$name"
		return
	fi
	mkdir -p "$dir/work"
	(cd "$dir/work" && exec timeout -k 10 "$limit" bash "$PWD_TOP/$file") \
		>"$dir/log" 2>&1 3>"$dir/results" </dev/null || status=$?
	end_results "$dir/results" $status $((SECONDS - began))
	add_seconds "$out" "$name" $((SECONDS - began))
	# Write everything at once, so that lines of two files do not mix.
	printf '%s\n' "$(print_results "$dir/results" "$name"
		if grep -q '^fail' "$dir/results"; then
			echo "     the end of $name/log:"
			tail -n 60 "$dir/log" | sed 's/^/     | /'
		fi)"
	# Keep logs, and the images of failed tests; others are quickly rebuilt.
	grep -q '^fail' "$dir/results" || rm -rf "$dir/work"
}
export -f run_one skip_long end_results add_seconds print_results
export out limit SLOWNESS PWD_TOP=$PWD

# Tests run gcc and clang, and clang-19 where the compiler has to record changed signatures.
names=()
case ${CC:-} in
/*/gcc-[0-9]*)	names=(gcc) ;;
/*/clang-[0-9]*)
	names=(clang)
	[ "${CC##*-}" -lt 17 ] || names+=(clang-19) ;;
esac
if [ ${#names[@]} != 0 ]; then
	rm -rf "$out.compiler"
	mkdir -p "$out.compiler"
	for name in "${names[@]}"; do
		ln -s "$CC" "$out.compiler/$name"
	done
	PATH=$out.compiler:$PATH
fi

unset CASE
if [[ ${T:-} == */* ]]; then
	export CASE=${T##*/}
	wanted() { [ "$1" = "${T%/*}" ]; }
else
	wanted() { [[ $1 == *"${T:-}"* ]]; }
fi

files=() tests=()
read -ra dirs <<<"${DIRS:-encoder libbpf kbuild}"
[ "${SANITIZE:-}" != 1 ] || dirs=(encoder)
[ $# != 0 ] || set -- $(printf 'selftests/%s/*.sh ' "${dirs[@]}")
for file; do
	name=$(basename "$file" .sh)
	wanted "$name" && grep -qE -- "${WITH:-}" "$file" || continue
	files+=("$file")
	tests+=("$name")
done
# It is an error if there are no tests at all.
[ ${#tests[@]} != 0 ] || [ -n "${T:-}${WITH:-}" ] || tests=(no-test-is-there)
begin_results "$out" "${tests[@]}"
# shellcheck disable=SC2016 # the inner bash expands it
[ ${#files[@]} = 0 ] ||
	printf '%s\0' "${files[@]}" | xargs -0 -n1 -P "${JOBS:-3}" bash -c 'run_one "$1"' run_one

# test.sh counts all results itself.
[ -n "${NO_SUMMARY:-}" ] || selftests/summary.sh "$out" | tee "$out/summary"
