#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Without the option, kbuild of the patched tree is that of the pristine one.
# kernels: off
. "${0%/*}/../../lib.sh"
. "$selftests/kernel/env.sh"

# flags TREE [VARIABLE=VALUE...]: what that tree's kbuild tells an encoder
flags() {
	local source=$1
	shift
	printf '%s\n' 'include $(srctree)/scripts/Kbuild.include' \
		'include $(objtree)/include/config/auto.conf' \
		'include $(srctree)/scripts/Makefile.btf' \
		'all: ; @echo vmlinux: $(PAHOLE_FLAGS), modules: $(MODULE_PAHOLE_FLAGS)' |
		env -u MAKEFLAGS make -s -f - srctree="$source" objtree="$out" PAHOLE="$pahole" "$@" all
}

begin 'the option is off, and could be on'
has_not "$out/.config" '^CONFIG_DEBUG_INFO_BTF_FUNC_ADDR='
grep -q 'config DEBUG_INFO_BTF_FUNC_ADDR' "$tree/lib/Kconfig.debug" || fail 'the tree does not know it'

# Debian's pahole is old; what newer ones are told is asked for, too.
for version in "$(sed -n 's/^CONFIG_PAHOLE_VERSION=//p' "$out/.config")" 125 126 131; do
	for extra in '' KBUILD_EXTMOD=/module KBUILD_BUILD_TIMESTAMP=now; do
		begin "PAHOLE_FLAGS for $version ${extra:-in the tree} are those of the pristine tree"
		expect_eq "$(flags "$tree" CONFIG_PAHOLE_VERSION="$version" $extra)" \
			"$(flags "$linux/src" CONFIG_PAHOLE_VERSION="$version" $extra)"
	done
done

begin 'there is no file of plain BTF beside vmlinux'
[ ! -e "$out/vmlinux.btf" ] || fail 'there is'
