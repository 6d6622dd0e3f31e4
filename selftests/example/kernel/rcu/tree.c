// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

struct rcu_data {
	unsigned long	gp_seq;
	bool		cpu_started;
	struct rcu_data	*nocb_next;
};

static DEFINE_PER_CPU(struct rcu_data, rcu_data) __used;

/* Same name and prototype as in net/core/dev.c. */
static noinline void init_once(void *data)
{
	((struct rcu_data *)data)->gp_seq = 0;
}

void rcutree_prepare_cpu(unsigned int cpu, void (**ctor)(void *data))
{
	rcu_data.cpu_started = cpu < cpumask_weight(cpu_possible_mask);
	*ctor = init_once;
}
