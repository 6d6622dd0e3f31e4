#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The 22 cpumask_weight() of a module, which is the kernel's test object: attach by id, as in
# weight.sh, and by name.
# kernels: patched debug
. /test/ktap.sh
needs_fentry
plan 8

module=bpf_func_addr_test
own=/sys/kernel/debug/bpf_func_addr_test

# called NAME: read all files, and print the weight_NN.c whose calls a program at NAME saw
called() {
	selector -t "$1" fentry $own/weight_* ${own}_m/weight_* 2>/tmp/said |
		sed "s|${own}_m/|module/|g; s|$own/|kernel/|g"
}

# This loads the module, and does not unload it.
check 'by id, each of 22 fentry programs only sees calls of its own function' \
	env MODULES=/files /test/guest-test weight-module

check 'one tracing_multi link sees the calls of all 22' \
	env MODULES=/files /test/guest-test multi-module

bpftool -B /sys/kernel/btf/vmlinux btf dump file /sys/kernel/btf/$module |
	sed -n "s/.*FUNC '\(cpumask_weight[^']*\)'.*/\1/p" | sort >/tmp/names
check_eq 'BTF of the module has 22 names' "$(sed 's|@.*/|@|' /tmp/names)" "$(seq -w 22 | sed 's|.*|cpumask_weight@weight_&.c|')"
seventh=$(sed -n 7p /tmp/names)
check_eq 'MODULE:NAME@FILE selects one of the 22 in the module' "$(called "$module:$seventh")" module/weight_07
# kbuild of Linux 7.2 gives it the kernel's name, so the kernel's function is found first.
case $seventh in
*@lib/*)	without=kernel/weight_07 ;;
*)		without=module/weight_07 ;;
esac
check_eq "without MODULE:, NAME@FILE selects a function in vmlinux first" "$(called "$seventh")" $without
check_eq "NAME@FILE selects a function of vmlinux" "$(called cpumask_weight@lib/func_addr_test/weight_07.c)" kernel/weight_07
check_eq "a name without a file selects none of the module's 22" "$(called $module:cpumask_weight)" 'target: ESRCH'
check_eq 'the error lists the functions of the module' "$(sed -n "s/^libbpf:   $module://p" /tmp/said | sort)" "$(cat /tmp/names)"
