#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Prints the kernel versions that there are patches for, one per line, the newest last.
basename -a "$(dirname "$0")"/../kernel-patch/*/ | sort -V
