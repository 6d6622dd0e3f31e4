// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

struct zone {
	long		vm_stat[4];
	const char	*name;
};

/*
 * Always called with the same delta: the body is fold_diff.constprop.0, whose
 * first two arguments still stand where the prototype puts them.
 */
static noinline long fold_diff(struct zone *zone, int item, long delta)
{
	printk("%s\n", zone->name);
	zone->vm_stat[item] += delta;
	return zone->vm_stat[item] * delta;
}

long refresh_cpu_vm_stats(struct zone *zone)
{
	return fold_diff(zone, 0, 3) + fold_diff(zone, 1, 3) + cpumask_weight(cpu_online_mask);
}
