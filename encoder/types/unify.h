/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is left of equal types, when all are there: which nodes are one type?
 *
 * Nearly all of them are one node already, by their hash.  What is not: variants
 * that came out the same, types whose names a linker has left twice, and all that
 * was read from BTF.  Two nodes are one type if their content is the same and what
 * they refer to is one type (types/partition.h).
 *
 * A forward is the one content of its name.  If there are several, it is that which
 * it is within a struct that is the same otherwise: of "struct a { struct b *b; }" in
 * a unit that only declares b and "struct a { struct b *b; }" in one that has it, the
 * first is the second, and so is its b.
 */
#ifndef ABTF_TYPES_UNIFY_H
#define ABTF_TYPES_UNIFY_H

#include "types/store.h"

/**
 * store__unify() - find the node that stands for each type
 * @s:		its references are resolved
 * @order:	the nodes that are to be written, @nr, in that order
 * @base_ids:	by node: id of the same type in the base, which is not written; 0 for
 *		none.  NULL without a base
 * @ret:	by node: of those that are one type the first in @order; malloc()ed
 *
 * Return: 0 or -ENOMEM.
 */
int store__unify(const struct store *s, const uint32_t *order, uint32_t nr,
		 const uint32_t *base_ids, uint32_t **ret);

#endif /* ABTF_TYPES_UNIFY_H */
