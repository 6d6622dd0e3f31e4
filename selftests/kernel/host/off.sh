#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The configuration of the kernel without the option. (../../kbuild/modfinal.sh tests that kbuild works as in
# the stock tree; kconfig.sh tests the option's dependencies.)
# kernels: off
. "${0%/*}/../../lib.sh"
. "$selftests/kernel/env.sh"

begin 'CONFIG_DEBUG_INFO_BTF_FUNC_ADDR exists, and is off'
has_not "$out/.config" '^CONFIG_DEBUG_INFO_BTF_FUNC_ADDR='
grep -q 'config DEBUG_INFO_BTF_FUNC_ADDR' "$tree/lib/Kconfig.debug" || fail 'Kconfig does not have the option'
