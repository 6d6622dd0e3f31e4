/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Partition types into classes of equal ones.
 *
 * Types with equal content start as one class.  Those whose references lead to other
 * classes than the others' leave it, and the types that refer to them are checked again,
 * until nothing changes.  The result is the coarsest partition in which types of one class
 * refer to the same classes.  (types/pairs.h compares two sides, one of which may have less
 * information.)
 *
 * The smaller part of a class leaves it, so a type does so at most 32 times, which limits
 * the time for any input.
 */
#ifndef ABTF_TYPES_PARTITION_H
#define ABTF_TYPES_PARTITION_H

#include <stdbool.h>

#include "types/referrers.h"

/**
 * struct partition - the classes
 * @graph:	the types; @graph and @arg are set by the caller
 * @class:	by type: its class; unique types have their own id
 * @members:	types that are not unique; those of a class are adjacent
 * @at:		by type: its place in @members, + 1; 0: it is unique
 * @start, @len: by class - @nr_types: its part of @members
 */
struct partition {
	struct type_graph	graph;
	const void		*arg;
	uint32_t		nr_types;
	uint32_t		*class;
	uint32_t		*members;
	uint32_t		nr_members;
	uint32_t		*at;
	uint32_t		*start, *len;
	uint32_t		nr_classes;
	struct referrers	referrers;
};

/**
 * partition__init() - put types with equal content into one class
 * @equal:	by type: the first one with equal content, no higher than the type; 0: it is
 *		not part of the partition, and unique
 * @fixed:	by type: @equal is final
 */
void partition__init(struct partition *p, const uint32_t *equal, const bool *fixed,
		     uint32_t nr_types);

/** partition__refine() - Split classes whose members refer to different ones. */
void partition__refine(struct partition *p);

void partition__destroy(struct partition *p);

#endif /* ABTF_TYPES_PARTITION_H */
