#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# CONFIG_MODULE_ALLOW_BTF_MISMATCH: a module whose BTF lies about addresses is
# loaded without BTF, and works.
# kernels: off
. /test/ktap.sh
cd /files || exit 1

tab=$(printf '\t')
btf=/sys/kernel/btf/target addr=/sys/kernel/btf_addr/target

# The module does what it does without BPF.
works() {
	dmesg -c >/dev/null
	echo 40 >/sys/module/target/parameters/call &&
		echo 2 >/sys/module/target/parameters/call && dmesg | grep -q 'target: 42$'
}

plan $(($(wc -l <cases) * 4 + 5))
check 'a good one is loaded' insmod good.module
check 'has BTF' [ -s $btf ]
check 'that is attached to by address' old module
rmmod target
while IFS=$tab read -r name message; do
	dmesg -c >/dev/null
	check "$name is loaded" insmod "$name.ko"
	dmesg >log
	check "the kernel says: $message" grep -F "$message" log
	check_not 'it has no BTF' [ -e $btf -o -e $addr ]
	check 'it works' works
	rmmod target
done <cases
check_eq 'nothing is patched' "$(cat /sys/kernel/tracing/enabled_functions)" ''
check 'what BPF is attached to is' patched vfs_read
