// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched.h>

DEFINE_PER_CPU(struct rq, runqueues);

unsigned int nr_cpu_ids = NR_CPUS;

int set_cpus_allowed(struct task_struct *p, const struct cpumask *new_mask)
{
	p->cpus_mask = *new_mask;
	p->nr_cpus_allowed = cpumask_weight(new_mask);
	return p->nr_cpus_allowed ? 0 : -22;
}

int select_fallback_rq(int cpu, struct task_struct *p)
{
	if (cpumask_weight(p->cpus_ptr) == 1)
		return cpu;
	return runqueues.cpu;
}

void __init sched_init(void)
{
	runqueues.nr_running = 0;
	runqueues.curr = NULL;
}
