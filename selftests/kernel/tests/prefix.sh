#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Patterns PREFIX_* of tracing_multi links: functions with shared names must not decide which
# patterns work.
exec /test/guest-test prefix
