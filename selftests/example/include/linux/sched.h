/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef EXAMPLE_SCHED_H
#define EXAMPLE_SCHED_H

#include <linux/cpumask.h>

enum sched_tunable_scaling {
	SCHED_TUNABLESCALING_NONE,
	SCHED_TUNABLESCALING_LOG,
	SCHED_TUNABLESCALING_LINEAR,
};

struct task_struct {
	volatile long		__state;
	int			prio;
	int			nr_cpus_allowed;
	struct cpumask		*cpus_ptr;
	struct cpumask		cpus_mask;
	struct list_head	tasks;
	struct task_struct	*parent;
	char			comm[16];
	union {
		u64		runtime;
		struct {
			u32	low;
			u32	high;
		};
	};
};

struct rq {
	spinlock_t		lock;
	unsigned int		nr_running;
	struct task_struct	*curr;
	int			cpu;
};

struct sched_domain {
	struct sched_domain	*parent;
	struct sched_domain	*child;
	int			level;
	int			flags;
};

DECLARE_PER_CPU(struct rq, runqueues);

#endif /* EXAMPLE_SCHED_H */
