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
	struct func_body	*bodies;
	uint32_t		nr_bodies, cap_bodies;
	struct func_mention	*mentions;
	uint32_t		nr_mentions, cap_mentions;
	struct variable		*vars;
	uint32_t		nr_vars, cap_vars;
	struct tag_seen		*tags;
	uint32_t		nr_tags, cap_tags;
	uint32_t		*named;
	uint32_t		nr_named, cap_named;
	struct unit_named	*unit_named;
	uint32_t		nr_units, cap_units;
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
	if (grow(&o->unit_named, &o->cap_units, (uint64_t)o->nr_units + 1, sizeof(*o->unit_named)))
		return -ENOMEM;
	o->unit_named[o->nr_units++] = (struct unit_named){ .unit = unit, .start = o->nr_named };
	return 0;
}

/** observed__named() - Add a node id to the list of the last unit. */
static inline int observed__named(struct observed *o, uint32_t node)
{
	if (grow(&o->named, &o->cap_named, (uint64_t)o->nr_named + 1, sizeof(*o->named)))
		return -ENOMEM;
	o->named[o->nr_named++] = node;
	o->unit_named[o->nr_units - 1].nr++;
	return 0;
}

int observed__body(struct observed *o, const struct func_body *body);

/** observed__mention() - Add a mention, or add its count to an equal one. */
int observed__mention(struct observed *o, const struct func_mention *mention);

/** observed__unmention() - Decrement the count, because a unit is read again. */
void observed__unmention(struct observed *o, const struct func_mention *mention);

int observed__variable(struct observed *o, const struct variable *var);
int observed__tag(struct observed *o, const struct tag_seen *tag);

/**
 * observed__merge() - add another thread's lists
 * @map, @strings: new node and string ids, from store__merge()
 */
int observed__merge(struct observed *to, const struct observed *from,
		    const uint32_t *map, const uint32_t *strings);

/** observed__fit() - Mark or drop functions and variables with types that were removed. */
void observed__fit(struct observed *o, const struct fit *fit);

#endif /* ABTF_LOAD_OBSERVE_H */
