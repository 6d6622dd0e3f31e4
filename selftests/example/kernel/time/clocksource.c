// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

struct clocksource {
	u64 (*read)(struct clocksource *cs);
	const char	*name;
	int		rating:24;
	unsigned int	unstable:1;
};

u64 clocksource_verify_percpu(struct clocksource *cs)
{
	return cpumask_weight(cpu_online_mask) > 1 ? cs->read(cs) : 0;
}
