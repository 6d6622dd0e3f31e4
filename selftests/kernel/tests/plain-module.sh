#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A module without addresses is treated as a stock kernel treats it: by name.
# kernels: patched debug
MODULES=/files exec /test/guest-test plain-module
