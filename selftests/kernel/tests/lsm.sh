#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# LSM programs by the id of a FUNC, and fmod_ret on the callers of their hooks; same as
# on a stock kernel.
exec /test/guest-test lsm
