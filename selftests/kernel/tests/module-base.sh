#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Like module.sh, with a module that has its own base BTF: its ids change when it is loaded, but
# refer to the same functions.
# kernels: patched debug
MODULES=/files exec /test/guest-test module
