// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load/names.h"
#include "types/hash.h"

static uint64_t *find_slot(const struct names *n, uint64_t hash)
{
	uint32_t mask = n->nr_slots - 1, i;

	for (i = hash & mask; n->slots[i] && n->slots[i] != hash; i = (i + 1) & mask)
		;
	return &n->slots[i];
}

/* Room for @nr names, and as many free slots. */
static int make_room(struct names *n, uint32_t nr)
{
	struct names wider = { .nr_slots = 64 };
	uint32_t i;

	while (wider.nr_slots / 2 < nr)
		wider.nr_slots *= 2;
	if (wider.nr_slots <= n->nr_slots)
		return 0;
	wider.slots = calloc(wider.nr_slots, sizeof(*wider.slots));
	if (!wider.slots)
		return -ENOMEM;
	for (i = 0; i < n->nr_slots; i++)
		if (n->slots[i])
			*find_slot(&wider, n->slots[i]) = n->slots[i];
	free(n->slots);
	n->slots = wider.slots;
	n->nr_slots = wider.nr_slots;
	return 0;
}

static void add_hash(struct names *n, uint64_t hash)
{
	uint64_t *slot = find_slot(n, hash | 1);

	n->nr += !*slot;
	*slot = hash | 1;
}

int names__init(struct names *n, const struct symbols *syms)
{
	uint32_t i;

	if (make_room(n, syms->nr_funcs))
		return -ENOMEM;
	for (i = 0; i < syms->nr_funcs; i++)
		add_hash(n, hash_bytes(syms->funcs[i].name, syms->funcs[i].base_len));
	return 0;
}

int names__add(struct names *n, const struct string *name)
{
	if (make_room(n, n->nr + 1))
		return -ENOMEM;
	add_hash(n, name->hash);
	return 0;
}

void names__destroy(struct names *n)
{
	free(n->slots);
	memset(n, 0, sizeof(*n));
}

bool names__has(const struct names *n, const struct string *name)
{
	return n->nr && *find_slot(n, name->hash | 1);
}
