/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the types that refer to a type. */
#ifndef ABTF_TYPES_REFERRERS_H
#define ABTF_TYPES_REFERRERS_H

#include <stdint.h>
#include <stdlib.h>

#include "util/memory.h"

/**
 * struct type_graph - types that refer to each other
 * @nr_refs:	number of a type's references
 * @ref:	the @k-th of them, 0 for void
 */
struct type_graph {
	uint32_t	(*nr_refs)(const void *arg, uint32_t type);
	uint32_t	(*ref)(const void *arg, uint32_t type, uint32_t k);
};

/**
 * struct referrers - the types that refer to each type
 * @list:	those that refer to a type start at @start of it, and end at that of the next
 */
struct referrers {
	uint32_t	*start;
	uint32_t	*list;
};

/**
 * referrers__find() - list the references of some types
 * @types:	the types, @nr of them, which refer to types below @nr_types
 */
static inline void referrers__find(struct referrers *r, const struct type_graph *graph,
				   const void *arg, const uint32_t *types, uint32_t nr,
				   uint32_t nr_types)
{
	uint32_t sum = 0;

	r->start = xcalloc(nr_types + 1UL, sizeof(*r->start));
	for (uint32_t i = 0; i < nr; i++)
		for (uint32_t k = graph->nr_refs(arg, types[i]); k-- > 0; )
			r->start[graph->ref(arg, types[i], k)]++;
	for (uint32_t id = 0; id <= nr_types; id++) {
		sum += r->start[id];
		r->start[id] = sum;
	}
	r->list = xmalloc(sum * sizeof(*r->list));
	/* filled from the end, so that each start becomes what it is called */
	for (uint32_t i = 0; i < nr; i++)
		for (uint32_t k = graph->nr_refs(arg, types[i]); k-- > 0; )
			r->list[--r->start[graph->ref(arg, types[i], k)]] = types[i];
}

static inline void referrers__destroy(struct referrers *r)
{
	free(r->start);
	free(r->list);
}

#endif /* ABTF_TYPES_REFERRERS_H */
