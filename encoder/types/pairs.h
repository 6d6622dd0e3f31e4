/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find equal types in cyclic graphs.
 *
 * Assume that all candidate pairs are equal.  Drop a pair if one of its references does not
 * lead to a pair, and recheck the pairs that refer to it.  Repeat until nothing changes.
 * The result is the largest consistent set.
 */
#ifndef ABTF_TYPES_PAIRS_H
#define ABTF_TYPES_PAIRS_H

#include <stdbool.h>

#include "types/referrers.h"
#include "util/grow.h"

/**
 * struct pair - a type of the left side, and one of the right
 * @by_name:	one is a forward of the other, so only their names are compared
 */
struct pair {
	uint32_t	left;
	uint32_t	right;
	bool		by_name;
	bool		refuted;
};

/**
 * struct pair_ops - the types of either side
 * @left:	of the left side; both types of a pair have the same number of references
 * @right_ref:	the @k-th reference of a right type
 * @reflexive:	both sides are the same, and each type is equal to itself
 */
struct pair_ops {
	struct type_graph left;
	uint32_t	(*right_ref)(const void *arg, uint32_t right, uint32_t k);
	bool		reflexive;
};

/**
 * struct pairs - the pairs, sorted by their left types
 * @first:	by left type: its first pair; its pairs end at the first of the next type
 * @work:	left types that have pairs; then, those with a refuted pair whose referrers
 *		are to be checked again
 * @compared:	number of references compared so far
 */
struct pairs {
	const struct pair_ops	*ops;
	const void		*arg;
	uint32_t		nr_left;
	VECTOR(struct pair);
	uint32_t		*first;
	uint32_t		filled;
	struct referrers	referrers;
	uint32_t		*work;
	uint32_t		nr_work;
	bool			*queued;
	uint64_t		compared;
};

/** pairs__init() - @nr_left: one more than the highest left type. */
void pairs__init(struct pairs *p, const struct pair_ops *ops, const void *arg, uint32_t nr_left);
void pairs__destroy(struct pairs *p);

/** pairs__add() - Add a pair; left types must be ascending. */
void pairs__add(struct pairs *p, uint32_t left, uint32_t right, bool by_name);

/**
 * pairs__refute() - refute all pairs that are not equal; once, when all are added
 *
 * Return: false if the input was made to take too long: then no pair must be used.
 */
bool pairs__refute(struct pairs *p);

#endif /* ABTF_TYPES_PAIRS_H */
