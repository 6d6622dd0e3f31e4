#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A descriptor of the kernel's BTF returns the same bytes as the file, with buffers of any size.
exec /test/guest-test info
