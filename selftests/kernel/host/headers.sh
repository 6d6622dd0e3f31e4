#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A module built with what packages of headers hold ("make bindeb-pkg", "rpm-pkg"):
# there is no vmlinux, and BTF is made on its plain form.
# kernels: patched debug
# timeout: 300
. "${0%/*}/../../lib.sh"
. "$selftests/kernel/env.sh"

# "out" is what the last command said, too
built=$out
begin 'what is packaged has the plain form of BTF, and no vmlinux'
headers=$PWD/headers
(cd "$built" && srctree=$tree SRCARCH=x86 CC=gcc HOSTCC=gcc MAKE=make \
	"$tree/scripts/package/install-extmod-build" "$headers")
cmp "$headers/vmlinux.btf" "$built/vmlinux.btf" || fail 'it has not'
[ ! -e "$headers/vmlinux" ] || fail 'there is a vmlinux'

# build PAHOLE: target.ko
build() {
	rm -rf module
	mkdir module
	cp "$selftests/kernel/modules/target.c" module/
	echo 'obj-m := target.o' >module/Makefile
	expect 0 env -u MAKEFLAGS make -C "$headers" M="$PWD/module" PAHOLE="$1" modules
	cp module/target.ko .
	readelf -SW target.ko >sections
	has sections ' \.BTF '
}

begin 'our encoder: addresses, that hold on vmlinux, too'
build "$pahole"
has sections ' \.rela\.BTF '
expect 0 "$ABTF" check --base "$built/vmlinux" target.ko
says '0 violations'

begin 'another encoder: types of vmlinux, without addresses'
build "$(command -v pahole)"
has_not sections ' \.rela\.BTF '
expect 0 bpftool btf dump -B "$headers/vmlinux.btf" file target.ko
says " FUNC '"
