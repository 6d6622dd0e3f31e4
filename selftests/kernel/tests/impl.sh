#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A kfunc with implicit arguments has a second FUNC, NAME_impl, which only describes the prototype.
# It has no address, and no program can be attached by its id.
# kernels: patched debug
. /test/ktap.sh
plan 2

# ids of the FUNCs of vmlinux without a symbol with that name
bpftool btf dump file /sys/kernel/btf/vmlinux |
	sed -n "s/^\[\([0-9]*\)\] FUNC '\([A-Za-z0-9_]*_impl\)' .*/\1 \2/p" |
	while read -r id name; do
		grep -q " $name$" /proc/kallsyms || echo "$id"
	done >/tmp/ids

if ! [ -s /tmp/ids ]; then
	skip 'fentry by the id of NAME_impl is rejected' 'no kfunc has implicit arguments here'
	skip 'fentry.multi with the name NAME_impl is rejected' 'no kfunc has implicit arguments here'
	exit
fi
while read -r id; do
	attach "$id"
done </tmp/ids >/tmp/said 2>/dev/null
check_eq 'fentry by the id of NAME_impl is rejected' "$(cat /tmp/said)" "$(sed 's/.*/load: ENXIO/' /tmp/ids)"
if ! grep -q ' bpf_trampoline_multi_attach$' /proc/kallsyms; then
	skip 'fentry.multi with the name NAME_impl is rejected' 'this kernel has no tracing_multi links'
	exit
fi
check_eq 'fentry.multi with the name NAME_impl is rejected' "$(selector 'fentry.multi/bpf_wq_set_callback_impl' 2>/dev/null)" 'attach: ENXIO'
