// SPDX-License-Identifier: GPL-2.0-only
/*
 * which_cpumask_weight - count the calls of one of the functions of a name
 *
 *	which_cpumask_weight NAME		lists the functions of that name
 *	which_cpumask_weight SELECTOR [SECONDS]	counts the calls of one of them
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
	LIBBPF_OPTS(btf_func_iter_opts, opts, .runtime_addrs = true);
	const struct btf_func_instance *func;
	struct btf *btf = btf__load_vmlinux_btf();
	struct btf_func_iter *it = NULL;
	int nr = 0;

	if (btf)
		it = btf_func_iter__new(btf, name, &opts);
	if (!it) {
		fprintf(stderr, "BTF of the kernel: %s\n", strerror(errno));
		btf__free(btf);
		return 1;
	}
	while ((func = btf_func_iter__next(it))) {
		printf("%6u  %s\n", func->id, func->selector);
		nr++;
	}
	btf_func_iter__free(it);
	btf__free(btf);
	if (!nr)
		fprintf(stderr, "there is no function %s\n", name);
	return !nr;
}

static int count(const char *selector, unsigned int seconds)
{
	struct which_cpumask_weight *skel = which_cpumask_weight__open();
	int err;

	if (!skel)
		return 1;
	/* libbpf says what is wrong, and which selectors there are */
	err = bpf_program__set_attach_target(skel->progs.count, 0, selector);
	err = err ?: which_cpumask_weight__load(skel);
	err = err ?: which_cpumask_weight__attach(skel);
	if (err) {
		fprintf(stderr, "%s: %s\n", selector, strerror(-err));
		which_cpumask_weight__destroy(skel);
		return 1;
	}
	printf("attached to %s\n", selector);
	fflush(stdout);
	sleep(seconds);
	printf("%s at 0x%llx: calls counted: %llu\n", selector, (unsigned long long)skel->bss->address,
	       (unsigned long long)skel->bss->calls);
	which_cpumask_weight__destroy(skel);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 3 || argv[1][0] == '-') {
		fprintf(stderr, "usage: %s NAME | SELECTOR [SECONDS]\n", argv[0]);
		return 2;
	}
	if (argc == 2 && !strchr(argv[1], '@'))
		return list(argv[1]);
	return count(argv[1], argc == 3 ? atoi(argv[2]) : 5);
}
