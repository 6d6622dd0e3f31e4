// SPDX-License-Identifier: GPL-2.0-only
/* Calls a kfunc of a module; vmlinux has another function of that name. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int func_addr_answer(int value) __ksym;

SEC("syscall")
int call(void *ctx)
{
	return func_addr_answer(40);
}

char _license[] SEC("license") = "GPL";
