#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What the compiler has made of a function is not the function.
# kernels: patched debug
# timeout: 120
exec /test/guest-test clones
