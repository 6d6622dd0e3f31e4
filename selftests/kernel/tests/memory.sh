#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Reading and mapping the BTF of vmlinux costs no memory for good.  KASAN, in a
# debug kernel, keeps freed objects for a while, which counts as used memory.
# kernels: patched stock off
exec /test/guest-test memory
