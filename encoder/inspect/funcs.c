// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <sys/param.h>

#include "inspect/funcs.h"
#include "util/memory.h"

int compare_names(const struct func *a, const struct func *b)
{
	return memcmp(a->full, b->full, MIN(a->name_len, b->name_len)) ?:
	       cmp_int(a->name_len, b->name_len);
}

static int compare_instances(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	return compare_names(x, y) ?: strcmp(x->full, y->full) ?: cmp_int(x->id, y->id);
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
	return insts;
}

void funcs__free(struct funcs *insts)
{
	if (!insts)
		return;
	free(insts->array);
	free(insts);
}
