#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A program linked with Debian's libbpf works unmodified, and so does its BPF object.
. /test/ktap.sh
needs_fentry
exec old
