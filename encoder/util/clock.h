/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_UTIL_CLOCK_H
#define ABTF_UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

/** clock__now() - Return: nanoseconds since some moment in the past. */
static inline uint64_t clock__now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

#endif /* ABTF_UTIL_CLOCK_H */
