#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Twins in a module, and in vmlinux and a module; a module that is loaded again; kfuncs; ids of
# other BTF.
# kernels: patched debug
exec /test/guest-test module
