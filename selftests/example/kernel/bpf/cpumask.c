// SPDX-License-Identifier: GPL-2.0-only
#include <linux/btf_ids.h>
#include <linux/cpumask.h>

struct bpf_cpumask {
	struct cpumask	cpumask;
	atomic_t	usage;
};

/* kfuncs: global, kept although nothing calls them, and listed in a set. */
__used u32 bpf_cpumask_weight(const struct cpumask *cpumask)
{
	return cpumask_weight(cpumask);
}

__used bool bpf_cpumask_empty(const struct cpumask *cpumask)
{
	return !cpumask_weight(cpumask);
}

BTF_KFUNCS_START(cpumask_kfunc_btf_ids)
BTF_ID_FLAGS(func, bpf_cpumask_weight, KF_RCU)
BTF_ID_FLAGS(func, bpf_cpumask_empty, KF_RCU)
BTF_KFUNCS_END(cpumask_kfunc_btf_ids)
