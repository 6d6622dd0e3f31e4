#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What Debian's libbpf makes of selectors in section names without the helper, as
# docs/libbpf.md says: no function is found, or the selector is cut off.
# kernels: patched stock debug
exec old selector
