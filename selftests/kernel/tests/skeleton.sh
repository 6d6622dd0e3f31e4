#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# NAME@FILE in skeletons that Debian's bpftool generates: libbpf looks up the names for skeletons,
# the kernel for light skeletons.
# kernels: patched debug
. /test/ktap.sh
plan 5

test=/sys/kernel/debug/bpf_func_addr_test
both='weight_09: fentry 0, fexit 3
weight_14: fentry 3, fexit 0'

# loads OBJECT: load it with a loader program, like a light skeleton
loads() {
	bpftool -d -L prog load "/test/$1.bpf.o" /sys/fs/bpf/program >/tmp/said 2>&1
}

check 'bpftool loads programs for NAME@FILE with a loader program' loads autoattach
check_not 'bpftool does not load a program for the bare name' loads bare-name
check 'loading the bare name fails with ENOENT' grep -qx 'err -2' /tmp/said

needs_fentry
if [ -e /test/skeleton ]; then
	check_eq 'a skeleton attaches to the two of 22 that it names' "$(skeleton $test/weight_*)" "$both"
	check_eq 'a light skeleton attaches to the two of 22 that it names' "$(light-skeleton $test/weight_*)" "$both"
else
	skip 'a skeleton attaches to the two of 22 that it names' 'the bpftool that generates it only reads objects in its own byte order'
	skip 'a light skeleton attaches to the two of 22 that it names' 'the bpftool that generates it only reads objects in its own byte order'
fi
