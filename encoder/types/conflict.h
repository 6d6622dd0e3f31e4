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

/** struct primaries - resolves references by name; @by_name: the node that a name denotes */
struct primaries {
	struct hash_table	by_name;
};

/**
 * primaries__find() - find the content of every name
 *
 * Forwards count only where there is no content; a struct and a union of one
 * name both do.
 *
 * Return: 0, or -EINVAL after a message: too many names that share a hash.
 */
int primaries__find(struct primaries *p, const struct store *s);

void primaries__destroy(struct primaries *p);

/**
 * primaries__apply() - have every reference in a store lead to the type that it means
 *
 * Forwards that nothing refers to any more, as their name has a content, count for nothing
 * from then on.
 */
void primaries__apply(const struct primaries *p, struct store *s);

/**
 * primaries__resolve() - what a reference means
 * @from:	the node that refers
 * @to:		the node it was seen with
 *
 * Return: @to itself if it has no name, or if it is the variant that @from was
 * interned with; else what the name means in the whole image.
 */
uint32_t primaries__resolve(const struct primaries *p, const struct store *s,
			    const struct node *from, uint32_t to);

#endif /* ABTF_TYPES_CONFLICT_H */
