#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A descriptor of the kernel's BTF gives what the file does, in buffers of any size.
exec /test/guest-test info
