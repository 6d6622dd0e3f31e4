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

struct observed;

/* A set of hashes: open addressing, the zero hash is free. */
struct hash_set {
	struct hash	*slots;
	uint32_t	nr_slots;
	uint32_t	nr;
};

/**
 * struct conflicts - what is not what it is called
 * @keys:	keys of the names that have several contents
 * @others:	hashes of their contents that are not primary
 */
struct conflicts {
	struct hash_set	keys;
	struct hash_set	others;
};

/**
 * conflicts__find() - find the names with several contents
 *
 * Return: 0 or -ENOMEM.  No conflict: @c->keys.nr is 0.
 */
int conflicts__find(struct conflicts *c, const struct store *s);

void conflicts__destroy(struct conflicts *c);

/** conflicts__has() - is this node another content, or a forward of such a name? */
bool conflicts__has(const struct conflicts *c, const struct store *s, const struct node *n);

bool hash_set__has(const struct hash_set *set, struct hash h);

struct primary {
	struct hash	key;
	uint32_t	id;
};

/**
 * struct primaries - what a name means, for references that go by name
 * @slots:	open addressing by key: the node, 0 is free
 */
struct primaries {
	struct primary	*slots;
	uint32_t	nr_slots;
};

/**
 * primaries__find() - find the content of every name
 *
 * Forwards count only where there is no content; a struct and a union of one
 * name both do.
 *
 * Return: 0 or -ENOMEM.
 */
int primaries__find(struct primaries *p, const struct store *s);

void primaries__destroy(struct primaries *p);

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
