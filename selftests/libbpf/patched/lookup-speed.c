// SPDX-License-Identifier: GPL-2.0-only
/*
 * lookup-speed [BTF]: how long it takes to find the FUNC that a name selects, as
 * ratio to btf__find_by_name_kind(), which stops at the first one.  Without BTF,
 * in 50,000 functions among 64,000 types, laid out as pahole does (each function
 * behind types that it brought) and as abtf does (in one run behind all types).
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <linux/btf.h>
#include <btf.h>
#include <func_selector.h>

#define FUNCS	50000
#define TYPES	64000
#define STEP	331	/* every such ID, if it is a FUNC */
#define MAX_NAMES 1000
#define ROUNDS	15

/* CPU time in seconds */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Names as a kernel's: words that many of them share, then what is their own. */
static const char *make_name(const char *kind, unsigned int i)
{
	static const char *const words[] = {
		"get", "set", "probe", "show", "store", "init", "exit", "alloc", "free", "read",
		"write", "open", "release", "poll", "map", "unmap", "lock",
	};
	static char name[64];
	unsigned int h = i * 2654435761U;

	snprintf(name, sizeof(name), "%s_%s_%s_%x", kind, words[h % 17], words[(h >> 8) % 17], i);
	return name;
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char **)a, *(char **)b);
}

/* As read from a file, not as libbpf built it. */
static struct btf *reread(struct btf *btf)
{
	__u32 size;
	const void *data = btf__raw_data(btf, &size);
	struct btf *copy = btf__new(data, size);

	btf__free(btf);
	return copy;
}

static struct btf *make_btf(bool one_run)
{
	struct btf *btf = btf__new_empty();
	char **names = calloc(FUNCS, sizeof(*names));
	unsigned int i, func = 0;

	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	btf__add_func_proto(btf, 1);
	for (i = 0; i < FUNCS; i++)
		names[i] = strdup(make_name("f", i));
	if (one_run)
		qsort(names, FUNCS, sizeof(*names), cmp_names);

	for (i = 0; i < TYPES; i++) {
		switch (i % 4) {
		case 0:
			btf__add_ptr(btf, 1);
			break;
		case 1:
			btf__add_typedef(btf, make_name("t", i), 1);
			break;
		case 2:
			btf__add_func_proto(btf, 1);
			btf__add_func_param(btf, "arg", 1);
			btf__add_func_param(btf, "len", 1);
			break;
		case 3:
			btf__add_struct(btf, make_name("s", i), 8);
			btf__add_field(btf, "first", 1, 0, 0);
			btf__add_field(btf, "second", 1, 32, 0);
			break;
		}
		/* more than none and fewer than two for each type, in no fixed rhythm */
		while (!one_run && func < FUNCS &&
		       (unsigned long long)func * TYPES < (unsigned long long)i * FUNCS +
							  i * 2654435761U % TYPES)
			btf__add_func(btf, names[func++], BTF_FUNC_STATIC, 2);
	}
	while (func < FUNCS)
		btf__add_func(btf, names[func++], BTF_FUNC_STATIC, 2);

	for (i = 0; i < FUNCS; i++)
		free(names[i]);
	free(names);
	return reread(btf);
}

static int find(const struct btf *btf, const char *name)
{
	struct func_selector sel;
	int id = func_selector__parse(&sel, name);

	if (id)
		return id;
	id = func_selector__find(&sel, btf);
	func_selector__free(&sel);
	return id;
}

/*
 * For each name the best of all rounds, as what else the machine does can only
 * make it longer; then the sum of all names.
 */
static int measure(const struct btf *btf, const char *what)
{
	static double stock[MAX_NAMES], ours[MAX_NAMES];
	double stock_sum = 0, ours_sum = 0;
	__u32 cnt = btf__type_cnt(btf), i;
	int round, names = 0, n;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 1, n = 0; i < cnt && n < MAX_NAMES; i += STEP) {
			const struct btf_type *t = btf__type_by_id(btf, i);
			const char *name = btf__name_by_offset(btf, t->name_off);
			double start, middle, end;
			int stock_id, id;

			if (!btf_is_func(t))
				continue;
			start = now();
			stock_id = btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
			middle = now();
			id = find(btf, name);
			end = now();
			if (id != stock_id && id != -EADDRNOTAVAIL) {
				printf("%s: %s is %d, but %d for libbpf\n", what, name, id, stock_id);
				return 1;
			}
			if (round == 0 || middle - start < stock[n])
				stock[n] = middle - start;
			if (round == 0 || end - middle < ours[n])
				ours[n] = end - middle;
			n++;
		}
		names = n;
	}
	for (n = 0; n < names; n++) {
		stock_sum += stock[n];
		ours_sum += ours[n];
	}
	printf("%s: %d names, stock %.0f us, selector %.0f us, ratio %.2f\n", what, names,
	       stock_sum / names * 1e6, ours_sum / names * 1e6, ours_sum / stock_sum);
	return 0;
}

int main(int argc, char **argv)
{
	struct btf *btf;
	int err = 0;

	if (argc > 1) {
		btf = btf__parse(argv[1], NULL);
		if (!btf) {
			fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
			return 1;
		}
		err = measure(btf, argv[1]);
		btf__free(btf);
		return err;
	}

	btf = make_btf(false);
	err |= measure(btf, "among types");
	btf__free(btf);
	btf = make_btf(true);
	err |= measure(btf, "in one run");
	btf__free(btf);
	return err;
}
