#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# NAME@FILE in skeletons of unstable's bpftool, built with unstable's libbpf.
# kernels: patched
. /test/ktap.sh
PATH=/files/bin:$PATH
plan 2

both='weight_09: fentry 0, fexit 3
weight_14: fentry 3, fexit 0'
weights=/sys/kernel/debug/bpf_func_addr_test/weight_

check_eq 'a skeleton attaches to the two of 22 that it names' "$(skeleton $weights*)" "$both"
light=$(light-skeleton $weights* 2>/tmp/said)
if grep -q 'Argument list too long' /tmp/said; then
	skip 'a light skeleton attaches to the two of 22 that it names' 'it passes attributes that this kernel does not know'
else
	check_eq 'a light skeleton attaches to the two of 22 that it names' "$light" "$both"
fi
