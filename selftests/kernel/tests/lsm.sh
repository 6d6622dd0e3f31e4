#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# LSM programs by the id of a FUNC, and fmod_ret on what calls their hooks; as ever
# on a stock kernel.
exec /test/guest-test lsm
