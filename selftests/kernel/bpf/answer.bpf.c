// SPDX-License-Identifier: GPL-2.0-only
/* Calls kfuncs of a module that has other functions of their names. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int answer_same(int value) __ksym;
extern int answer_differ(int value) __ksym;

SEC("syscall")
int call(void *ctx)
{
	return answer_same(38) + answer_differ(0);
}

char _license[] SEC("license") = "GPL";
