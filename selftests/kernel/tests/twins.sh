#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions of one name that the kernel has by nature, called from user space.
# kernels: patched debug
exec /test/guest-test twins
