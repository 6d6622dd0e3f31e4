#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tracing_multi: one link attaches to all 22 cpumask_weight(), by their ids.
# kernels: patched debug
exec /test/guest-test multi
