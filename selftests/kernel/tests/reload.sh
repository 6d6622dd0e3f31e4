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
check_eq 'the function is found if the module is not reloaded' "$(twin)" call_twin_2
check_eq 'attaching fails if the module is reloaded before libbpf reads its BTF' "$(twin open)" 'attach: EIO'
check_eq 'attaching fails if the module is reloaded before libbpf reads the table' "$(twin read)" 'attach: EIO'
check_eq 'the function is found after the module was reloaded' "$(twin)" call_twin_2
