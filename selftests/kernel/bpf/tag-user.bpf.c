// SPDX-License-Identifier: GPL-2.0-only
/* Reads memory of user space through an argument that the kernel's BTF tags as "user". */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

int value;

SEC("fentry/__sys_getsockname")
int read_user(unsigned long long *ctx)
{
	value = *(unsigned short *)ctx[1];
	return 0;
}

char _license[] SEC("license") = "GPL";
