// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded into a program that uses the shared libbpf: print the CPU time that btf__dedup() takes,
 * and the number of types before and after.
 */
#include <bpf/btf.h>
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

typedef int dedup_function(struct btf *btf, const struct btf_dedup_opts *opts);

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

int btf__dedup(struct btf *btf, const struct btf_dedup_opts *opts)
{
	/* POSIX guarantees that a pointer from dlsym() can be a function */
	dedup_function *real = (dedup_function *)dlsym(RTLD_NEXT, "btf__dedup");
	unsigned int before = btf__type_cnt(btf);
	double start = cpu_seconds();
	int err = real(btf, opts);

	fprintf(stderr, "btf__dedup: %.2f s, %u types become %u\n", cpu_seconds() - start, before,
		btf__type_cnt(btf));
	return err;
}
