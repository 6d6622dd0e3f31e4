// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

static noinline void __exit microcode_exit(void)
{
	printk("microcode: released on %u CPUs\n", cpumask_weight(cpu_online_mask));
}

bool microcode_ready(const struct cpumask *offline)
{
	return !cpumask_weight(offline);
}
