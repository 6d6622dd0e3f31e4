// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched.h>

/* Recursive through a function pointer, and an array of two dimensions. */
struct rt_bandwidth {
	u64			rt_runtime;
	u32			history[4][8];
	void (*period_timer)(struct rt_bandwidth *rt_b, int overrun);
};

u64 balance_runtime(struct rt_bandwidth *rt_b, const struct cpumask *span)
{
	unsigned int weight = cpumask_weight(span);

	rt_b->period_timer(rt_b, 0);
	rt_b->history[weight & 3][weight & 7]++;
	return rt_b->rt_runtime * weight;
}
