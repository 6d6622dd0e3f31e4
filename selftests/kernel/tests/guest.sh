#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Preconditions of the other tests.
. /test/ktap.sh
plan 5

check 'the kernel has BTF' [ -s /sys/kernel/btf/vmlinux ]
check 'a module that comes with the kernel can be loaded' modprobe md5
check 'a module that comes with the kernel has BTF' [ -s /sys/kernel/btf/md5 ]
check 'functions can be traced' grep -qw vfs_read /sys/kernel/tracing/available_filter_functions
check 'errors can be injected' grep -q . /sys/kernel/debug/error_injection/list
