// SPDX-License-Identifier: GPL-2.0-only
/* Reads through a per-CPU pointer, which the kernel's BTF tags as "percpu". */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct pcpu_lstats;
struct net_device {
	struct pcpu_lstats *lstats;
} __attribute__((preserve_access_index));

int value;

SEC("fentry/dev_get_stats")
int read_percpu(unsigned long long *ctx)
{
	struct net_device *dev = (void *)ctx[0];

	value = *(int *)dev->lstats;
	return 0;
}

char _license[] SEC("license") = "GPL";
