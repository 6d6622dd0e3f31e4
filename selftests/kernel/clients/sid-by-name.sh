#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The test by-name, with libbpf of Debian unstable.
# kernels: patched
PATH=/files/bin:$PATH
. /test/by-name.sh
