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

int names__init(struct names *n, const struct symbols *syms)
{
	uint32_t i;

	for (n->nr_slots = 64; n->nr_slots / 2 < syms->nr_funcs; n->nr_slots *= 2)
		;
	n->slots = calloc(n->nr_slots, sizeof(*n->slots));
	if (!n->slots)
		return -ENOMEM;
	for (i = 0; i < syms->nr_funcs; i++) {
		uint64_t hash = hash_bytes(syms->funcs[i].name, syms->funcs[i].base_len) | 1;

		*find_slot(n, hash) = hash;
	}
	return 0;
}

void names__destroy(struct names *n)
{
	free(n->slots);
	memset(n, 0, sizeof(*n));
}

bool names__has(const struct names *n, const struct string *name)
{
	return *find_slot(n, name->hash | 1);
}
