// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "inspect/instances.h"
#include "util/msg.h"
#include "util/search.h"

bool unit_matches(const char *unit, const char *file)
{
	size_t unit_len = strlen(unit), len = strlen(file);

	if (!len || len > unit_len || strcmp(unit + unit_len - len, file))
		return false;
	return len == unit_len || unit[unit_len - len - 1] == '/';
}

const char *btf_linkage__name(uint8_t linkage)
{
	switch (linkage) {
	case BTF_FUNC_STATIC:
		return "static";
	case BTF_FUNC_GLOBAL:
		return "global";
	default:
		return "extern";
	}
}

static int compare_names(const void *a, const void *b)
{
	const struct instance *x = a, *y = b;

	return strcmp(x->name, y->name) ?: (x->id > y->id) - (x->id < y->id);
}

/*
 * By unit as read from its end, with '/' before all other characters: what
 * ends in "/core.c" stands directly behind "core.c".
 */
static int compare_units(const void *a, const void *b)
{
	const struct instance *x = *(struct instance * const *)a;
	const struct instance *y = *(struct instance * const *)b;
	size_t i = strlen(x->unit), j = strlen(y->unit);

	while (i && j) {
		unsigned char ci = x->unit[--i], cj = y->unit[--j];

		if (ci == cj)
			continue;
		if (ci == '/' || cj == '/')
			return ci == '/' ? -1 : 1;
		return ci < cj ? -1 : 1;
	}
	if (i || j)
		return i ? 1 : -1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Say which instances of a name are alone under their unit, and their rank if not. */
static void rank_units(struct instance *group, uint32_t nr, struct instance **tmp)
{
	uint32_t nr_tagged = 0, untagged = 0;

	for (uint32_t i = 0; i < nr; i++) {
		if (group[i].unit)
			tmp[nr_tagged++] = &group[i];
		else
			group[i].unit_rank = ++untagged;
	}
	qsort(tmp, nr_tagged, sizeof(*tmp), compare_units);
	for (uint32_t i = 0; i < nr_tagged; i++) {
		struct instance *prev = i ? tmp[i - 1] : NULL;
		struct instance *next = i + 1 < nr_tagged ? tmp[i + 1] : NULL;
		bool twin = prev && !strcmp(prev->unit, tmp[i]->unit);

		tmp[i]->unit_rank = twin ? prev->unit_rank + 1 : 1;
		tmp[i]->unit_picks = !twin && *tmp[i]->unit &&
				     !(next && unit_matches(next->unit, tmp[i]->unit));
	}
}

static int rank_names(struct instances *insts)
{
	struct instance **tmp = malloc((insts->nr + 1) * sizeof(*tmp));
	uint32_t end;

	if (!tmp)
		return -ENOMEM;
	for (uint32_t i = 0; i < insts->nr; i = end) {
		struct instance *group = &insts->all[i];

		end = i + 1;
		while (end < insts->nr && !strcmp(insts->all[end].name, group->name))
			end++;
		for (uint32_t k = i; k < end; k++) {
			insts->all[k].rank = k - i + 1;
			insts->all[k].nr_named = end - i;
		}
		rank_units(group, end - i, tmp);
	}
	free(tmp);
	return 0;
}

/* @by_id: position in insts->all + 1 by [id - first_id] */
static void add_tag(struct instances *insts, const uint32_t *by_id, const struct btf_type *t)
{
	const char *value = btf_data__string(insts->btf, t->name_off);
	const struct btf_decl_tag *tag = (const void *)(t + 1);
	uint32_t first = insts->btf->first_id;
	struct instance *inst;

	/* with kind_flag it is another attribute, and a component is a parameter */
	if (tag->component_idx != -1 || BTF_INFO_KFLAG(t->info) || t->type < first ||
	    !by_id[t->type - first])
		return;
	if (strncmp(value, BTF_FUNC_UNIT_PREFIX, strlen(BTF_FUNC_UNIT_PREFIX)))
		return;
	inst = &insts->all[by_id[t->type - first] - 1];
	if (!inst->nr_tags++)
		inst->unit = value + strlen(BTF_FUNC_UNIT_PREFIX);
}

static int collect(struct instances *insts)
{
	const struct btf_data *btf = insts->btf;
	uint32_t *by_id = calloc(btf->nr_types + 1, sizeof(*by_id));

	if (!by_id)
		return -ENOMEM;
	for (uint32_t i = 0; i < btf->nr_types; i++) {
		const struct btf_type *t = btf->index[i];
		uint32_t id = btf->first_id + i;

		if (BTF_INFO_KIND(t->info) != BTF_KIND_FUNC)
			continue;
		insts->all[insts->nr++] = (struct instance){
			.name = btf_data__string(btf, t->name_off),
			.record = btf_data__func(btf, id),
			.id = id,
			.linkage = BTF_INFO_VLEN(t->info),
		};
		by_id[i] = insts->nr;
	}
	for (uint32_t i = 0; i < btf->nr_types; i++) {
		if (BTF_INFO_KIND(btf->index[i]->info) == BTF_KIND_DECL_TAG)
			add_tag(insts, by_id, btf->index[i]);
	}
	free(by_id);
	return 0;
}

int instances__new(const struct btf_data *btf, struct instances **ret)
{
	struct instances *insts = calloc(1, sizeof(*insts));
	int err = -ENOMEM;

	*ret = NULL;
	if (!insts)
		goto error;
	insts->btf = btf;
	insts->all = calloc(btf->nr_funcs + 1UL, sizeof(*insts->all));
	if (!insts->all)
		goto error;
	err = collect(insts);
	if (err)
		goto error;
	qsort(insts->all, insts->nr, sizeof(*insts->all), compare_names);
	err = rank_names(insts);
	if (err)
		goto error;
	*ret = insts;
	return 0;

error:
	msg_error("out of memory");
	instances__free(insts);
	return err;
}

void instances__free(struct instances *insts)
{
	if (!insts)
		return;
	free(insts->all);
	free(insts);
}

const struct instance *instances__named(const struct instances *insts, const char *name,
					uint32_t *nr)
{
	uint32_t i = first_not_before(at, insts->nr, strcmp(insts->all[at].name, name) < 0);

	*nr = 0;
	if (i < insts->nr && !strcmp(insts->all[i].name, name))
		*nr = insts->all[i].nr_named;
	return &insts->all[i];
}
