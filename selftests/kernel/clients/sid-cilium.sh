#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The test cilium, with cilium/ebpf of Debian unstable.
# kernels: patched
. /test/cilium.sh
