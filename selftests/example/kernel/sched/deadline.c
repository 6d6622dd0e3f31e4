// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched.h>

struct dl_bw {
	spinlock_t	lock;
	u64		bw;
	u64		total_bw;
};

bool dl_bw_cpus_enough(const struct dl_bw *dl_b, const struct cpumask *span)
{
	return dl_b->total_bw <= dl_b->bw * cpumask_weight(span);
}
