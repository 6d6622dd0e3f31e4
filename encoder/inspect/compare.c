// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "inspect/compare.h"
#include "inspect/print.h"
#include "util/document.h"
#include "util/json.h"
#include "util/memory.h"
#include "util/text.h"

/**
 * struct candidate - an instance that is not paired yet
 * @prototype:	in C
 * @key:	equal for both instances of a pair
 * @matched:	it is paired
 */
struct candidate {
	const struct func	*inst;
	char			*prototype;
	const char		*key;
	bool			matched;
};

/** struct compared_side - one object, and its instances with the current name */
struct compared_side {
	const struct funcs	*insts;
	VECTOR(struct candidate);
	uint32_t		next;	/* in insts, past these */
};

struct func_comparison {
	struct compared_side		a, b;
	const struct compare_options	*opts;
	struct compare_counts		counts;
	FILE			*f;
};

static json_t *candidate_json(const struct candidate *c)
{
	const struct btf_func *record = c ? c->inst->record : NULL;

	return !c ? json_null() :
	       json_pack("{s:I, s:o, s:o, s:o, s:o}", "id", (json_int_t)c->inst->id,
			 "name", text_json(c->inst->full), "prototype", text_json(c->prototype),
			 "section", text_json(c->inst->section), "offset", record ? json_integer(btf_func__offset(record)) : json_null());
}

/* "0x10", or ".text+0x10" in a module */
static char *place_text(const struct func *f)
{
	return text_clean(xasprintf("%s%s0x%" PRIx64, f->section ?: "", f->section ? "+" : "",
				    (uint64_t)btf_func__offset(f->record)));
}

static bool same_place(const struct func *a, const struct func *b)
{
	return btf_func__offset(a->record) == btf_func__offset(b->record) &&
	       (!a->section || !b->section || !strcmp(a->section, b->section));
}

static void print_move(FILE *f, const struct func *a, const struct func *b)
{
	char *from __cleanup(free_pointer) = place_text(a);
	char *to __cleanup(free_pointer) = place_text(b);

	fprintf(f, "! %s: address %s -> %s\n", b->full, from, to);
}

/* @a or @b is NULL if an instance was added or removed. */
static void print_change(struct func_comparison *cmp, const char *change, const struct candidate *a,
			 const struct candidate *b)
{
	const char *name = (b ?: a)->inst->full;
	FILE *f = cmp->f;

	if (cmp->opts->quiet)
		return;
	if (cmp->opts->json)
		document__add(json_pack("{s:s, s:o, s:o, s:o}", "change", change,
					"name", text_json(name),
					"old", candidate_json(a), "new", candidate_json(b)));
	else if (!a || !b)
		fprintf(f, "%c %s: %s\n", a ? '-' : '+', name, text_clean((a ?: b)->prototype));
	else if (!strcmp(change, "prototype"))
		fprintf(f, "! %s: prototype\n    - %s\n    + %s\n", name,
			text_clean(a->prototype), text_clean(b->prototype));
	else
		print_move(f, a->inst, b->inst);
}

static void compare_pair(struct func_comparison *cmp, struct candidate *a, struct candidate *b)
{
	const struct btf_func *x = a->inst->record, *y = b->inst->record;

	a->matched = true;
	b->matched = true;
	cmp->counts.matched++;
	if (strcmp(a->prototype, b->prototype)) {
		cmp->counts.prototypes++;
		print_change(cmp, "prototype", a, b);
	}
	if (!cmp->opts->addresses || !x || !y)
		return;
	cmp->counts.addressed++;
	if (same_place(a->inst, b->inst))
		return;
	cmp->counts.addresses++;
	print_change(cmp, "address", a, b);
}

static int compare_keys(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	return strcmp(a->key, b->key) ?: cmp_int(a->inst->id, b->inst->id);
}

enum candidate_key { BY_NAME, BY_PROTOTYPE, BY_ID };

static void sort_group(struct compared_side *side, enum candidate_key by)
{
	for_each(c, side)
		c->key = by == BY_NAME ? c->inst->full : by == BY_PROTOTYPE ? c->prototype : "";
	vector__sort(side, compare_keys);
}

/* Pair instances that have the same key, sorted by id. */
static void match_groups(struct func_comparison *cmp, enum candidate_key by)
{
	struct compared_side *a = &cmp->a, *b = &cmp->b;
	uint32_t i = 0, k = 0;

	sort_group(a, by);
	sort_group(b, by);
	while (i < a->nr && k < b->nr) {
		int order = strcmp(a->array[i].key, b->array[k].key);

		if (a->array[i].matched || (!b->array[k].matched && order < 0))
			i++;
		else if (b->array[k].matched || order > 0)
			k++;
		else
			compare_pair(cmp, &a->array[i++], &b->array[k++]);
	}
}

static bool has_files(const struct compared_side *side)
{
	for_each(c, side)
		if (c->inst->file)
			return true;
	return false;
}

/* Report unpaired instances as added or removed, sorted by id. */
static void report_rest(struct func_comparison *cmp, struct compared_side *side)
{
	sort_group(side, BY_ID);
	for_each(c, side) {
		if (c->matched)
			continue;
		if (side == &cmp->a) {
			cmp->counts.removed++;
			print_change(cmp, "removed", c, NULL);
		} else {
			cmp->counts.added++;
			print_change(cmp, "added", NULL, c);
		}
	}
}

/* The first instance of the next NAME, or NULL. */
static const struct func *next_instance(const struct compared_side *side)
{
	return side->next < side->insts->nr ? &side->insts->array[side->next] : NULL;
}

/* Set the group to the next instances if they have this NAME, otherwise to none. */
static void read_group(struct compared_side *side, const struct func *name)
{
	const struct func *inst;

	side->nr = 0;
	for (; (inst = next_instance(side)) && !compare_names(inst, name); side->next++)
		push(side, (struct candidate){
			.inst = inst,
			.prototype = btf_data__prototype(side->insts->btf, inst->id) });
}

static void drop_group(struct compared_side *side)
{
	for_each(c, side)
		free(c->prototype);
}

struct compare_counts compare_instances(const struct funcs *a, const struct funcs *b,
					const struct compare_options *opts, FILE *f)
{
	struct func_comparison cmp = {
		.a.insts = a, .b.insts = b, .opts = opts, .f = f,
	};

	while (next_instance(&cmp.a) || next_instance(&cmp.b)) {
		const struct func *x = next_instance(&cmp.a), *y = next_instance(&cmp.b);
		const struct func *name = !y || (x && compare_names(x, y) < 0) ? x : y;

		read_group(&cmp.a, name);
		read_group(&cmp.b, name);
		match_groups(&cmp, BY_NAME);
		/* if one side has no files, unpaired instances may still be the same function */
		if (!has_files(&cmp.a) || !has_files(&cmp.b)) {
			match_groups(&cmp, BY_PROTOTYPE);
			match_groups(&cmp, BY_ID);
		}
		report_rest(&cmp, &cmp.a);
		report_rest(&cmp, &cmp.b);
		drop_group(&cmp.a);
		drop_group(&cmp.b);
	}
	free(cmp.a.array);
	free(cmp.b.array);
	return cmp.counts;
}
