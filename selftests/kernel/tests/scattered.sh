#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# FUNCs need not stand together: the plain form is right, read in pieces or whole.
# kernels: patched debug
. /test/ktap.sh
plan 7

btf=/sys/kernel/btf/vmlinux
check 'FUNCs stand in more than one place' [ "$(cat /files/nr_places)" -gt 1 ]
check 'the plain form is what "abtf strip" makes of it' cmp $btf /files/plain.btf
check 'with addresses it is what is in the image' cmp /sys/kernel/btf_addr/vmlinux /files/addressed.btf
for size in 61 1021 70001; do
	dd if=$btf of=/tmp/pieces bs=$size 2>/dev/null
	check "read in pieces of $size bytes it is the same" cmp /tmp/pieces /files/plain.btf
done
read -r id name </files/last
check_eq "the last one, $name, is loaded for by its id" \
	"$(attach "$id" 2>/dev/null | sed 's/^attach: .*//')" ''
