#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Compare the addresses in /sys/kernel/btf_addr with kallsyms and ftrace.
# kernels: patched debug
exec /test/guest-test table
