#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Where the addresses in /sys/kernel/btf_addr lead, by kallsyms and by ftrace.
# kernels: patched debug
exec /test/guest-test table
