#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# LSM programs attach by the id of a FUNC, and fmod_ret programs to callers of the hooks, as on a
# stock kernel.
exec /test/guest-test lsm
