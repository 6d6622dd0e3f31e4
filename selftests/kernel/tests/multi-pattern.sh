#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tracing_multi by libbpf's pattern: all 22 cpumask_weight() by one link, or some of them.
# kernels: patched debug
. /test/ktap.sh
plan 6
test=/sys/kernel/debug/bpf_func_addr_test

# called PATTERN [KIND]: print the number of each function whose calls the program saw
called() {
	selector "${2:-fentry}.multi/$1" $test/weight_* 2>/tmp/said | sed "s|$test/weight_||g"
}

if ! grep -q ' bpf_trampoline_multi_attach$' /proc/kallsyms; then
	for i in 1 2 3 4 5 6; do
		skip "pattern $i" 'this kernel has no tracing_multi links'
	done
	exit
fi
all=$(cd $test && echo weight_* | sed 's/weight_//g')
check_eq 'there are 22 functions' "$(echo "$all" | wc -w)" 22
check_eq 'fentry: a pattern selects all 22 functions' "$(called 'cpumask_weight*')" "$all"
check_eq 'fentry: a pattern selects ten functions' "$(called 'cpumask_weight@*weight_1?.c')" '10 11 12 13 14 15 16 17 18 19'
check_eq 'fexit: a pattern selects ten functions' "$(called 'cpumask_weight@*weight_1?.c' fexit)" '10 11 12 13 14 15 16 17 18 19'
saw=$(called 'cpumask_weight@*weight_1?.c' fsession)
if [ "$saw" = 'load: EOPNOTSUPP' ]; then
	skip 'fsession: a pattern selects ten functions' 'the JIT has no sessions'
else
	check_eq 'fsession: a pattern selects ten functions' "$saw" '10 11 12 13 14 15 16 17 18 19'
fi
check_eq 'a pattern that matches no file is an error' "$(called 'cpumask_weight@*weight_23.c')" 'attach: EINVAL'
