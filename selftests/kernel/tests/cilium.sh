#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# NAME@FILE with an unmodified cilium/ebpf: a program attaches to each of 22 cpumask_weight() by
# AttachTo and by its address, and to none by the bare name, with one exception.
# clients/sid-cilium.sh runs this with a newer version.
# kernels: patched debug
. /test/ktap.sh

if [ -e /files/skip ]; then
	plan 1
	skip 'cilium/ebpf' "$(cat /files/skip)"
	exit
fi
needs_fentry
plan 14

weights=$(seq -w 22)
name=cpumask_weight@lib/func_addr_test
files=$(echo "$weights" | sed 's|^|/sys/kernel/debug/bpf_func_addr_test/weight_|')

# called TYPE NAME...: print the files that called a program at each NAME, and the number of calls
# shellcheck disable=SC2086 # several files
called() {
	/files/cilium "$@" -- $files 2>&1
}

# shellcheck disable=SC2046 # several names
each() {
	called "$1" $(echo "$weights" | sed "s|.*|$name/weight_&.c|") | diff /tmp/each -
}

# each file is read three times, and each read calls the function of its file
echo "$weights" | sed "s|.*|$name/weight_&.c: weight_&=3|" >/tmp/each
check_eq 'there are 22 functions' "$(sort -u /tmp/each | wc -l)" 22
check 'each of 22 fentry programs sees all calls of its own function, and no others' each fentry
check 'each of 22 fexit programs sees all calls of its own function, and no others' each fexit
check_eq 'the bare name is not found: fentry' "$(called fentry cpumask_weight)" \
	'cpumask_weight: not supported'
check_eq 'the bare name is not found: fexit' "$(called fexit cpumask_weight)" 'cpumask_weight: not supported'
check_eq 'a file that does not exist is not found' "$(called fentry $name/a.c)" "$name/a.c: not supported"

check 'each of 22 kprobes at an offset sees all calls of its own function, and no others' each kprobe
check_eq 'the bare name has no offset' "$(called kprobe cpumask_weight)" 'cpumask_weight: not in BTF'
check_eq 'as a symbol, the bare name is ambiguous' "$(called kprobe@symbol cpumask_weight)" \
	'cpumask_weight: ambiguous symbol'
check 'NAME@FILE is not a symbol: kprobe' \
	eval "called kprobe@symbol $name/weight_01.c | grep 'must be a valid symbol'"

if grep -q ' register_fprobe_ips$' /proc/kallsyms; then
	check 'each of 22 kprobe.multi programs at an address sees all calls of its own function, and no others' each kprobe.multi
	two=$name/weight_03.c,$name/weight_17.c
	check_eq 'kprobe.multi at two addresses only sees calls of these two functions' "$(called kprobe.multi $two)" "$two: weight_03=3 weight_17=3"
	# The kernel uses the first symbol with that name that ftrace can patch.
	check 'kprobe.multi with the bare name as a symbol is only attached to one of the 22' \
		eval "called kprobe.multi@symbol cpumask_weight | grep -x 'cpumask_weight: weight_[0-9]*=3'"
	check_eq 'NAME@FILE is not a symbol: kprobe.multi' "$(called kprobe.multi@symbol $name/weight_01.c)" \
		"$name/weight_01.c: no such symbol"
else
	for what in each two 'bare name' NAME@FILE; do
		skip "kprobe.multi: $what" 'this kernel has no fprobes'
	done
fi
