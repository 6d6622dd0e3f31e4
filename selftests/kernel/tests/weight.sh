#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A program is attached to each of 22 cpumask_weight(), and to all at once.
# kernels: patched debug
exec /test/guest-test weight
