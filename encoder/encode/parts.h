/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps that encode.c calls, which are implemented in encode/. */
#ifndef ABTF_ENCODE_PARTS_H
#define ABTF_ENCODE_PARTS_H

#include <time.h>

#include "encode.h"

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

/**
 * encoding__add_kfuncs() - add kfuncs' tags to @out->tags, and attributes to their prototypes
 *
 * Return: 0 or a negative errno.
 */
int encoding__add_kfuncs(struct encoding *e, struct btf_out *out);

/** encoding__collect_tags() - Add tags of the source to @out->tags; funcs and vars are there. */
void encoding__collect_tags(const struct encoding *e, struct btf_out *out);

/** encoding__collect_funcs() - Fill @out->funcs. */
void encoding__collect_funcs(const struct encoding *e, struct btf_out *out);

/** encoding__collect_relocs() - Fill @e->relocs from the written BTF. */
void encoding__collect_relocs(struct encoding *e);

#endif /* ABTF_ENCODE_PARTS_H */
