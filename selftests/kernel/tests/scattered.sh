#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel removes addresses from BTF even if FUNCs are not adjacent.
# kernels: patched debug
. /test/ktap.sh
plan 3

btf=/sys/kernel/btf/vmlinux
check 'FUNCs are not contiguous in BTF' [ "$(cat /files/nr_places)" -gt 1 ]
check 'the file in sysfs is the output of "abtf strip"' cmp $btf /files/plain.btf
read -r id name </files/last
# Without fentry, it cannot be attached.
loaded() {
	attach "$1" >/tmp/attached || grep '^attach: ' /tmp/attached
}
check "a program is loaded for the last FUNC, $name, by its id" loaded "$id"
