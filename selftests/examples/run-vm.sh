#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs which_cpumask_weight in the patched guest: lists the 22 functions of that
# name, attaches to the one that INSTANCE selects, and then has the kernel call
# each of them, once, so that the count shows how many of them it ran on.
#	INSTANCE='cpumask_weight@...'	a selector
set -eu
cd "$(dirname "$0")/../.."

instance=${INSTANCE:-cpumask_weight@kernel/bpf/func_addr_test/weight_14.c}
mkdir -p build
make --no-print-directory -s -C selftests/examples/which_cpumask_weight >build/which_cpumask_weight.log

cat >build/which_cpumask_weight/show.sh <<'S'
cd /files
echo "\$ which_cpumask_weight cpumask_weight"
./which_cpumask_weight cpumask_weight || exit 1
echo
echo "\$ which_cpumask_weight '$1' 3 &"
./which_cpumask_weight "$1" 3 >/tmp/out 2>/tmp/err &
pid=$!
n=0
until grep -q ^attached /tmp/out || ! kill -0 $pid 2>/dev/null || [ $n -gt 100 ]; do
	n=$((n + 1))
	usleep 100000
done
if grep -q ^attached /tmp/out; then
	head -n 1 /tmp/out
	echo "\$ cat /sys/kernel/debug/bpf_func_addr_test/weight_*   # calls each of the 22, once"
	cat /sys/kernel/debug/bpf_func_addr_test/weight_* >/dev/null
fi
wait $pid
status=$?
sed -n '2,$p' /tmp/out
cat /tmp/err
exit $status
S
FILES='build/which_cpumask_weight/which_cpumask_weight build/which_cpumask_weight/show.sh' \
	selftests/kernel/vm.sh "sh /files/show.sh '$instance'"
