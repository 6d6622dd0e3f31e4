#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Debian's libbpf with NAME@FILE, if no FUNC has that name, as in docs/libbpf.md: no function is
# found; for kprobes, which are not looked up in BTF, the file is cut off.
# kernels: patched stock debug
exec old names
