#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What Debian's libbpf makes of NAME@FILE where no FUNC is called so, as docs/libbpf.md
# says: no function is found, and for kprobes, which are not looked up in BTF, the file
# is cut off.
# kernels: patched stock debug
exec old names
