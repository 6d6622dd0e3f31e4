// SPDX-License-Identifier: GPL-2.0-only
/* Reads the first argument of the function that print_names.c selects. */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "print_names.h"

/* Declares only the member that is read. libbpf takes its offset from the BTF of the running kernel. */
struct kobject {
	const char *name;
} __attribute__((preserve_access_index));

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 256 * 1024);
} names SEC(".maps");

long lost;

SEC("kprobe/")
int BPF_KPROBE(read_name, struct kobject *kobj)
{
	char *name = bpf_ringbuf_reserve(&names, NAME_SIZE, 0);

	if (!name) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	bpf_probe_read_kernel_str(name, NAME_SIZE, BPF_CORE_READ(kobj, name));
	bpf_ringbuf_submit(name, 0);
	return 0;
}

char _license[] SEC("license") = "GPL";
