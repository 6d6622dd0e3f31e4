#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Attach and detach while a module comes and goes, for STRESS seconds.
# kernels: patched debug
. /test/ktap.sh
needs_fentry
DURATION=$STRESS exec /test/guest-test stress
