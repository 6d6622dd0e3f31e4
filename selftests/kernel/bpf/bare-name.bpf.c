// SPDX-License-Identifier: GPL-2.0-only
/* A name that 22 functions have, and so none. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("fentry/cpumask_weight")
int enter(void *ctx)
{
	return 0;
}

char _license[] SEC("license") = "GPL";
