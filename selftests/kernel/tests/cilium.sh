#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# NAME@FILE with an unmodified cilium/ebpf: its AttachTo attaches to
# each of the 22 cpumask_weight() alone, and to none by the bare name.
# kernels: patched debug
. /test/ktap.sh

if [ -e /files/skip ]; then
	plan 1
	skip 'cilium/ebpf' "$(cat /files/skip)"
	exit
fi
needs_fentry
plan 6

weights=$(seq -w 22)
name=cpumask_weight@lib/func_addr_test
files=$(echo "$weights" | sed 's|^|/sys/kernel/debug/bpf_func_addr_test/weight_|')

# called TYPE NAME...: which files led to how many calls of a program at each NAME
# shellcheck disable=SC2086 # several files
called() {
	/files/cilium "$@" -- $files 2>&1
}

# shellcheck disable=SC2046 # several names
each() {
	called "$1" $(echo "$weights" | sed "s|.*|$name/weight_&.c|") | diff /tmp/each -
}

# each file is read three times, and calls its own one with each
echo "$weights" | sed "s|.*|$name/weight_&.c: weight_&=3|" >/tmp/each
check_eq 'there are 22' "$(sort -u /tmp/each | wc -l)" 22
check 'fentry on each of 22 sees the calls of that one alone, and all of them' each fentry
check 'fexit, too' each fexit
check_eq 'the bare name is not found: fentry' "$(called fentry cpumask_weight)" \
	'cpumask_weight: not supported'
check_eq 'fexit' "$(called fexit cpumask_weight)" 'cpumask_weight: not supported'
check_eq 'nor is one of no such file' "$(called fentry $name/a.c)" "$name/a.c: not supported"
