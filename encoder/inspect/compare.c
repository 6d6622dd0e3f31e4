// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "btf/print.h"
#include "inspect/compare.h"
#include "inspect/text.h"
#include "util/memory.h"
#include "util/msg.h"

/**
 * struct candidate - an instance that wants a partner
 * @prototype:	in C
 * @key:	what partners have in common
 * @matched:	it has one
 */
struct candidate {
	const struct func	*inst;
	char			*prototype;
	const char		*key;
	bool			matched;
};

/** struct compared_side - one object, and its instances of the name at hand */
struct compared_side {
	const struct funcs	*insts;
	struct candidate	*group;
	uint32_t		nr;
	uint32_t		next;	/* in insts->all, past the group */
};

struct func_comparison {
	struct compared_side			a, b;
	const struct compare_options	*opts;
	struct compare_counts		*counts;
	FILE				*f;
	bool				first;
};

static json_t *candidate_json(const struct candidate *c)
{
	const struct btf_func *record = c ? c->inst->record : NULL;

	return !c ? json_null() :
	       json_pack("{s:I, s:o, s:o, s:o}", "id", (json_int_t)c->inst->id,
			 "name", text_json(c->inst->full), "prototype", text_json(c->prototype),
			 "offset", record ? json_integer(btf_func__offset(record)) : json_null());
}

static int print_json(struct func_comparison *cmp, const char *change, const struct candidate *a,
		      const struct candidate *b)
{
	return text_json_line(cmp->f, json_pack("{s:s, s:o, s:o, s:o}", "change", change,
						"name", text_json((b ?: a)->inst->full),
						"old", candidate_json(a),
						"new", candidate_json(b)), &cmp->first);
}

/* @a or @b is NULL for what was added or removed. */
static int print_change(struct func_comparison *cmp, const char *change, const struct candidate *a,
			const struct candidate *b)
{
	const char *name = (b ?: a)->inst->full;

	if (cmp->opts->quiet)
		return 0;
	if (cmp->opts->json)
		return print_json(cmp, change, a, b);
	if (!a || !b)
		fprintf(cmp->f, "%c %s: %s\n", a ? '-' : '+', name,
			text_clean((a ?: b)->prototype));
	else if (!strcmp(change, "prototype"))
		fprintf(cmp->f, "! %s: prototype\n    - %s\n    + %s\n", name,
			text_clean(a->prototype), text_clean(b->prototype));
	else
		fprintf(cmp->f, "! %s: address 0x%" PRIx64 " -> 0x%" PRIx64 "\n", name,
			(uint64_t)btf_func__offset(a->inst->record),
			(uint64_t)btf_func__offset(b->inst->record));
	return 0;
}

static int compare_pair(struct func_comparison *cmp, struct candidate *a, struct candidate *b)
{
	const struct btf_func *x = a->inst->record, *y = b->inst->record;
	int err = 0;

	a->matched = true;
	b->matched = true;
	cmp->counts->matched++;
	if (strcmp(a->prototype, b->prototype)) {
		cmp->counts->prototypes++;
		err = print_change(cmp, "prototype", a, b);
	}
	if (err || !cmp->opts->addresses || !x || !y)
		return err;
	cmp->counts->addressed++;
	if (btf_func__offset(x) == btf_func__offset(y))
		return 0;
	cmp->counts->addresses++;
	return print_change(cmp, "address", a, b);
}

static int compare_ids(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	return (a->inst->id > b->inst->id) - (a->inst->id < b->inst->id);
}

static int compare_keys(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	return strcmp(a->key, b->key) ?: compare_ids(x, y);
}

/* Pair what has the same key, first with first. */
static int match_keys(struct func_comparison *cmp)
{
	struct compared_side *a = &cmp->a, *b = &cmp->b;
	uint32_t i = 0, k = 0;
	int err = 0;

	qsort(a->group, a->nr, sizeof(*a->group), compare_keys);
	qsort(b->group, b->nr, sizeof(*b->group), compare_keys);
	while (i < a->nr && k < b->nr && !err) {
		int order = strcmp(a->group[i].key, b->group[k].key);

		if (a->group[i].matched || (!b->group[k].matched && order < 0))
			i++;
		else if (b->group[k].matched || order > 0)
			k++;
		else
			err = compare_pair(cmp, &a->group[i++], &b->group[k++]);
	}
	return err;
}

/* Pair the remaining instances in order. */
static int match_rest(struct func_comparison *cmp)
{
	struct compared_side *a = &cmp->a, *b = &cmp->b;
	uint32_t i = 0, k = 0;
	int err = 0;

	qsort(a->group, a->nr, sizeof(*a->group), compare_ids);
	qsort(b->group, b->nr, sizeof(*b->group), compare_ids);
	while (!err) {
		while (i < a->nr && a->group[i].matched)
			i++;
		while (k < b->nr && b->group[k].matched)
			k++;
		if (i == a->nr || k == b->nr)
			break;
		err = compare_pair(cmp, &a->group[i], &b->group[k]);
	}
	return err;
}

static bool has_files(const struct compared_side *side)
{
	for (uint32_t i = 0; i < side->nr; i++) {
		if (side->group[i].inst->file)
			return true;
	}
	return false;
}

static int match_names(struct func_comparison *cmp)
{
	for (uint32_t i = 0; i < cmp->a.nr; i++)
		cmp->a.group[i].key = cmp->a.group[i].inst->full;
	for (uint32_t i = 0; i < cmp->b.nr; i++)
		cmp->b.group[i].key = cmp->b.group[i].inst->full;
	return match_keys(cmp);
}

static int match_prototypes(struct func_comparison *cmp)
{
	for (uint32_t i = 0; i < cmp->a.nr; i++)
		cmp->a.group[i].key = cmp->a.group[i].prototype;
	for (uint32_t i = 0; i < cmp->b.nr; i++)
		cmp->b.group[i].key = cmp->b.group[i].prototype;
	return match_keys(cmp);
}

/* Report unpaired instances as added or removed, sorted by id. */
static int report_rest(struct func_comparison *cmp)
{
	struct compared_side *a = &cmp->a, *b = &cmp->b;
	int err = 0;

	qsort(a->group, a->nr, sizeof(*a->group), compare_ids);
	qsort(b->group, b->nr, sizeof(*b->group), compare_ids);
	for (uint32_t i = 0; i < a->nr && !err; i++) {
		if (a->group[i].matched)
			continue;
		cmp->counts->removed++;
		err = print_change(cmp, "removed", &a->group[i], NULL);
	}
	for (uint32_t i = 0; i < b->nr && !err; i++) {
		if (b->group[i].matched)
			continue;
		cmp->counts->added++;
		err = print_change(cmp, "added", NULL, &b->group[i]);
	}
	return err;
}

static int compare_groups(struct func_comparison *cmp)
{
	int err = match_names(cmp);

	/* if one side has no files, unpaired instances may still be the same function */
	if (!err && !(has_files(&cmp->a) && has_files(&cmp->b)))
		err = match_prototypes(cmp) ?: match_rest(cmp);
	return err ?: report_rest(cmp);
}

/* The first instance of the next NAME, or NULL. */
static const struct func *next_instance(const struct compared_side *side)
{
	return side->next < side->insts->nr ? &side->insts->all[side->next] : NULL;
}

/* Make the next instances the group if they are of this NAME, else an empty one. */
static int take_group(struct compared_side *side, const struct func *name)
{
	const struct func *inst = next_instance(side);

	side->nr = 0;
	if (!inst || compare_names(inst, name))
		return 0;
	for (uint32_t i = 0; i < inst->nr_named; i++) {
		struct candidate *c = &side->group[side->nr];

		*c = (struct candidate){ .inst = &inst[i] };
		c->prototype = btf_data__prototype(side->insts->btf, inst[i].id);
		if (!c->prototype)
			return -ENOMEM;
		side->nr++;
	}
	side->next += side->nr;
	return 0;
}

static void drop_group(struct compared_side *side)
{
	for (uint32_t i = 0; i < side->nr; i++)
		free(side->group[i].prototype);
	side->nr = 0;
}

int compare_instances(const struct funcs *a, const struct funcs *b,
		      const struct compare_options *opts, FILE *f, struct compare_counts *counts)
{
	struct func_comparison cmp = {
		.a = { .insts = a, .group = xmalloc((a->nr + 1) * sizeof(struct candidate)) },
		.b = { .insts = b, .group = xmalloc((b->nr + 1) * sizeof(struct candidate)) },
		.opts = opts, .counts = counts, .f = f, .first = true,
	};
	int err = cmp.a.group && cmp.b.group ? 0 : -ENOMEM;

	*counts = (struct compare_counts){};
	if (opts->json && !opts->quiet)
		fputc('[', f);
	while (!err) {
		const struct func *x = next_instance(&cmp.a), *y = next_instance(&cmp.b);
		const struct func *name = !y || (x && compare_names(x, y) < 0) ? x : y;

		if (!name)
			break;
		err = take_group(&cmp.a, name);
		err = err ?: take_group(&cmp.b, name);
		err = err ?: compare_groups(&cmp);
		drop_group(&cmp.a);
		drop_group(&cmp.b);
	}
	if (opts->json && !opts->quiet)
		fputs(cmp.first ? "]\n" : "\n]\n", f);
	if (err)
		msg_error("out of memory");
	free(cmp.a.group);
	free(cmp.b.group);
	return err;
}
