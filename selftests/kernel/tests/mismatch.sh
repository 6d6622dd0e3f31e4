#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Like a stock kernel, a kernel without CONFIG_DEBUG_INFO_BTF_FUNC_ADDR rejects the BTF of a module
# with addresses.  With CONFIG_MODULE_ALLOW_BTF_MISMATCH, it loads the module without BTF.
# kernels: off
. /test/ktap.sh
cd /files || exit 1

btf=/sys/kernel/btf/target

# The module works without BPF.
works() {
	dmesg -c >/dev/null
	echo 40 >/sys/module/target/parameters/call &&
		echo 2 >/sys/module/target/parameters/call && dmesg | grep -q 'target: 42$'
}

plan 10
check 'a module without addresses is loaded' insmod plain.ko
check 'a module without addresses has BTF' [ -s $btf ]
check 'BPF attaches to a function of a module without addresses' old module
rmmod target
dmesg -c >/dev/null
check 'the module with addresses is loaded' insmod addresses.ko
dmesg >log
check 'the kernel reports the mismatch' grep -F 'Kernel module BTF mismatch detected' log
check_not 'the module with addresses has no BTF' [ -e $btf ]
check 'the module with addresses works' works
check_not 'BPF does not attach to the module with addresses' old module
check_not 'there is no table of addresses' [ -e /sys/kernel/btf_addr ]
rmmod target
check_none 'no function is patched' cat /sys/kernel/tracing/enabled_functions
