// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

struct cpumask __cpu_possible_mask, __cpu_online_mask;

/* An enum of 64 bits. */
enum cpuhp_flags {
	CPUHP_FROZEN	= 1ULL << 0,
	CPUHP_PARALLEL	= 1ULL << 40,
};

u64 cpuhp_flags(bool frozen)
{
	return frozen ? CPUHP_FROZEN : CPUHP_PARALLEL;
}

bool num_online_cpus_is(unsigned int nr)
{
	return cpumask_weight(cpu_online_mask) == nr;
}
