// SPDX-License-Identifier: GPL-2.0-only
/* A program for a name that 22 functions share, so it is not found. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("fentry/cpumask_weight")
int enter(void *ctx)
{
	return 0;
}

char _license[] SEC("license") = "GPL";
