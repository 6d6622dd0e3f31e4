/* SPDX-License-Identifier: GPL-2.0-only */
/* What encode.c, which knows the order of the whole way, leaves to files beside it. */
#ifndef ABTF_ENCODE_PARTS_H
#define ABTF_ENCODE_PARTS_H

#include <time.h>

#include "encode.h"
#include "functions/variables.h"

/** encoding__now() - Return: nanoseconds of a clock. */
static inline uint64_t encoding__now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/** encoding__note_time() - Add the time since @start to a step's; that is @start then. */
static inline void encoding__note_time(struct encoding *e, enum encode_step step, uint64_t *start)
{
	uint64_t end = encoding__now();

	e->nanoseconds[step] += end - *start;
	*start = end;
}

/**
 * encoding__read_units() - read all units, by as many threads as there may be
 *
 * Fills @e->store and @e->observed, with names of several contents settled, and
 * without what BTF cannot hold.
 *
 * Return: 0, or a negative errno after a message.
 */
int encoding__read_units(struct encoding *e);

/** struct tag_list - DECL_TAGs in the making; @array is malloc()ed */
struct tag_list {
	VECTOR(struct out_tag);
};

/** encoding__collect_tags() - Find all DECL_TAGs. Return: 0 or -ENOMEM. */
int encoding__collect_tags(struct encoding *e, const struct variables *v, struct tag_list *tags);

/** encoding__give_attributes() - Put kfuncs' attributes into their prototypes. Return: 0 or -ENOMEM. */
int encoding__give_attributes(struct encoding *e);

/** encoding__collect_funcs() - Return: the FUNCs, malloc()ed; NULL without memory. */
struct out_func *encoding__collect_funcs(const struct encoding *e);

/** encoding__collect_relocs() - Fill @e->relocs, by what was written. Return: 0 or -ENOMEM. */
int encoding__collect_relocs(struct encoding *e);

#endif /* ABTF_ENCODE_PARTS_H */
