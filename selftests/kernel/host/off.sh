#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Without the option, the kernel behaves like a stock kernel. (../../kbuild/modfinal.sh tests that kbuild
# works as in the stock tree, kconfig.sh the option's dependencies.)
# kernels: off
. "${0%/*}/../../lib.sh"
. "$selftests/kernel/env.sh"

begin 'the option is off, and the tree knows it'
has_not "$out/.config" '^CONFIG_DEBUG_INFO_BTF_FUNC_ADDR='
grep -q 'config DEBUG_INFO_BTF_FUNC_ADDR' "$tree/lib/Kconfig.debug" || fail 'it does not'
