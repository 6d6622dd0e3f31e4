// SPDX-License-Identifier: GPL-2.0-only
/* Counts; where, count_calls.c says. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

long calls;

/* with a slash, as some loaders know no other form */
SEC("kprobe/")
int count(void *ctx)
{
	__sync_fetch_and_add(&calls, 1);
	return 0;
}

SEC("kprobe.multi")
int count_multi(void *ctx)
{
	__sync_fetch_and_add(&calls, 1);
	return 0;
}

char _license[] SEC("license") = "GPL";
