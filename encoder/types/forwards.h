/* SPDX-License-Identifier: GPL-2.0-only */
/* types/unify.c's inside, and what it leaves to types/forwards.c. */
#ifndef ABTF_TYPES_FORWARDS_H
#define ABTF_TYPES_FORWARDS_H

#include "types/conflict.h"
#include "types/partition.h"
#include "types/shape.h"

/**
 * struct unifier - one store__unify()
 * @rank:	by node: its place in @order, + 1; 0: it is not written
 * @alike:	by node: the first that looks like it; see partition__init(), as for
 *		@fixed, which are the base's
 * @stands:	by node that others look like: what stands for a forward, 0 for itself
 * @first:	by node: the first of its class in @order
 */
struct unifier {
	const struct store	*store;
	const uint32_t		*base_ids;
	const uint32_t		*order;
	uint32_t		nr;
	uint32_t		*rank;
	uint32_t		*alike;
	bool			*fixed;
	uint32_t		*stands;
	struct partition	classes;
	uint32_t		*first;
};

/** unifier__ref() - Return: the @k-th reference of a node, resolved; 0 for void. */
static inline uint32_t unifier__ref(const struct unifier *u, uint32_t node, uint32_t k)
{
	const struct node *n = &u->store->nodes[node];
	uint32_t ref = node__ref(u->store, n, k);

	return u->stands[u->alike[ref]] ?: ref;
}

/**
 * forwards__settle() - find what stands for forwards, with the classes as they are
 *
 * Return: 1 if anything was found, so that the classes change; 0 or -ENOMEM.
 */
int forwards__settle(struct unifier *u);

#endif /* ABTF_TYPES_FORWARDS_H */
