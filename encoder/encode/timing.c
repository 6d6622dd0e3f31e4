// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>

#include "encode/parts.h"

uint64_t encoding__now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void encoding__note_time(struct encoding *e, enum encode_step step, uint64_t *start)
{
	uint64_t end = encoding__now();

	e->nanoseconds[step] += end - *start;
	*start = end;
}
