// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "load/names.h"
#include "types/hash.h"

static int add_hash(struct names *n, uint32_t hash)
{
	uint32_t steps;
	struct hash_slot *slot = table__find(&n->by_hash, hash, &steps);

	/* so many are there that have this one's place that it can only be one of them */
	if (!slot || slot->id)
		return 0;
	return table__add(&n->by_hash, slot, hash, 1);
}

int names__init(struct names *n, const struct symbols *syms)
{
	uint32_t i;
	int err = table__expect(&n->by_hash, syms->nr_funcs);

	for (i = 0; !err && i < syms->nr_funcs; i++)
		err = add_hash(n, hash_bytes(syms->funcs[i].name, syms->funcs[i].base_len));
	return err;
}

int names__add(struct names *n, const struct string *name)
{
	return table__expect(&n->by_hash, 1) ?: add_hash(n, name->hash);
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
