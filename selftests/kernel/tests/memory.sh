#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Reading and mapping the BTF of vmlinux does not leak memory.  In a debug kernel, KASAN keeps freed
# objects for a while, which counts as used memory.
# kernels: patched stock off
exec /test/guest-test memory
