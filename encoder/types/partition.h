/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Classes of types that are the same.
 *
 * Types that look alike begin as one class.  Those whose references lead to other
 * classes than the others' leave it, and then what refers to them is looked at
 * again, until no more leave: what is left is the coarsest partition in which types
 * of one class refer to the same classes.  (types/pairs.h asks the same question of
 * two sides, of which one may know less than the other.)
 *
 * The smaller part of a class leaves it, so that a type does so at most 32 times, and
 * the whole ends in time whatever the types are made like.
 */
#ifndef ABTF_TYPES_PARTITION_H
#define ABTF_TYPES_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct partition - the classes
 * @ref:	the k-th reference of a type, resolved; 0 for void
 * @nr_refs:	number of references
 * @class:	by type: its class; types that are alone have the class of their own id
 * @members:	types that are not alone, those of a class in one run
 * @at:		by type: its place in @members, + 1; 0: it is alone
 * @start, @len: by class - @nr_types: its run
 * @start_of:	by type: where those that refer to it begin in @referrers
 */
struct partition {
	uint32_t	(*ref)(const void *arg, uint32_t type, uint32_t k);
	uint32_t	(*nr_refs)(const void *arg, uint32_t type);
	const void	*arg;
	uint32_t	nr_types;
	uint32_t	*class;
	uint32_t	*members;
	uint32_t	nr_members;
	uint32_t	*at;
	uint32_t	*start, *len;
	uint32_t	nr_classes;
	uint32_t	*start_of;
	uint32_t	*referrers;
};

/**
 * partition__init() - begin; @p has its callbacks
 * @alike:	by type: the first of those that it looks like; 0: it takes no part,
 *		and is itself.  No higher than the type
 * @fixed:	by type: @alike is all that there is to know of it
 *
 * Return: 0 or -ENOMEM.
 */
int partition__init(struct partition *p, const uint32_t *alike, const bool *fixed,
		    uint32_t nr_types);

/** partition__refine() - Let all leave that have to. Return: 0 or -ENOMEM. */
int partition__refine(struct partition *p);

void partition__destroy(struct partition *p);

#endif /* ABTF_TYPES_PARTITION_H */
