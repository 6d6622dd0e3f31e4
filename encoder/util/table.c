// SPDX-License-Identifier: GPL-2.0-only
#include "util/table.h"

#define LEAST_SLOTS	1024

/* Move to twice as many slots. */
static __attribute__((noinline)) void widen_table(struct hash_table *t)
{
	struct hash_table wider;
	uint32_t i;

	if (t->mask >= UINT32_MAX / 2)
		out_of_memory();
	table__init(&wider, 2 * (t->mask + 1));
	for (i = 0; i <= t->mask; i++) {
		const struct hash_slot *s = &t->slots[i];
		uint32_t k = s->hash;

		if (!s->id)
			continue;
		while (wider.slots[k & wider.mask].id)
			k++;
		wider.slots[k & wider.mask] = *s;
	}
	wider.nr = t->nr;
	free(t->slots);
	*t = wider;
}

void table__add(struct hash_table *t, struct hash_slot *slot, uint32_t hash, uint32_t id)
{
	*slot = (struct hash_slot){ .hash = hash, .id = id };
	/* one slot is always free, so that each look-up ends */
	if (++t->nr > t->mask / 4 * 3)
		widen_table(t);
}

void table__expect(struct hash_table *t, uint32_t nr)
{
	uint32_t slots = t->slots ? t->mask + 1 : LEAST_SLOTS;

	while (nr > (slots - 1) / 4 * 3 && slots <= UINT32_MAX / 2)
		slots *= 2;
	/* a table with entries grows by itself */
	if (t->slots && (t->nr || slots == t->mask + 1))
		return;
	table__destroy(t);
	table__init(t, slots);
}
