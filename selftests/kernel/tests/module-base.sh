#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The same with a module that brings a base of its own: its ids change when it is
# loaded, what they say of functions must not.
# kernels: patched debug
MODULES=/files exec /test/guest-test module
