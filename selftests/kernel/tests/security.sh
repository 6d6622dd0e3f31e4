#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A module's functions that are called like what LSM and fmod_ret programs may have.
# kernels: patched debug
exec /test/guest-test security
