// SPDX-License-Identifier: GPL-2.0-only
/*
 * which_cpumask_weight - count the calls of one of several functions with the same name
 *
 *	which_cpumask_weight NAME		lists the functions with that name
 *	which_cpumask_weight NAME@FILE [SECONDS] counts the calls of one of them
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "which_cpumask_weight.skel.h"

/* Choosing needs no more than /sys/kernel/btf/vmlinux, which every user can read. */
static int list(const char *name)
{
	struct btf *btf = btf__load_vmlinux_btf();
	size_t len = strlen(name);
	__u32 id, nr = 0;

	if (!btf) {
		fprintf(stderr, "BTF of the kernel: %s\n", strerror(errno));
		return 1;
	}
	for (id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *func = btf__name_by_offset(btf, t->name_off);

		if (!btf_is_func(t) || strncmp(func, name, len) || (func[len] && func[len] != '@'))
			continue;
		printf("%6u  %s\n", id, func);
		nr++;
	}
	btf__free(btf);
	if (!nr)
		fprintf(stderr, "there is no function %s\n", name);
	return !nr;
}

static int count(const char *name, unsigned int seconds)
{
	struct which_cpumask_weight *skel = which_cpumask_weight__open();
	int err;

	if (!skel)
		return 1;
	/* the patched libbpf prints the reason, and the existing names */
	err = bpf_program__set_attach_target(skel->progs.count, 0, name);
	err = err ?: which_cpumask_weight__load(skel);
	err = err ?: which_cpumask_weight__attach(skel);
	if (err) {
		fprintf(stderr, "%s: %s\n", name, strerror(-err));
		which_cpumask_weight__destroy(skel);
		return 1;
	}
	printf("attached to %s\n", name);
	fflush(stdout);
	sleep(seconds);
	printf("%s at 0x%llx: calls counted: %llu\n", name, (unsigned long long)skel->bss->address,
	       (unsigned long long)skel->bss->calls);
	which_cpumask_weight__destroy(skel);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 3 || argv[1][0] == '-') {
		fprintf(stderr, "usage: %s NAME | NAME@FILE [SECONDS]\n", argv[0]);
		return 2;
	}
	if (argc == 2 && !strchr(argv[1], '@'))
		return list(argv[1]);
	return count(argv[1], argc == 3 ? atoi(argv[2]) : 5);
}
