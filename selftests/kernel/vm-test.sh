#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs selftests/kernel/tests/*.sh in guests of the kernel that env.sh chooses,
# each in a separate guest, three at a time.  A test prints KTAP; its results go
# to build/vm/KVER-ARCH/KERNEL/results/NAME/results, for ../summary.sh to count, next
# to its output (output) and the kernel's messages (console).  host/*.sh are tests
# about guests: they run here, start guests, and source ../lib.sh.
#   T=name      only tests whose name contains it
#   STRESS=S    seconds for each stress test
#   JOBS=N      N guests at a time
#   QUICK=1     no tests with a comment "# long: WHY"
#   CLIENTS=1   the tests in clients/, of programs of Debian unstable, instead
#
# Comments in a test that have a meaning:
#   # kernels: patched debug	run it only on these kernels
#   # memory: 1024		the guest's memory in MB (512); DEBUG=1 adds a gigabyte
#   # boots: 5			run it in 5 guests, and count each run
# and NAME.host, if there is one, runs on the host before the guest starts, in an
# empty directory whose content becomes /files.  It gets KERNEL, KERNEL_OUT (the
# build directory, with vmlinux), KERNEL_TREE, KERNEL_IMAGE (the file that is booted), GUEST_MODULES (the
# tests' modules), GUESTS (programs for the guest), ABTF, TOP and, for the machine,
# DEBARCH, SRCARCH, TRIPLET, BPF, SKELETONS, CROSS and SYSROOT, see env.sh. If it creates a file "image", this is booted.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

export STRESS=${STRESS:-60}
: "${SLOWNESS:=$("$here/../slowness.sh")}"
export SLOWNESS
# A test hangs if it takes this many seconds.
limit=$((900 * SLOWNESS))
[ "$kernel" != debug ] || limit=$((limit * 4))
[ "$arch" = x86_64 ] || limit=$((limit * 2))
# Stress tests may take longer by STRESS.
limit=$((limit + STRESS))

# comment NAME FILE: print the value of such a comment
comment() {
	sed -n "s/^# $1: *//p" "$2" | head -n 1
}

# with_variables COMMAND...: run it with the variables for tests, see above
with_variables() {
	KERNEL=$kernel KERNEL_OUT=$out KERNEL_TREE=$tree KERNEL_IMAGE=$image GUEST_MODULES=$vm/modules \
	GUESTS=$guests DEBARCH=$debarch SRCARCH=$srcarch TRIPLET=$triplet CROSS=$cross SYSROOT=$sysroot \
	SKELETONS=$skeletons BPF=$bpf TOP=$top ABTF=$top/encoder/abtf "$@"
}

# run_on_host FILE DIR: run a test of host/, with its results in DIR
run_on_host() {
	local file=$1 dir=$2 status=0 began=$SECONDS

	mkdir -p "$dir/work"
	(cd "$dir/work" && with_variables timeout -k 10 "$limit" bash "$file") \
		>"$dir/output" 2>"$dir/stderr" 3>"$dir/results" </dev/null || status=$?
	end_results "$dir/results" $status $((SECONDS - began))
	rm -rf "$dir/work"
}

# run_in_guest FILE DIR: run a test in a guest, with its results in DIR
run_in_guest() {
	local file=$1 dir=$2 status=0 why='' booted= memory

	memory=$(comment memory "$file")
	mkdir -p "$dir/files"
	if [ -e "${file%.sh}.host" ]; then
		(cd "$dir/files" && with_variables timeout -k 5 "$limit" bash "${file%.sh}.host") \
			>"$dir/host.log" 2>&1 </dev/null || status=$?
		if [ $status != 0 ]; then
			printf 'fail\tNAME.host ended with status %s\n' $status >"$dir/results"
			tail -n 30 "$dir/host.log" >"$dir/stderr"
		fi
	fi
	if [ $status = 0 ]; then
		[ ! -e "$dir/files/image" ] || { mv "$dir/files/image" "$dir/"; booted=$dir/image; }
		VM_DIR=$dir VM_TIMEOUT=$limit VM_IMAGE=$booted VM_MEMORY=$memory FILES=$(find "$dir/files" -mindepth 1 -maxdepth 1) \
		VM_ENV="KERNEL=$kernel STRESS=$STRESS DURATION=$STRESS" \
			"$here/vm.sh" "sh /test/$(basename "$file")" \
			>/dev/null 2>"$dir/stderr" </dev/null || status=$?
		# The messages of vm.sh start with its name.
		if grep -q '^vm.sh: ' "$dir/stderr"; then
			why=$(sed -n 's/^vm.sh: //p' "$dir/stderr" | tail -n 1)
		fi
		awk -f "$here/ktap.awk" -v status="$status" -v why="$why" "$dir/output" >"$dir/results"
	fi
	rm -rf "$dir/files" "$dir/image"
}

# run_one FILE NAME: run a test, and print its results
run_one() {
	local file=$1 name=$2 dir=$vm/results/$2 began=$SECONDS

	rm -rf "$dir"
	if skip_long "$file" "$dir"; then
		print_results "$dir/results" "$label/$name"
		return
	fi
	mkdir -p "$dir"
	case $file in
	*/host/*)	run_on_host "$file" "$dir" ;;
	*)		run_in_guest "$file" "$dir" ;;
	esac
	add_seconds "$vm/results" "$name" $((SECONDS - began))
	# Write everything at once, so that lines of two tests do not mix.
	printf '%s\n' "$(print_results "$dir/results" "$label/$name"
		if grep -q '^fail' "$dir/results"; then
			echo "     output, in ${dir#"$top/"}:"
			{ tail -n 60 "$dir/output" 2>/dev/null; tail -n 80 "$dir/stderr"; } |
				tr -d '\r' | sed 's/^/     | /'
		fi)"
}
. "$here/../results.sh"
label=${vm##*/}
[ "$kver-$arch" = 6.12-x86_64 ] || label=$kver-$arch/$label
export label limit
export -f with_variables run_one run_on_host run_in_guest comment skip_long end_results add_seconds print_results

# Nothing may rebuild the kernel while tests read its build directory.
[ -e "$out.lock" ] || die "$out is not there; \"make vm-kernel\" builds it"
exec 8<"$out.lock"
flock -s 8
[ -e "$image" ] || die "$image is not there; \"make vm-kernel\" builds it"
# With NO_SUMMARY=1, the caller has locked the results.
[ -n "${NO_SUMMARY:-}" ] || lock_results "$vm/results" || exit 1
todo=() files=() names=()
dirs=(host tests)
[ -z "${CLIENTS:-}" ] || dirs=(clients)
for file in "${dirs[@]/#/$here/}"; do
	files+=("$file"/*.sh)
done
for file in "${files[@]}"; do
	name=$(basename "$file" .sh)
	[[ $name != ktap && $name != bundle && $name == *"${T:-}"* ]] || continue
	kernels=$(comment kernels "$file")
	for known in $kernels; do
		[[ " patched stock debug off " == *" $known "* ]] || die "$file: unknown kernel $known"
	done
	[ -z "$kernels" ] || [[ " $kernels " == *" $kernel "* ]] || continue
	boots=$(comment boots "$file")
	for ((i = 1; i <= ${boots:-1}; i++)); do
		todo+=("$file" "$name${boots:+.$i}")
		names+=("$name${boots:+.$i}")
	done
done
begin_results "$vm/results" "${names[@]}"
# as in run-tests.sh
[ ${#todo[@]} != 0 ] || [ -n "${T:-}" ] || die "no test of the $kernel kernel"
[ ${#todo[@]} != 0 ] || echo "vm-test.sh: no test of the $kernel kernel has \"${T:-}\" in its name" >&2
# Do not export variables: other programs also use names like "out".
# shellcheck disable=SC2016 # the inner bash expands it
[ ${#todo[@]} = 0 ] ||
	printf '%s\0' "${todo[@]}" | xargs -0 -n2 -P "${JOBS:-3}" \
		bash -c '. "$0"; run_one "$1" "$2"' "$here/env.sh"

[ -n "${NO_SUMMARY:-}" ] || "$top/selftests/summary.sh" "$vm/results"
