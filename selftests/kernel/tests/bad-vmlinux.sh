#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# BTF of the kernel that lies about addresses is found out when it is used.
# kernels: patched debug
exec /test/guest-test bad-vmlinux
