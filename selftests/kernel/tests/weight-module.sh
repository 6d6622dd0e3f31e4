#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The 22 cpumask_weight() of a module, which is the kernel's test object built as one:
# by id, as in weight.sh, and by selector, where the kernel's own are of the same units.
# kernels: patched debug
# timeout: 360
. /test/ktap.sh
plan 8

module=bpf_func_addr_test
weights=$module:cpumask_weight@kernel/bpf/func_addr_test/weight_
own=/sys/kernel/debug/bpf_func_addr_test

# called SELECTOR: which calls of weight_NN.c, of all there are, a program there saw
called() {
	selector -t "$1" fentry $own/weight_* ${own}_m/weight_* 2>/tmp/said |
		sed "s|${own}_m/|module/|g; s|$own/|kernel/|g"
}

# It loads the module, and leaves it loaded.
check 'by id, a program at each of the 22 sees the calls of that one' \
	env MODULES=/files /test/guest-test weight-module

selector -i -m $module cpumask_weight >/tmp/instances
check_eq 'selectors of all 22' "$(awk '{ print $5 }' /tmp/instances | sort)" \
	"$(seq -w 22 | sed "s|.*|$weights&.c|")"
check_eq 'where they are' "$(awk '{ print $4 }' /tmp/instances | sort)" \
	"$(sed -n "s/ t cpumask_weight\t\[$module\]$//p" /proc/kallsyms | sort)"
check_eq 'one, by its unit' "$(called "${weights}07.c")" module/weight_07
check_eq 'by its rank' "$(called $module:cpumask_weight@22)" module/weight_22
check_eq "without the module's name it is the kernel's" \
	"$(called "${weights#"$module:"}07.c")" kernel/weight_07
check_eq "without a unit it is none, of the module's 22" "$(called $module:cpumask_weight)" \
	'target: EADDRNOTAVAIL'
check_eq 'they are listed' "$(grep -c "^libbpf:   ${weights}[0-9]*\.c$" /tmp/said)" 22
