#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Patterns PREFIX_* of tracing_multi links: which work must not depend on functions
# that share a name.
exec /test/guest-test prefix
