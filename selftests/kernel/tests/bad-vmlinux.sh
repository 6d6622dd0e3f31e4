#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel detects wrong addresses in its own BTF when a FUNC is used.
# kernels: patched debug
exec /test/guest-test bad-vmlinux
