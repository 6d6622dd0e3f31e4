#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Only the BTF of the kernel and of its modules can have addresses.
# kernels: patched debug
exec /test/guest-test user-btf
