#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A function with two names, each with a FUNC: in the kernel, and in a module.
# kernels: patched debug
exec /test/guest-test alias
