#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# slowness.sh: prints how much slower this machine is now than an idle two-core machine of 2026,
# as a whole number from 1 to 20.
#
# Limits against hanging are multiplied by it. The runners call it once, when they start,
# and export SLOWNESS. The measured work is similar to the tests: many short processes, and a
# loop. It does not use the encoder, whose speed must not affect its own limits.
set -eu
export LC_ALL=C

began=${EPOCHREALTIME/./}
for ((i = 0; i < 100; i++)); do
	/bin/true
done
for ((i = 0; i < 100000; i++)); do
	:
done
# 250 ms is twice the time on that machine
slowness=$((1 + (${EPOCHREALTIME/./} - began) / 250000))
# A limit of hours is useless. Without a factor, limits are already 30 times as long as the work.
echo $((slowness < 20 ? slowness : 20))
