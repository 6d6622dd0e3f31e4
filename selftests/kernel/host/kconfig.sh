#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The option is off by default, and only exists if the encoder supports it. This test builds
# nothing.
# kernels: patched off
. "${0%/*}/../../lib.sh"
. "$selftests/kernel/env.sh"

option=CONFIG_DEBUG_INFO_BTF_FUNC_ADDR

# configure PAHOLE LINE: change the kernel's configuration, in which LINE replaces the option
configure() {
	pahole=$1
	sed "/^\(# \)\?$option[ =]/d" "$KERNEL_OUT/.config" >"$out/.config"
	echo "$2" >>"$out/.config"
	kmake -s olddefconfig
	cp "$out/.config" config
	# without BTF, the option does not exist
	has config '^CONFIG_DEBUG_INFO_BTF=y$'
	has config '^CONFIG_KALLSYMS=y$'
}
out=$PWD/out
mkdir "$out"

begin 'with abtf, the option exists, and is off'
configure "$top/encoder/abtf-pahole" ''
has config "^# $option is not set\$"

begin 'with abtf, the option can be set'
configure "$top/encoder/abtf-pahole" "$option=y"
has config "^$option=y\$"

begin 'with another encoder, the option does not exist, even if it is set'
have pahole || { skip 'no pahole'; exit 77; }
configure "$(command -v pahole)" "$option=y"
has_not config "$option"
