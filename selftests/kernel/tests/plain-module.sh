#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel looks up functions of a module without addresses by name, like a stock kernel.
# kernels: patched debug
MODULES=/files exec /test/guest-test plain-module
