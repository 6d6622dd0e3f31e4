/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shape of a type: a hash of its content in which a reference to a named struct,
 * union or enum is represented by the name, and any other reference by the shape of
 * its target.
 *
 * Types with the same shape may be equal; types/unify.h and btf/match.h decide whether
 * they are.  A node and a type in BTF have the same shape if they are equal: unlike a
 * node's own hash, a shape does not depend on the CU or the variant.
 */
#ifndef ABTF_TYPES_SHAPE_H
#define ABTF_TYPES_SHAPE_H

#include "types/store.h"

/** node__flag() - Return: kind_flag in BTF; for a prototype, whether it ends in "...". */
bool node__flag(const struct node *n);

/**
 * struct shape_ops - where types are, and their parts
 * @side:	0 for BTF, 1 for a store: part of unique keys
 * @node:	the type with an id, which may be decoded to @buf; NULL if it is not equal
 *		to any other
 * @child:	its @k-th child
 * @name:	hash_bytes() of a name
 * @key:	shape__key(), with these ops, of a type whose key is not known
 *
 * It is constant, so that the calls are inlined.
 */
struct shape_ops {
	uint64_t	side;
	const struct node *(*node)(const void *arg, uint32_t id, struct node *buf);
	struct child	(*child)(const void *arg, const struct node *n, uint32_t id,
				 uint32_t k);
	uint64_t	(*name)(const void *arg, uint32_t name);
	struct hash	(*key)(const void *arg, uint32_t id, unsigned int depth);
};

static inline __attribute__((always_inline))
void shape__add_ref(struct hash *h, const struct hash *keys, uint32_t ref, unsigned int depth,
		    const struct shape_ops *ops, const void *arg)
{
	struct hash key = keys[ref];

	if (ref && !key.lo && !key.hi)
		key = ops->key(arg, ref, depth + 1);
	hash__add(h, key.lo, key.hi);
}

/** shape__of() - Return: the shape of a type; for the other parameters, see shape__key(). */
static inline __attribute__((always_inline))
struct hash shape__of(const struct node *n, const struct hash *keys, uint32_t id,
		      unsigned int depth, const struct shape_ops *ops, const void *arg)
{
	struct hash h = hash__new((uint64_t)n->kind << 1 | node__flag(n));

	hash__add(&h, (uint64_t)n->size << 32 | n->nr_children,
		  ops->name(arg, n->name) ^ n->encoding);
	if (kind__has_ref(n->kind))
		shape__add_ref(&h, keys, n->ref, depth, ops, arg);
	for (uint32_t k = 0; k < n->nr_children; k++) {
		struct child c = ops->child(arg, n, id, k);
		uint64_t value = n->kind == BTF_KIND_ENUM ? (uint32_t)c.value : c.value;

		hash__add(&h, ops->name(arg, c.name), value + ((uint64_t)c.bits << 56));
		if (btf_kinds[n->kind].types)
			shape__add_ref(&h, keys, c.ref, depth, ops, arg);
	}
	return h;
}

/** shape__unique() - Return: the shape of a type that is not equal to any other. */
static inline struct hash shape__unique(uint64_t side, uint32_t id)
{
	struct hash h = hash__new(HASH_K2);

	hash__add(&h, side, id);
	return h;
}

/* Unnamed types nested deeper than in any source are not equal to any other. */
#define MAX_NESTING	1000

/**
 * shape__key() - compute the key of a type, which represents it in other shapes
 * @keys:	by id: known keys, zeroes for the others and for void
 */
static inline __attribute__((always_inline))
struct hash shape__key(struct hash *keys, uint32_t id, unsigned int depth,
		       const struct shape_ops *ops, const void *arg)
{
	struct hash *key = &keys[id];
	const struct node *n;
	struct node buf;

	if (key->lo || key->hi)
		return *key;
	/* a cycle without a name comes back here */
	*key = shape__unique(ops->side, id);
	n = ops->node(arg, id, &buf);
	if (n && n->name && kind__is_by_name(n->kind))
		*key = store__key(n->kind, ops->name(arg, n->name));
	else if (n && !(n->flags & TYPE_FORWARD) && depth <= MAX_NESTING)
		*key = shape__of(n, keys, id, depth, ops, arg);
	return *key;
}

/** shape__of_any() - Return: the shape of a type, not a forward, whose key may be its name. */
static inline __attribute__((always_inline))
struct hash shape__of_any(const struct node *n, const struct hash *keys, uint32_t id,
			  const struct shape_ops *ops, const void *arg)
{
	return n && n->name && kind__is_by_name(n->kind) ? shape__of(n, keys, id, 0, ops, arg) :
							  keys[id];
}

/**
 * store__keys() - compute the key of every node
 *
 * The key of a forward without a name is unique.
 *
 * Return: by node; malloc()ed.
 */
struct hash *store__keys(const struct store *s);

/** store__shape() - Return: the shape of a node, not a forward; @keys: from store__keys(). */
struct hash store__shape(const struct store *s, struct hash *keys, uint32_t id);

#endif /* ABTF_TYPES_SHAPE_H */
