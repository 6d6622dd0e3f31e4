// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <sys/param.h>

#include "load/load.h"

/* --- names of functions ---------------------------------------------------------- */

void name_set__add(struct hash_table *names, uint32_t hash)
{
	struct hash_slot *slot;

	table__expect(names, 1);
	table__for_each(slot, names, hash)
		return;
	/* no slot: so many names hash to this slot that this can only be one of them */
	if (slot)
		table__add(names, slot, hash, 1);
}

bool name_set__has(const struct hash_table *names, uint32_t hash)
{
	const struct hash_slot *slot;

	if (!names->nr)
		return false;
	table__for_each(slot, names, hash)
		return true;
	return !slot;
}

/* --- a loader ---------------------------------------------------------------------- */

void loader__init(struct loader *l, struct dwarf *dw, const struct hash_table *stems,
		  const struct hash_table *assembler, const struct load_options *opts)
{
	*l = (struct loader){ .dw = dw, .stems = stems, .assembler = assembler, .opts = opts,
			      .abbrevs.classify = abbrev__classify,
			      .by_offset = dw->img->type != ET_REL && !dw->odd_names };
	l->unneeded = xcalloc(cursor__left(&dw->str) / 4 + 1, 1);
	/* modules have a copy of each name for each unit */
	store__init(&l->store, MIN(cursor__left(&dw->str), cursor__left(&dw->info)));
	observed__init(&l->observed, cursor__left(&dw->info));
}

void loader__trim(struct loader *l)
{
	struct recs *r = &l->recs;
	uint64_t guest_bytes = r->group.guest_bytes;

	free(r->array);
	free(r->items.array);
	free(r->named.array);
	free(r->arrays.array);
	free(r->dimensions.array);
	free(r->strides.array);
	free(r->aliases.array);
	free(r->fresh.array);
	free(r->funcs.array);
	free(r->ranges.array);
	free(r->calls.array);
	free(r->vars.array);
	free(r->excluded.array);
	free(r->tags.array);
	free(r->at);
	group__destroy(&r->group);
	memset(r, 0, sizeof(*r));
	r->group.guest_bytes = guest_bytes;
}

void loader__destroy(struct loader *l)
{
	loader__trim(l);
	abbrevs__destroy(&l->abbrevs);
	abbrevs__destroy(&l->others);
	free(l->frames);
	free(l->unneeded);
	store__destroy(&l->store);
	observed__destroy(&l->observed);
	memset(l, 0, sizeof(*l));
}
