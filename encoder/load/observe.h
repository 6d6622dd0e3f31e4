/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lists of what was seen (load/seen.h): one of each for every thread, which are
 * merged when all is read.
 */
#ifndef ABTF_LOAD_OBSERVE_H
#define ABTF_LOAD_OBSERVE_H

#include "load/seen.h"
#include "types/store.h"
#include "util/grow.h"

struct fit;

/** struct unit_named - where the ids of a unit that was read begin in @named, and how many */
struct unit_named {
	uint32_t	unit;
	uint32_t	start;
	uint32_t	nr;
};

/**
 * struct observed - one thread's lists
 * @named:	node ids of the named structs, unions and enums and of the
 *		forwards that a unit holds, unit after unit
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
	struct hash_table	mentioned;	/* indices in @mentions, counted from 1 */
};

/**
 * observed__expect() - make room for what @info bytes of .debug_info say, which is no limit
 *
 * What is never used takes no memory, and what grows later has to be copied.
 *
 * Return: 0 or -ENOMEM.
 */
int observed__expect(struct observed *o, uint64_t info);

/** observed__rest() - Free what is of no use once names with several contents are told apart. */
void observed__rest(struct observed *o);

void observed__destroy(struct observed *o);

/** observed__unit() - Begin a unit's list of named types. */
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

/** observed__mention() - Add a mention, or add its count to the one that is there. */
int observed__mention(struct observed *o, const struct func_mention *mention);

/** observed__unmention() - One unit less says it: it is read again. */
void observed__unmention(struct observed *o, uint32_t name, uint32_t proto, bool declared);

int observed__variable(struct observed *o, const struct variable *var);
int observed__tag(struct observed *o, const struct tag_seen *tag);

/**
 * observed__merge() - add another thread's lists
 * @map, @strings: where its node and string ids went, from store__merge()
 */
int observed__merge(struct observed *to, const struct observed *from,
		    const uint32_t *map, const uint32_t *strings);

/** observed__fit() - Doubt or forget what has types that are not there any more. */
void observed__fit(struct observed *o, const struct fit *fit);

#endif /* ABTF_LOAD_OBSERVE_H */
