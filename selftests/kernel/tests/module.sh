#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Twins within a module, and of the kernel; loaded again; kfuncs; foreign ids.
# kernels: patched debug
exec /test/guest-test module
