#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each of 22 cpumask_weight() is attached alone, and all of them at once.
# kernels: patched debug
exec /test/guest-test weight
