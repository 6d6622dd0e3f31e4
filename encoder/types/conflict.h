/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names with conflicting definitions.
 *
 * In the content hash, a name represents a named struct, union or enum.  This works if the
 * whole image has one definition of each name.  Otherwise, the most frequent definition is
 * the *primary* one.  A unit with another definition, or only a forward declaration of such
 * a name, is read again.  All types in it that reach this definition or forward are
 * interned again, as *variants*: by their content, and the set of definitions that they
 * reach.
 */
#ifndef ABTF_TYPES_CONFLICT_H
#define ABTF_TYPES_CONFLICT_H

#include "types/store.h"

/**
 * struct conflicts - names with several definitions
 * @has:	by node, for nodes that existed then: it is not the primary definition, or
 *		it is a forward of such a name
 * @nr:		number of names with several definitions
 */
struct conflicts {
	bool		*has;
	uint32_t	nr_nodes;
	uint32_t	nr;
};

/**
 * conflicts__find() - find the names with several definitions
 * @c:		must be destroyed, also after an error
 *
 * Return: 0, or -EINVAL after a message.
 */
int conflicts__find(struct conflicts *c, const struct store *s);

void conflicts__destroy(struct conflicts *c);

/** conflicts__has() - Test for a definition that is not primary, or a forward of such a name. */
static inline bool conflicts__has(const struct conflicts *c, uint32_t node)
{
	return node < c->nr_nodes && c->has[node];
}

/**
 * store__resolve_names() - let every reference in a store lead to the definition of its
 * name
 * @primaries:	by node: the definition that other references to it mean, unless it is a
 *		variant; malloc()ed
 *
 * Forwards whose name has a definition are unused from then on.
 *
 * Return: 0, or -EINVAL after a message.
 */
int store__resolve_names(struct store *s, uint32_t **primaries);

#endif /* ABTF_TYPES_CONFLICT_H */
