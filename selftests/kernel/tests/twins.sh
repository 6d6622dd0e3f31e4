#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions of an unmodified kernel that share a name, called from user space.
# kernels: patched debug
exec /test/guest-test twins
