// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

/* Same name as in drivers/cpufreq/cpufreq.c, another prototype. */
static noinline int cpu_callback(struct cpumask *attrs, int node)
{
	return cpumask_weight(attrs) > (unsigned int)node;
}

int wq_calc_node_cpumask(struct cpumask *attrs, int node)
{
	return cpu_callback(attrs, node);
}
