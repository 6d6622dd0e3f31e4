// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units whose languages are excluded, in a group with others.
 *
 * With link-time optimization, a unit of C may refer to types of a unit of Rust. The group has
 * the recs of both. Of an excluded unit, only the types remain that the other units reach: a
 * type of Rust may have the name of a type of C, and CO-RE would find two.
 */
#include <string.h>

#include "load/load.h"
#include "util/memory.h"

/**
 * struct reached - the recs that remain
 * @is:		by rec
 * @to_visit:	recs whose references have not been followed
 */
struct reached {
	struct recs		*recs;
	bool			*is;
	VECTOR(uint32_t)	to_visit;
};

static void reach_rec(struct reached *reached, uint32_t ref)
{
	uint32_t i = recs__find(reached->recs, ref);

	if (reached->is[i])
		return;
	reached->is[i] = true;
	push(&reached->to_visit, i);
}

static void follow_references(struct reached *reached)
{
	struct recs *r = reached->recs;

	while (reached->to_visit.nr) {
		const struct rec *rec = &r->array[reached->to_visit.array[--reached->to_visit.nr]];

		reach_rec(reached, rec->ref);
		for_each_item(item, r, rec)
			reach_rec(reached, item->ref);
	}
}

/* Remove unreached recs from a list. */
static void keep_reached(const struct reached *reached, uint32_t *array, uint32_t *nr)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < *nr; i++)
		if (reached->is[array[i]])
			array[left++] = array[i];
	*nr = left;
}

void loader__drop_excluded(struct loader *l)
{
	struct recs *r = &l->recs;
	struct reached reached = { .recs = r };

	if (!r->excluded.nr)
		return;
	reached.is = xcalloc(r->nr, sizeof(*reached.is));
	memset(reached.is, true, r->nr);
	for_each(range, &r->excluded)
		memset(reached.is + range->first, false, range->nr);
	for (uint32_t i = 1; i < r->nr; i++)
		if (reached.is[i])
			push(&reached.to_visit, i);
	for_each(var, &r->vars)
		reach_rec(&reached, var->ref);
	/* a body may have its name and parameters from another unit; an origin may have one, too */
	do {
		follow_references(&reached);
		for_each(func, &r->funcs)
			if (reached.is[func->rec])
				reach_rec(&reached, func->origin);
	} while (reached.to_visit.nr);
	for_each(range, &r->excluded) {
		for (uint32_t i = range->first; i < range->first + range->nr; i++) {
			struct rec *rec = &r->array[i];

			/* an alias of void is no type */
			if (!reached.is[i] && rec->kind != BTF_KIND_FUNC) {
				rec->kind = REC_ALIAS;
				rec->ref = REF_VOID;
			}
		}
	}
	keep_reached(&reached, r->named.array, &r->named.nr);
	keep_reached(&reached, r->arrays.array, &r->arrays.nr);
	free(reached.to_visit.array);
	free(reached.is);
}
