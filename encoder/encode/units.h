/* SPDX-License-Identifier: GPL-2.0-only */
/* Read units, and measure the time of steps. */
#ifndef ABTF_ENCODE_UNITS_H
#define ABTF_ENCODE_UNITS_H

#include <time.h>

#include "encode.h"

/** encoding__now() - Return: nanoseconds of a clock. */
static inline uint64_t encoding__now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/**
 * encoding__note_time() - Add the time since @start to a step, and set @start to the
 * current time.
 */
static inline void encoding__note_time(struct encoding *e, enum encode_step step, uint64_t *start)
{
	uint64_t end = encoding__now();

	e->nanoseconds[step] += end - *start;
	*start = end;
}

/**
 * encoding__read_units() - read all units, with several threads
 *
 * Fills @e->store and @e->observed, resolves conflicting definitions, and removes types
 * that BTF cannot represent.
 *
 * Return: 0, or a negative errno after a message.
 */
int encoding__read_units(struct encoding *e);

#endif /* ABTF_ENCODE_UNITS_H */
