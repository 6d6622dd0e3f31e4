#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A module is loaded again while the patched libbpf reads its BTF and the table of its functions:
# ids from the old BTF must not be looked up in the new table.
# kernels: patched debug
. /test/ktap.sh
plan 4

kmod=bpf_func_addr_test_kmod
dir=/sys/kernel/debug/$kmod
twin=$kmod:func_addr_twin@lib/func_addr_test/twin_2.c

# twin [MOMENT]: print the files whose reading called the program, if the module is loaded again at
# MOMENT
twin() {
	RELOAD=${1:+$kmod} RELOAD_AT=${1:-} \
		reload -t "$twin" kprobe $dir/call_twin_1 $dir/call_twin_2 $dir/call_twin_3 2>/tmp/said | sed "s|$dir/||g"
}

modprobe $kmod
check_eq 'a module that is not loaded again: the function is found' "$(twin)" call_twin_2
check_eq 'a module that is loaded again before libbpf reads its BTF: an error' "$(twin open)" 'attach: EIO'
check_eq 'a module that is loaded again before libbpf reads the table: an error' "$(twin read)" 'attach: EIO'
check_eq 'afterwards: the function is found' "$(twin)" call_twin_2
