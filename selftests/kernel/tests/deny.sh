#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that nothing is attached to, or not everything; as ever on a stock kernel.
exec /test/guest-test deny
