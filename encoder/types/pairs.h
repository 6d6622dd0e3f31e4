/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which pairs of types are the same?  Believe all of them, refute until stable.
 *
 * Types refer to each other in cycles, so that whether two are the same depends on
 * itself.  All pairs that are added are believed at first.  One whose references
 * lead to no pair is refuted, and then those that refer to it are looked at again,
 * until no more fall: what is left is the greatest set of pairs in which every
 * reference is borne out.
 */
#ifndef ABTF_TYPES_PAIRS_H
#define ABTF_TYPES_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct pair - a type of the left side, and one of the right
 * @by_name:	that they have one name is enough: one is a forward of the other
 */
struct pair {
	uint32_t	left;
	uint32_t	right;
	bool		by_name;
	bool		refuted;
};

/**
 * struct pair_ops - what there is on either side
 * @nr_refs:	references of a left type, of which a right one of a pair has as many
 * @left_ref:	the k-th of them, 0 for void
 * @right_ref:	the same of a right type
 * @reflexive:	both sides are one, and everything is the same as itself
 */
struct pair_ops {
	uint32_t	(*nr_refs)(const void *arg, uint32_t left);
	uint32_t	(*left_ref)(const void *arg, uint32_t left, uint32_t k);
	uint32_t	(*right_ref)(const void *arg, uint32_t right, uint32_t k);
	bool		reflexive;
};

/**
 * struct pairs - the pairs
 * @array:	in the order of their left types
 * @first:	by left type: its first pair; those of one are one run, up to the
 *		next one's first
 * @start:	by left type: where those that refer to it begin in @referrers
 * @work:	left types with a refuted pair whose referrers are to be looked at
 * @compared:	references compared so far
 */
struct pairs {
	const struct pair_ops	*ops;
	const void		*arg;
	uint32_t		nr_left;
	struct pair		*array;
	uint32_t		nr, cap;
	uint32_t		*first;
	uint32_t		filled;
	uint32_t		*start;
	uint32_t		*referrers;
	uint32_t		*work;
	uint32_t		nr_work;
	bool			*queued;
	uint64_t		compared;
};

/** pairs__init() - @nr_left: one more than the highest left type. Return: 0 or -ENOMEM. */
int pairs__init(struct pairs *p, const struct pair_ops *ops, const void *arg, uint32_t nr_left);
void pairs__destroy(struct pairs *p);

/** pairs__add() - Add a pair, in the order of left types. Return: 0 or -ENOMEM. */
int pairs__add(struct pairs *p, uint32_t left, uint32_t right, bool by_name);

/**
 * pairs__refute() - refute all that are not the same; once, when all are added
 *
 * Return: 0, -ENOMEM, or -ETIME if the types were made to take too long: then no
 * pair can be believed.
 */
int pairs__refute(struct pairs *p);

#endif /* ABTF_TYPES_PAIRS_H */
