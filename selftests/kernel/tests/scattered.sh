#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The addresses of functions are taken out of BTF where FUNCs are not next to each other.
# kernels: patched debug
. /test/ktap.sh
plan 3

btf=/sys/kernel/btf/vmlinux
check 'FUNCs are in more than one place' [ "$(cat /files/nr_places)" -gt 1 ]
check 'the kernel shows what "abtf strip" makes of it' cmp $btf /files/plain.btf
read -r id name </files/last
check_eq "the last one, $name, is loaded for by its id" \
	"$(attach "$id" 2>/dev/null | sed 's/^attach: .*//')" ''
