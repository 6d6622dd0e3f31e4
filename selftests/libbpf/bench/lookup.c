// SPDX-License-Identifier: GPL-2.0-only
/*
 * lookup FILE ROUNDS: how long libbpf, or with KERNEL_LOOKUP the kernel's own code, takes
 * to find a FUNC of raw BTF by its name, in nanoseconds: all are looked for, in an order
 * that has nothing to do with theirs, and the fastest round counts.  Prints the number of
 * FUNCs, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <bpf/btf.h>

#ifdef KERNEL_LOOKUP
#include "kernel-lookup.h"
#define FIND(where, name)	btf_find_by_name_kind(where, name, BTF_KIND_FUNC)
#else
#define kernel_btf		btf
#define kernel_btf_of(btf)	(btf)
#define FIND(where, name)	btf__find_by_name_kind(where, name, BTF_KIND_FUNC)
#endif

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* Sort by reversed names, so that neighbours are not neighbours in BTF. */
static int by_reversed_name(const void *pa, const void *pb)
{
	const char *a = *(char *const *)pa, *b = *(char *const *)pb;
	size_t i = strlen(a), j = strlen(b);

	while (i && j)
		if (a[--i] != b[--j])
			return a[i] - b[j];
	return i ? 1 : -!!j;
}

static int look_up_all(const struct btf *btf, const struct kernel_btf *where, char **names, int nr)
{
	int i, id;

	for (i = 0; i < nr; i++) {
		id = FIND(where, names[i]);
		if (id < 0 || strcmp(btf__name_by_offset(btf, btf__type_by_id(btf, id)->name_off),
				     names[i])) {
			fprintf(stderr, "lookup: %s: not found\n", names[i]);
			return -1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct kernel_btf *where;
	double start, best = 0;
	struct btf *btf;
	int i, nr = 0;
	char **names;

	btf = argc == 3 ? btf__parse_raw(argv[1]) : NULL;
	if (!btf) {
		fputs("Usage: lookup FILE ROUNDS\n", stderr);
		return 2;
	}
	names = calloc(btf__type_cnt(btf), sizeof(*names));
	for (i = 1; names && i < (int)btf__type_cnt(btf); i++)
		if (btf_is_func(btf__type_by_id(btf, i)))
			names[nr++] = strdup(btf__name_by_offset(btf, btf__type_by_id(btf, i)->name_off));
	where = kernel_btf_of(btf);
	if (!nr || !where)
		return 1;
	qsort(names, nr, sizeof(*names), by_reversed_name);
	for (i = atoi(argv[2]); i > 0; i--) {
		start = now();
		if (look_up_all(btf, where, names, nr))
			return 1;
		if (!best || now() - start < best)
			best = now() - start;
	}
	printf("%d FUNCs, %.0f ns\n", nr, best / nr);
	return 0;
}
