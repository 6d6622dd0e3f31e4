#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make test": runs the encoder's tests, builds the patched kernel and runs its guest tests. The last
# line, also in build/test/summary, is "N passed, N failed".
#   T=name        only tests whose name contains it; unless a guest test is among them, no kernel is
#                 built
#   ALL=1         also tests with a line "# long: WHY", the packages, the stock kernel, the newest
#                 kernel of kernel-patch/, and other machines ("make test-all")
#   SANITIZE=1    only tests of the encoder, built with sanitizers, and the fuzz targets (FUZZ_S seconds
#                 each; COVERAGE=1, see fuzz.sh)
#   STRESS=S      seconds for each stress test (60)
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
# Ignore the user's choice of a kernel.
unset DEBUG FUNC_ADDR KVER ARCH OUT DIRS MAKEFLAGS MFLAGS MAKEOVERRIDES
# All time limits are multiplied by it.
SLOWNESS=$(selftests/slowness.sh)
export SLOWNESS

# See skip_long() in results.sh.
[ -n "${T:-}${ALL:-}${SANITIZE:-}" ] || export QUICK=1
newest=$(selftests/versions.sh | tail -n 1)

. selftests/results.sh
lock_results build/test || exit 1
NO_SUMMARY=1 selftests/run-tests.sh
results=(build/test)
if [ "${ALL:-}" = 1 ]; then
	echo "test.sh: libbpf, bpftool and kbuild of Linux $newest, after $((SECONDS / 60)) minutes"
	lock_results "build/test-$newest" || exit 1
	NO_SUMMARY=1 KVER=$newest OUT=build/test-$newest DIRS="libbpf kbuild" selftests/run-tests.sh
	lock_results build/test-packages || exit 1
	NO_SUMMARY=1 OUT=build/test-packages DIRS=packages selftests/run-tests.sh
	results+=("build/test-$newest" build/test-packages)
fi

# guests_selected: test whether T and SANITIZE select a guest test
guests_selected() {
	local file

	[ "${SANITIZE:-}" != 1 ] || return 1
	for file in selftests/kernel/tests/*.sh selftests/kernel/host/*.sh; do
		[[ $(basename "$file" .sh) != *"${T:-}"* ]] || return 0
	done
	return 1
}

# Kernels whose guest tests are run: version, machine, kernel
guests=("6.12 x86_64 patched")
[ "${ALL:-}" != 1 ] || guests+=("6.12 x86_64 stock" "6.12 x86_64 off" "$newest x86_64 patched" "$newest x86_64 stock"
	"6.12 arm64 patched" "6.12 arm64 stock" "6.12 s390x patched" "6.12 s390x stock"
	"$newest arm64 patched" "$newest s390x patched")

# test_kernel VERSION ARCH KERNEL: build a kernel and run its tests. If the build fails, that is one failed test.
test_kernel() {
	local KVER=$1 ARCH=$2 KERNEL=$3 results_dir=build/vm/$1-$2/$3/results took=$SECONDS

	export KVER ARCH KERNEL
	results+=("$results_dir")
	lock_results "$results_dir" || exit 1
	if ! make --no-print-directory vm-guest; then
		mkdir -p "$results_dir/build"
		printf 'fail\tthe kernel or its guest could not be built\n' >"$results_dir/build/results"
		return
	fi
	took=$((SECONDS - took))
	NO_SUMMARY=1 selftests/kernel/vm-test.sh
	echo "$took kernel and guest: built, or found up to date" >>"$results_dir/seconds"
}

# compile_for_machines VERSION: compile the kernel's part for machines without a guest
compile_for_machines() {
	local dir=build/test-machines/$1/compile status

	echo "test.sh: the kernel's part of $1, compiled for other machines, after $((SECONDS / 60)) minutes"
	rm -rf "$dir"
	mkdir -p "$dir"
	status=0
	KVER=$1 make --no-print-directory check-machines 2>&1 | tee "$dir/log" || status=$?
	sed -nE 's/^(PASS|FAIL) /\L\1\t/p' "$dir/log" >"$dir/results"
	[ $status = 0 ] || grep -q '^fail' "$dir/results" ||
		printf 'fail\tmake check-machines\n' >>"$dir/results"
	results+=("build/test-machines/$1")
}

if [ "${SANITIZE:-}" = 1 ] && [[ fuzz == *"${T:-}"* ]]; then
	mkdir -p build/test/fuzz
	status=0
	make --no-print-directory SANITIZE= COVERAGE="${COVERAGE:-1}" fuzz \
		>build/test/fuzz/log 2>&1 || status=$?
	cat build/test/fuzz/log
	sed -nE 's/^(PASS|FAIL) fuzz: /\L\1\t/p' build/test/fuzz/log >build/test/fuzz/results
	# a target that could not be built is one that failed
	[ $status = 0 ] || grep -q '^fail' build/test/fuzz/results ||
		printf 'fail\tmake fuzz\n' >>build/test/fuzz/results
fi
if guests_selected; then
	nr=0
	for guest in "${guests[@]}"; do
		nr=$((nr + 1))
		echo "test.sh: guests of $guest ($nr of ${#guests[@]}), after $((SECONDS / 60)) minutes"
		# shellcheck disable=SC2086 # three words
		test_kernel $guest
	done
fi
[ "${ALL:-}" != 1 ] || for version in 6.12 "$newest"; do
	compile_for_machines "$version"
done
selftests/summary.sh "${results[@]}" | tee build/test/summary
