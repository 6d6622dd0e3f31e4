#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# add-functions.sh TREE: adds func_addr_test/, functions that share a name, to lib/ of a kernel's source,
# where the guest tests expect them. patched.sh does this, too.
set -eu
tree=$1
dir=lib/func_addr_test

[ ! -e "$tree/$dir" ] || { echo "${0##*/}: $tree/$dir already exists" >&2; exit 1; }
cp -r "$(dirname "$0")/func_addr_test" "$tree/$dir"
# shellcheck disable=SC2016 # make expands it
echo 'obj-$(CONFIG_BPF_FUNC_ADDR_TEST) += func_addr_test/' >>"$tree/lib/Makefile"
echo "source \"$dir/Kconfig\"" >>"$tree/lib/Kconfig.debug"
