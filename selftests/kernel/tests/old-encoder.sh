#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A module that is built outside of the tree with another encoder than the kernel has no BTF, and
# works without BPF.
# kernels: patched debug
. /test/ktap.sh
plan 3
check 'the module is loaded' insmod /files/target.ko
check_not 'the module has no BTF' [ -e /sys/kernel/btf/target ]
echo 40 >/sys/module/target/parameters/call
echo 2 >/sys/module/target/parameters/call
check 'the module works' sh -c 'dmesg | grep -q "target: 42$"'
