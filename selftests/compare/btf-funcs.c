// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf-funcs BASE FILE...: the functions of split BTF, compared with the
 * functions of its base.
 *
 * One line for each FUNC of each FILE: the file, the name, and
 *
 *	fold	the base has a FUNC with that name and the same prototype:
 *		btf__dedup() would merge them
 *	name	the base has FUNCs with that name, and they have other prototypes
 *	-	the base has no such FUNC
 */
#include <stdlib.h>
#include <string.h>

#include "raw.h"

/* The base's FUNCs, by name. */
static struct func {
	const char	*name;
	uint32_t	proto;
} *funcs;
static uint32_t nr_funcs;

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct func *)a)->name, ((const struct func *)b)->name);
}

static void read_base(const struct btf *base)
{
	uint32_t id;

	funcs = alloc(base->nr, sizeof(*funcs));
	for (id = 1; id < base->nr; id++) {
		const uint32_t *t = type_of(base, id);

		if (kind_of(t) == FUNC)
			funcs[nr_funcs++] = (struct func){ string_at(base, t[0]), t[2] };
	}
	qsort(funcs, nr_funcs, sizeof(*funcs), by_name);
}

static const char *place(const char *name, uint32_t proto)
{
	struct func key = { name, 0 }, *f, *end = funcs + nr_funcs;

	f = bsearch(&key, funcs, nr_funcs, sizeof(key), by_name);
	if (!f)
		return "-";
	while (f > funcs && !strcmp(f[-1].name, name))
		f--;
	for (; f < end && !strcmp(f->name, name); f++)
		if (f->proto == proto)
			return "fold";
	return "name";
}

static void print_file(const char *path, const struct btf *base)
{
	struct btf *btf = btf_read_split(path, base);
	uint32_t id;

	for (id = btf->first; id < btf->nr; id++) {
		const uint32_t *t = type_of(btf, id);
		const char *name = string_at(btf, t[0]);

		if (kind_of(t) == FUNC)
			printf("%s\t%s\t%s\n", path, name, place(name, t[2]));
	}
	free(btf->word);
	free(btf->at);
	free(btf->strs);
	free(btf);
}

int main(int argc, char **argv)
{
	const struct btf *base;
	int i;

	if (argc < 3) {
		fputs("Usage: btf-funcs BASE FILE...\n", stderr);
		return 2;
	}
	base = btf_read(argv[1]);
	read_base(base);
	for (i = 2; i < argc; i++)
		print_file(argv[i], base);
	return 0;
}
