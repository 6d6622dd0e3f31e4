/* SPDX-License-Identifier: GPL-2.0-only */
/* How many threads are worth starting. */
#ifndef ABTF_UTIL_CORES_H
#define ABTF_UTIL_CORES_H

#include <sched.h>

/** nr_cores() - Return: the processors that this process may run on, at least 1. */
static inline unsigned int nr_cores(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
}

#endif /* ABTF_UTIL_CORES_H */
