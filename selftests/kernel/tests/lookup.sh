#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The look-up helper of light skeletons rejects an ambiguous name, and accepts an id.
# kernels: patched debug
exec /test/guest-test lookup
