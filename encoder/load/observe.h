/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of observations (load/seen.h).  Each thread has its own; they are merged after
 * all units have been read.
 */
#ifndef ABTF_LOAD_OBSERVE_H
#define ABTF_LOAD_OBSERVE_H

#include "load/seen.h"
#include "types/store.h"
#include "util/grow.h"

struct fit;

/** struct unit_named - the ids of a unit in @named: first index and number */
struct unit_named {
	uint32_t	unit;
	uint32_t	start;
	uint32_t	nr;
};

/**
 * struct observed - one thread's lists
 * @named:	node ids of named structs, unions, enums and forwards, grouped by
 *		unit
 */
struct observed {
	VECTOR(struct func_body) bodies;
	VECTOR(struct func_mention) mentions;
	VECTOR(struct variable) vars;
	VECTOR(struct tag_seen)	tags;
	VECTOR(uint32_t)	named;
	VECTOR(struct unit_named) units;
	struct hash_table	mentioned;	/* indices in @mentions, starting at 1 */
};

/**
 * observed__expect() - allocate lists for @info bytes of .debug_info
 *
 * This is not a limit.  Unused parts take no memory, but growing would copy the lists.
 *
 * Return: 0 or -ENOMEM.
 */
int observed__expect(struct observed *o, uint64_t info);

/** observed__rest() - Free what is not needed after conflicting definitions are resolved. */
void observed__rest(struct observed *o);

void observed__destroy(struct observed *o);

/** observed__unit() - Start a unit's list of named types. */
static inline int observed__unit(struct observed *o, uint32_t unit)
{
	return push(&o->units, (struct unit_named){ .unit = unit, .start = o->named.nr });
}

/** observed__named() - Add a node id to the list of the last unit. */
static inline int observed__named(struct observed *o, uint32_t node)
{
	o->units.array[o->units.nr - 1].nr++;
	return push(&o->named, node);
}

/** observed__mention() - Add a mention, or add its count to an equal one. */
int observed__mention(struct observed *o, const struct func_mention *mention);

/** observed__unmention() - Decrement the count, because a unit is read again. */
void observed__unmention(struct observed *o, const struct func_mention *mention);

/**
 * observed__merge() - add another thread's lists, which are changed for that
 * @map, @strings: new node and string ids, from store__merge()
 */
int observed__merge(struct observed *to, struct observed *from,
		    const uint32_t *map, const uint32_t *strings);

/** observed__fit() - Mark or drop functions and variables with types that were removed. */
void observed__fit(struct observed *o, const struct fit *fit);

#endif /* ABTF_LOAD_OBSERVE_H */
