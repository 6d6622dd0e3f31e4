#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The look-up helper of light skeletons refuses an ambiguous name; what is named by
# its id is found.
# kernels: patched debug
exec /test/guest-test lookup
