// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched.h>

struct cfs_rq {
	u64		min_vruntime;
	unsigned int	nr_running;
	struct rq	*rq;
};

enum sched_tunable_scaling sysctl_sched_tunable_scaling = SCHED_TUNABLESCALING_LOG;

unsigned int get_update_sysctl_factor(const struct cpumask *online)
{
	unsigned int cpus = cpumask_weight(online);

	switch (sysctl_sched_tunable_scaling) {
	case SCHED_TUNABLESCALING_NONE:
		return 1;
	case SCHED_TUNABLESCALING_LINEAR:
		return cpus;
	default:
		return 1 + (cpus > 1) + (cpus > 2);
	}
}

u64 min_vruntime(const struct cfs_rq *cfs_rq)
{
	return cfs_rq->min_vruntime;
}
