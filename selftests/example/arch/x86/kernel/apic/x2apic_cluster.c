// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

/* Same name as in arch/x86/mm/tlb.c, both __init: two instances, both freed. */
static noinline int __init param_setup(char *str)
{
	return str ? *str : 0;
}

int __init x2apic_cluster_probe(char *cmdline)
{
	return param_setup(cmdline) && cpumask_weight(cpu_possible_mask) > 8;
}
