// SPDX-License-Identifier: GPL-2.0-only
/* Programs for the skeletons in progs/skeleton.c, attached by their section names. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

long entered, left;

SEC("fentry/cpumask_weight@lib/func_addr_test/weight_14.c")
int enter_14(void *ctx)
{
	__sync_fetch_and_add(&entered, 1);
	return 0;
}

SEC("fexit/cpumask_weight@lib/func_addr_test/weight_09.c")
int leave_09(void *ctx)
{
	__sync_fetch_and_add(&left, 1);
	return 0;
}

char _license[] SEC("license") = "GPL";
