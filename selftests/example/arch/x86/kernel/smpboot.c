// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

DEFINE_PER_CPU(struct cpumask, cpu_sibling_map);
DEFINE_PER_CPU(int, cpu_number);

/* The body that wins over the weak one in kernel/sched/topology.c. */
int arch_update_cpu_topology(void)
{
	return cpumask_weight(&cpu_sibling_map) > 1;
}

/* Freed after boot. */
static noinline int __init smp_sanity_check(unsigned int max_cpus)
{
	return cpumask_weight(cpu_possible_mask) > max_cpus;
}

void __init native_smp_prepare_cpus(unsigned int max_cpus)
{
	if (smp_sanity_check(max_cpus))
		nr_cpu_ids = max_cpus;
}
