#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Twins, of which one is notrace, init text, or excluded from error injection.
# kernels: patched debug
exec /test/guest-test kinds
