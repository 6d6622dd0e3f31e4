/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shape of a type: a hash of its content in which a named struct, union or
 * enum that it refers to counts by its name, and anything else by its own shape.
 *
 * Types of one shape may be the same; types/unify.h and btf/match.h say whether
 * they are.  A shape is the same whether it is that of a node or of a type in BTF,
 * whoever read it: unlike a node's own hash, it knows no unit and no variant.
 */
#ifndef ABTF_TYPES_SHAPE_H
#define ABTF_TYPES_SHAPE_H

#include "types/store.h"

/**
 * struct shape - what goes into a shape, from BTF or from a store
 * @flag:	what kind_flag says; of a prototype: it ends in "..."
 * @size:	where the kind has one; of an array its number of elements
 * @nr:		members, enumerators or parameters
 */
struct shape {
	uint8_t		kind;
	bool		flag;
	uint8_t		encoding;
	uint32_t	size;
	uint32_t	nr;
	uint64_t	name;
};

static inline struct hash shape__begin(const struct shape *s)
{
	struct hash h = hash__new((uint64_t)s->kind << 1 | s->flag);

	hash__add(&h, (uint64_t)s->size << 32 | s->nr, s->name ^ s->encoding);
	return h;
}

/** shape__add_child() - Add a member, enumerator or parameter, but for its type. */
static inline void shape__add_child(struct hash *h, uint64_t name, uint64_t value, uint32_t bits)
{
	hash__add(h, name, value + ((uint64_t)bits << 56));
}

/** shape__add_ref() - Add what a reference counts as; zeroes for void. */
static inline void shape__add_ref(struct hash *h, struct hash ref)
{
	hash__add(h, ref.lo, ref.hi);
}

/** shape__unique() - Return: the shape of a type that shall equal no other. */
static inline struct hash shape__unique(uint64_t side, uint32_t id)
{
	struct hash h = hash__new(HASH_K2);

	hash__add(&h, side, id);
	return h;
}

/** node__nr_refs() - Return: how many references a node has; void counts. */
static inline uint32_t node__nr_refs(const struct node *n)
{
	return kind__has_ref(n->kind) + (btf_kinds[n->kind].types ? n->nr_children : 0);
}

/** node__ref() - Return: the @k-th of them, as a node id: its own first, then its children's. */
static inline uint32_t node__ref(const struct store *s, const struct node *n, uint32_t k)
{
	if (!kind__has_ref(n->kind))
		return s->children[n->child + k].ref;
	return k ? s->children[n->child + k - 1].ref : n->ref;
}

/** node__flag() - Return: what kind_flag will say; of a prototype, that it ends in "...". */
bool node__flag(const struct node *n);

/**
 * store__keys() - what a reference to every node counts as
 * @ret:	by node; malloc()ed
 *
 * That of a forward without a name equals no other.
 *
 * Return: 0 or -ENOMEM.
 */
int store__keys(const struct store *s, struct hash **ret);

/** store__shape() - Return: the shape of a node that is no forward; @keys: by store__keys(). */
struct hash store__shape(const struct store *s, struct hash *keys, uint32_t id);

#endif /* ABTF_TYPES_SHAPE_H */
