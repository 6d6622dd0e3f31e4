#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Without the option, there is nothing of it.  (That kbuild does what that of the
# pristine tree does is shown by ../../kbuild/modfinal.sh; who is offered the option
# by kconfig.sh.)
# kernels: off
. "${0%/*}/../../lib.sh"
. "$selftests/kernel/env.sh"

begin 'the option is off, and the tree knows it'
has_not "$out/.config" '^CONFIG_DEBUG_INFO_BTF_FUNC_ADDR='
grep -q 'config DEBUG_INFO_BTF_FUNC_ADDR' "$tree/lib/Kconfig.debug" || fail 'it does not'
