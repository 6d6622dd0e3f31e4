/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The function that the example is about.  It is in a header, so every unit that
 * uses it gets its own copy; __used makes the compiler keep that copy as a
 * function in addition to the ones it inlines.  Declared in one file, defined in 22
 * units: only the unit distinguishes the instances.
 */
#ifndef EXAMPLE_CPUMASK_H
#define EXAMPLE_CPUMASK_H

#include <linux/kernel.h>

#define NR_CPUS		256

struct cpumask {
	unsigned long bits[BITS_TO_LONGS(NR_CPUS)];
};

typedef struct cpumask cpumask_var_t[1];

extern unsigned int nr_cpu_ids;
extern struct cpumask __cpu_possible_mask, __cpu_online_mask;
#define cpu_possible_mask	((const struct cpumask *)&__cpu_possible_mask)
#define cpu_online_mask		((const struct cpumask *)&__cpu_online_mask)

static inline __used unsigned int cpumask_weight(const struct cpumask *srcp)
{
	unsigned int cpu, weight = 0;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		weight += srcp->bits[cpu / BITS_PER_LONG] >> cpu % BITS_PER_LONG & 1;
	return weight;
}

#endif /* EXAMPLE_CPUMASK_H */
