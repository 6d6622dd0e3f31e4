#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Like old-libbpf.sh, with a module whose BTF was written by this kernel's encoder.
. /test/ktap.sh
needs_fentry
insmod /test/target.ko || exit 1
exec old module
