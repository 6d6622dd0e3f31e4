/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only hash table: maps the hash of an object to its number.
 *
 * Open addressing, at most three quarters full.  A slot contains the number and 32 bits
 * of the hash, so that nearly every look-up touches one cache line of the table and then
 * the object itself.  The caller compares objects:
 *
 *	table__for_each(slot, t, hash)
 *		if (is_it(slot->id))
 *			return slot->id;
 */
#ifndef ABTF_UTIL_TABLE_H
#define ABTF_UTIL_TABLE_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "util/memory.h"

/** struct hash_slot - @hash: 32 bits of it; @id: the number, 0 for a free slot */
struct hash_slot {
	uint32_t	hash;
	uint32_t	id;
};

/** struct hash_table - @mask: one less than its slots, which are a power of two; @nr: used */
struct hash_table {
	struct hash_slot	*slots;
	uint32_t		mask;
	uint32_t		nr;
};

/** table__init() - @nr: slots to begin with, a power of two */
static inline void table__init(struct hash_table *t, uint32_t nr)
{
	t->slots = xcalloc(nr, sizeof(*t->slots));
	t->mask = nr - 1;
	t->nr = 0;
}

static inline void table__destroy(struct hash_table *t)
{
	free(t->slots);
	t->slots = NULL;
}

/*
 * Maximum number of steps of a look-up.  Accidental collisions take a few dozen; only
 * deliberate ones take more.
 */
#define TABLE_STEPS	4096

/* The first slot that has this hash or is free, @steps or more after the first; or NULL. */
static inline struct hash_slot *table__look(const struct hash_table *t, uint32_t hash,
					    uint32_t *steps)
{
	struct hash_slot *slot;

	for (; *steps < TABLE_STEPS; ++*steps) {
		slot = &t->slots[(hash + *steps) & t->mask];
		if (slot->hash == hash || !slot->id)
			return slot;
	}
	return NULL;
}

/**
 * table__for_each() - visit the slots that may have a hash, until one is free
 * @slot:	struct hash_slot *, NULL after the loop if the search was given up, and free if
 *		nothing was found
 */
#define table__for_each(slot, t, hash)						\
	for (uint32_t hash_ = (hash), steps_ = 0;				\
	     ((slot) = table__look(t, hash_, &steps_)) && (slot)->id; steps_++)

/** table__prefetch() - Prefetch the slot of a hash that will be looked up soon. */
static inline void table__prefetch(const struct hash_table *t, uint32_t hash)
{
	__builtin_prefetch(&t->slots[hash & t->mask]);
}

/** table__add() - fill a free slot that was found; all slots may move */
void table__add(struct hash_table *t, struct hash_slot *slot, uint32_t hash, uint32_t id);

/**
 * table__expect() - make room for @nr entries, not a limit, before the first is added
 *
 * Must be called before the first look-up in a table that is all zeroes.
 */
void table__expect(struct hash_table *t, uint32_t nr);

#endif /* ABTF_UTIL_TABLE_H */
