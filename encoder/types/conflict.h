/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names with several contents.
 *
 * The content hash takes a named struct, union or enum by its name.  That is
 * right as long as a name means one thing in the whole image.  Where it does
 * not, the most frequent content is the *primary* one.  A unit that holds
 * another content, or only a forward declaration of such a name, is read once
 * more, and whatever in it reaches that content or forward is interned again,
 * as a *variant*, under its content and the set of what it reaches.
 */
#ifndef ABTF_TYPES_CONFLICT_H
#define ABTF_TYPES_CONFLICT_H

#include "types/store.h"

/**
 * struct conflicts - names with several definitions
 * @has:	by node, for nodes that existed then: its content is not the primary one,
 *		or it is a forward of such a name
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

/** conflicts__has() - is this node another content, or a forward of such a name? */
static inline bool conflicts__has(const struct conflicts *c, uint32_t node)
{
	return node < c->nr_nodes && c->has[node];
}

/**
 * store__resolve_names() - have every reference in a store lead to the type that it means
 * @primaries:	gets, by node, what other references to it mean, unless it is a variant;
 *		malloc()ed
 *
 * Forwards that nothing refers to any more, as their name has a content, count for nothing
 * from then on.
 *
 * Return: 0, or -EINVAL after a message.
 */
int store__resolve_names(struct store *s, uint32_t **primaries);

#endif /* ABTF_TYPES_CONFLICT_H */
