/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the equal nodes when all types have been read.
 *
 * Nearly all equal types are one node already, because of their hash.  Exceptions are
 * variants that turned out to be equal, types with names that a linker duplicated, and all
 * types that were read from BTF.  Two nodes are equal if their content is the same, and
 * their references lead to equal types (types/graph.h).
 *
 * A forward is replaced by the only definition of its name.  If there are several, it is
 * replaced within a struct that otherwise equals one with a definition: "struct a { struct
 * b *b; }" in a unit that only declares b equals "struct a { struct b *b; }" in a unit that
 * defines b, and so does its b.
 */
#ifndef ABTF_TYPES_UNIFY_H
#define ABTF_TYPES_UNIFY_H

#include "types/store.h"

/**
 * store__unify() - find the first equal node of each node
 * @s:		its references are resolved
 * @order:	the nodes that are to be written, @nr, in that order
 * @base_ids:	by node: id of the same type in the base, which is not written; 0 for
 *		none.  NULL without a base
 * @keys:	from store__keys()
 *
 * Return: by node: the first equal node in @order; malloc()ed.
 */
uint32_t *store__unify(const struct store *s, const uint32_t *order, uint32_t nr,
		       const uint32_t *base_ids, struct hash *keys);

#endif /* ABTF_TYPES_UNIFY_H */
