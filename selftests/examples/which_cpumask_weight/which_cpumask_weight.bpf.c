// SPDX-License-Identifier: GPL-2.0-only
/* Counts the calls of the one function that user space has chosen. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

__u64 calls;	/* of the function */
__u64 address;	/* where it is */

/*
 * The name may stand here: SEC("fentry/cpumask_weight@mm/vmstat.c").  In this
 * program the user chooses, so which_cpumask_weight.c sets it before it loads.
 */
SEC("fentry")
int count(void *ctx)
{
	__sync_fetch_and_add(&calls, 1);
	address = bpf_get_func_ip(ctx);
	return 0;
}
