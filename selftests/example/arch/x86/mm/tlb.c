// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

struct mm_struct {
	u64		context;
	struct cpumask	cpu_bitmap;
};

static noinline int __init param_setup(char *str)
{
	return str && *str == 'y';
}

int __init create_tlb_single_page_flush_ceiling(char *str)
{
	return param_setup(str);
}

bool mm_is_local(const struct mm_struct *mm)
{
	return cpumask_weight(&mm->cpu_bitmap) <= 1;
}
