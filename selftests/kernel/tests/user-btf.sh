#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Nobody but the kernel and its modules says where functions are.
# kernels: patched debug
exec /test/guest-test user-btf
