// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

struct cpufreq_policy {
	cpumask_var_t	cpus;
	unsigned int	min;
	unsigned int	max;
};

static noinline u64 cpu_callback(struct cpufreq_policy *policy)
{
	printk("policy %p\n", (void *)policy);
	return (u64)policy->max << 32 | policy->min;
}

u64 cpufreq_online(struct cpufreq_policy *policy)
{
	return cpumask_weight(policy->cpus) ? cpu_callback(policy) : 0;
}
