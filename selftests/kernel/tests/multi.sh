#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tracing_multi: each of 22 cpumask_weight() is attached to by one link, by their ids.
# kernels: patched debug
exec /test/guest-test multi
