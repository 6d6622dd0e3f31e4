// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched.h>

/*
 * The compiler passes what the function reads, the level, not the pointer its
 * caller has: the body is sched_domain_debug_one.isra.0, and the first argument
 * is not what the prototype says.
 */
static noinline int sched_domain_debug_one(struct sched_domain *sd, unsigned int cpus)
{
	return printk("domain-%d: cpus=%u\n", sd->level, cpus);
}

/* Overridden by arch/x86/kernel/smpboot.c: two bodies in DWARF, one in the image. */
int __weak arch_update_cpu_topology(void)
{
	return 0;
}

int sched_domain_debug(struct sched_domain *sd, struct cpumask *mask)
{
	int ret = 0;

	for (; sd; sd = sd->parent)
		ret |= sched_domain_debug_one(sd, cpumask_weight(mask));
	return ret | arch_update_cpu_topology();
}
