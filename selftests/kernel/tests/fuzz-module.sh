#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Modules whose BTF and .rela.BTF were modified in many ways: the kernel rejects them, or programs
# can only be attached to the function that a FUNC names; see fuzz-module.host.
# kernels: patched debug
# long: it loads hundreds of modules
. /test/ktap.sh
needs_fentry
cd /files || exit 1
plan 10

read -r n seed <settings
echo "# $n variants, seed $seed"
# shorten RCU grace periods
echo 1 >/sys/kernel/rcu_expedited

# fuzz NAME VARIANTS: print the summary even if it passes
fuzz() {
	fuzz-module "$1.ko" "$1.$2" >out
	status=$?
	sed 's/^#* */# /' out | tail -n 60
	return $status
}

for name in bpf_func_addr_test_kmod target; do
	what="$((n / 2)) variants of $name"
	if fuzz $name variants; then pass "$what"; else fail "$what"; fi
done
check_none 'nothing is patched' cat /sys/kernel/tracing/enabled_functions
check_eq 'no module is left' "$(wc -l </proc/modules)" 0

# planted WHAT: print yes if the fuzzer reports an error after its expectation WHAT was broken
planted() {
	FUZZ_PLANT=$1 fuzz-module bpf_func_addr_test_kmod.ko bpf_func_addr_test_kmod.few >out
	[ $? = 1 ] && grep -q '^# WRONG' out && echo yes
}

for what in table patched called same bad; do
	check_eq "the fuzzer detects a planted error: $what" "$(planted $what)" yes
done
check 'a function with a BPF program is listed as patched' patched vfs_read
