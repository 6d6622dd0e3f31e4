// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "inspect/funcs.h"
#include "util/memory.h"

static int compare_parts(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return memcmp(a, b, a_len < b_len ? a_len : b_len) ?: cmp_int(a_len, b_len);
}

int compare_names(const struct func *a, const struct func *b)
{
	return compare_parts(a->full, a->name_len, b->full, b->name_len);
}

static int compare_instances(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	return compare_names(x, y) ?: strcmp(x->full, y->full) ?: cmp_int(x->id, y->id);
}

static void count_named(struct funcs *insts)
{
	uint32_t end;

	for (uint32_t i = 0; i < insts->nr; i = end) {
		end = i + 1;
		while (end < insts->nr && !compare_names(&insts->array[end], &insts->array[i]))
			end++;
		for (uint32_t k = i; k < end; k++)
			insts->array[k].nr_named = end - i;
	}
}

struct funcs *funcs__new(const struct btf_data *btf)
{
	struct funcs *insts = xcalloc(1, sizeof(*insts));

	insts->btf = btf;
	for (uint32_t i = 0; i < btf->nr_types; i++) {
		const struct btf_type *t = btf->index[i];
		const char *name = btf_data__string(btf, t->name_off);
		uint32_t len;

		if (BTF_INFO_KIND(t->info) != BTF_KIND_FUNC)
			continue;
		len = strcspn(name, "@");
		push(insts, (struct func){
			.full = name, .name_len = len,
			.file = name[len] ? name + len + 1 : NULL,
			.record = btf_data__func(btf, btf->first_id + i),
			.id = btf->first_id + i, .linkage = BTF_INFO_VLEN(t->info) });
		insts->nr_with_file += name[len] != '\0';
	}
	vector__sort(insts, compare_instances);
	count_named(insts);
	return insts;
}

void funcs__free(struct funcs *insts)
{
	if (!insts)
		return;
	free(insts->array);
	free(insts);
}

const struct func *funcs__named(const struct funcs *insts, const char *name,
					size_t len, uint32_t *nr)
{
	const struct func *f = insts->array, *first;
	uint32_t i = first_not_before(at, insts->nr,
				      compare_parts(f[at].full, f[at].name_len, name, len) < 0);

	*nr = 0;
	first = &f[i];
	if (i < insts->nr && !compare_parts(first->full, first->name_len, name, len))
		*nr = first->nr_named;
	return first;
}

