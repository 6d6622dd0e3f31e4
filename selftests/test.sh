#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make test": the encoder's tests, then kernels and their guest tests, and one
# count of all; the last line, also in build/test/summary, is "N passed, N failed".
#   T=name        only tests whose name contains it; without a guest test of such a
#                 name no kernel is built
#   SANITIZE=1    the encoder with sanitizers: its own tests only
#   STRESS=S      seconds for the guest tests that run as long as they are told (60)
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
# Which kernels is not for the user to say here.
unset DEBUG FUNC_ADDR KVER ARCH MAKEFLAGS MFLAGS MAKEOVERRIDES

NO_SUMMARY=1 selftests/run-tests.sh
results=(build/test)

wanted() {
	local file

	[ "${SANITIZE:-}" != 1 ] || return 1
	for file in selftests/kernel/tests/*.sh selftests/kernel/host/*.sh; do
		[[ $(basename "$file" .sh) != *"${T:-}"* ]] || return 0
	done
	return 1
}

guests=build/vm/6.12-x86_64

# A kernel that cannot be built is a failure among the others.
kernel() {
	local name=$1

	results+=("$guests/$name/results")
	rm -rf "$guests/$name/results"
	if ! make --no-print-directory KERNEL="$name" vm-guest; then
		mkdir -p "$guests/$name/results/build"
		printf 'fail\tthe kernel or its guest could not be built\n' \
			>"$guests/$name/results/build/results"
		return
	fi
	KERNEL=$name NO_SUMMARY=1 selftests/kernel/vm-test.sh
}

if wanted; then
	kernel patched
	kernel stock
fi
selftests/summary.sh "${results[@]}" | tee build/test/summary
