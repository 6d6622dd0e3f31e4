// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

enum rdt_group_type {
	RDTCTRL_GROUP,
	RDTMON_GROUP,
};

struct rdtgroup {
	struct list_head	rdtgroup_list;
	enum rdt_group_type	type;
	struct cpumask		cpu_mask;
};

unsigned int rdtgroup_cpus(const struct rdtgroup *rdtgrp)
{
	return rdtgrp->type == RDTCTRL_GROUP ? cpumask_weight(&rdtgrp->cpu_mask) : 0;
}
