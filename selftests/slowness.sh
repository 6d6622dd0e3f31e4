#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# slowness.sh: print how much longer work takes here than on an idle two-core machine of
# 2026, as a whole number from 1 to 20.
#
# Limits against hanging are multiplied by it. The runners call it once, when they start,
# and export SLOWNESS. The work is like that of the tests: many short processes, and a loop.
# It does not use the encoder, whose speed must not move its own limits.
set -eu
export LC_ALL=C

began=${EPOCHREALTIME/./}
for ((i = 0; i < 100; i++)); do
	/bin/true
done
for ((i = 0; i < 100000; i++)); do
	:
done
# 250 ms is twice what it takes there
slowness=$((1 + (${EPOCHREALTIME/./} - began) / 250000))
# A limit of hours is none. Those without a factor are already 30 times what the work takes.
echo $((slowness < 20 ? slowness : 20))
