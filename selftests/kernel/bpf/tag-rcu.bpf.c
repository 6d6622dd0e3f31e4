// SPDX-License-Identifier: GPL-2.0-only
/* Reads through a pointer that the kernel's BTF tags as "rcu", and that no list in the verifier names. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct sighand_struct;
struct task_struct {
	struct sighand_struct *sighand;
} __attribute__((preserve_access_index));

int value;

SEC("fentry/__sys_getsockname")
int read_rcu(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct sighand_struct *sighand = task->sighand;

	value = sighand ? *(int *)sighand : 0;
	return 0;
}

char _license[] SEC("license") = "GPL";
