#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A program linked with Debian's libbpf, and its BPF object, need not know.
. /test/ktap.sh
needs_fentry
exec old
