#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What is left of the memory when BTF of vmlinux was read and mapped.
exec /test/guest-test memory
