// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "load/load.h"

/* --- names of functions ---------------------------------------------------------- */

static void add_hash(struct names *n, uint32_t hash)
{
	uint32_t steps;
	struct hash_slot *slot = table__find(&n->by_hash, hash, &steps);

	/* no slot: so many names hash to this place that this can only be one of them */
	if (slot && !slot->id)
		table__add(&n->by_hash, slot, hash, 1);
}

void names__init(struct names *n, const struct symbols *syms)
{
	table__expect(&n->by_hash, syms->nr_funcs);
	for (uint32_t i = 0; i < syms->nr_funcs; i++)
		add_hash(n, hash_bytes(syms->funcs[i].name, syms->funcs[i].base_len));
}

void names__add(struct names *n, const struct string *name)
{
	table__expect(&n->by_hash, 1);
	add_hash(n, name->hash);
}

void names__destroy(struct names *n)
{
	table__destroy(&n->by_hash);
	n->by_hash.nr = 0;
}

bool names__has(const struct names *n, const struct string *name)
{
	const struct hash_slot *slot;
	uint32_t steps;

	if (!n->by_hash.nr)
		return false;
	slot = table__find(&n->by_hash, name->hash, &steps);
	return !slot || slot->id;
}

/* --- a loader ---------------------------------------------------------------------- */

void loader__init(struct loader *l, struct dwarf *dw, const struct names *names,
		  const struct names *assembler, const struct load_options *opts)
{
	*l = (struct loader){ .dw = dw, .names = names, .assembler = assembler, .opts = opts,
			      .by_offset = dw->img->type != ET_REL && !dw->empty_names };
	store__init(&l->store);
}

void loader__expect(struct loader *l)
{
	observed__expect(&l->observed, cursor__left(&l->dw->info));
	if (l->by_offset)
		store__expect(&l->store, cursor__left(&l->dw->str));
}

void loader__rest(struct loader *l)
{
	struct records *r = &l->records;
	uint64_t guest_bytes = r->group.guest_bytes;

	free(r->recs.array);
	free(r->items.array);
	free(r->named.array);
	free(r->arrays.array);
	free(r->fresh.array);
	free(r->funcs.array);
	free(r->entries.array);
	free(r->calls.array);
	free(r->vars.array);
	free(r->tags.array);
	free(r->at);
	group__destroy(&r->group);
	memset(r, 0, sizeof(*r));
	r->group.guest_bytes = guest_bytes;
}

void loader__destroy(struct loader *l)
{
	loader__rest(l);
	abbrevs__destroy(&l->abbrevs);
	abbrevs__destroy(&l->others);
	free(l->frames);
	store__destroy(&l->store);
	observed__destroy(&l->observed);
	memset(l, 0, sizeof(*l));
}
