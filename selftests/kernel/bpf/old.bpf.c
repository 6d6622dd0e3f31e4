// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that was written before these patches: types by CO-RE, a target by name, an
 * iterator. The section names with files are the exception.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct {
	int pid;
	int tgid;
	char comm[16];
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
	__u64 session_id;
	__u64 seq_num;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct filename {
	const char *name;
};

#pragma clang attribute pop

int caller;
int calls;
char name[64];

SEC("fentry/filename_lookup")
int BPF_PROG(looked_up, int dfd, struct filename *filename)
{
	if ((int)bpf_get_current_pid_tgid() != caller)
		return 0;
	calls++;
	bpf_probe_read_kernel_str(name, sizeof(name), filename->name);
	return 0;
}

int module_calls;
int module_value;

SEC("fentry/target_call")
int BPF_PROG(module_called, int value)
{
	module_calls++;
	module_value = value;
	return 0;
}

SEC("iter/task")
int tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (task)
		BPF_SEQ_PRINTF(ctx->meta->seq, "%d %s\n", task->pid, task->comm);
	return 0;
}

int file_calls;

static int count_file(void)
{
	if ((int)bpf_get_current_pid_tgid() == caller)
		file_calls++;
	return 0;
}

SEC("fentry/filename_lookup@fs/namei.c")
int fentry_file(void *ctx)
{
	return count_file();
}

SEC("kprobe/filename_lookup@no/such.c")
int kprobe_file(void *ctx)
{
	return count_file();
}

SEC("kprobe/type_show@net/core/net-sysfs.c")
int kprobe_ambiguous(void *ctx)
{
	return count_file();
}

char _license[] SEC("license") = "GPL";
