#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions of a module with the names of functions that LSM and fmod_ret programs may attach to.
# kernels: patched debug
exec /test/guest-test security
