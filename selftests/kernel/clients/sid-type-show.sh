#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The test type-show, with libbpf of Debian unstable.
# kernels: patched
PATH=/files/bin:$PATH
. /test/type-show.sh
