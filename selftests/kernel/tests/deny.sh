#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions to which no program, or not every program, can attach; as on a stock kernel.
exec /test/guest-test deny
