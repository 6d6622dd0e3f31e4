#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Twins, one of which is notrace, in init text, or excluded from error injection.
# kernels: patched debug
exec /test/guest-test kinds
