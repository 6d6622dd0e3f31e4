#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The test old-libbpf, with libbpf of Debian unstable.
# kernels: patched
PATH=/files/bin:$PATH
. /test/old-libbpf.sh
