#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The look-up helper of light skeletons refuses an ambiguous name.
# kernels: patched debug
# timeout: 60
exec /test/guest-test lookup
