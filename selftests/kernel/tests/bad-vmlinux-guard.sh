#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A record whose guard is wrong: the kernel does without its BTF, and says why.
# kernels: patched debug
. /test/ktap.sh
plan 5

dmesg >log
check 'the kernel says why' grep -F "Invalid guard of the function's address" log
check_not 'there is no plain BTF of the kernel' [ -e /sys/kernel/btf/vmlinux ]
check_not 'there is none with addresses' [ -e /sys/kernel/btf_addr/vmlinux ]
check 'the kernel works' [ "$(cat /sys/kernel/debug/bpf_func_addr_test/call_alone)" = 6 ]
check 'nothing is patched' [ ! -s /sys/kernel/tracing/enabled_functions ]
