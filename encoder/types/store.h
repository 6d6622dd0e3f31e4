/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The type store: every distinct type of an image once, as a node.
 *
 * Loaders add types by a hash of their content; types with equal hashes are one node.  In
 * this hash, a reference to a *named* struct, union or enum is represented by its kind and
 * name, and any other reference by the content of its target.  So there are no cycles to
 * follow, and nearly all types are deduplicated when a unit has been read.  Names with
 * conflicting definitions are handled by types/conflict.h.
 *
 * Each thread fills a separate store; store__merge() merges them.
 * Node ids are indexes into one store.  The writer assigns BTF ids.
 */
#ifndef ABTF_TYPES_STORE_H
#define ABTF_TYPES_STORE_H

#include "types/node.h"
#include "types/strings.h"
#include "util/bytes.h"
#include "util/hash.h"

/**
 * struct node_hash - the part of a node that look-ups need
 * @hash:	of its content; for a variant, also of the set of definitions that it
 *		reaches
 * @next:	the node that followed this one in the last look-ups: units include the same
 *		headers, so types come in the same order
 * @uses:	store__add_uses() adds this to the node's @uses; it is kept here because most
 *		look-ups touch no other memory
 */
struct node_hash {
	struct hash	hash;
	uint32_t	next;
	uint32_t	uses;
};

/**
 * struct store - the nodes
 * @nodes:	by id; [0] is void
 * @hashes:	by id; separate from @nodes, so that look-ups touch little memory
 * @last:	the last node that was looked up
 * @children:	children of all nodes; those of one node are adjacent
 * @by_hash:	ids by content
 */
struct store {
	struct strings	strings;
	struct node	*nodes;
	uint32_t	nr_nodes, cap_nodes;
	struct node_hash *hashes;
	uint32_t	cap_hashes;
	uint32_t	last;
	struct child	*children;
	uint32_t	nr_children, cap_children;
	struct hash_table by_hash;
};

/**
 * store__init() - make room for an image's types
 * @names:	size of their names, to estimate their number; not a limit
 *
 * Unused parts do not use memory, but growing an array later would copy it.
 */
void store__init(struct store *s, uint64_t names);
void store__destroy(struct store *s);

/** store__close() - Free what only look-ups need: no type or string can be added any more. */
void store__close(struct store *s);

/* The slow path of store__intern(), for a type that is not next in the usual order. */
int64_t store__intern_slow(struct store *s, struct hash hash);

/**
 * store__intern() - find or make the node of a content hash
 *
 * A new node, whose id is the previous number of nodes, only has its hash; the caller fills
 * in the rest.
 *
 * Return: the node's id, or -EINVAL after a message if too many hashes collide.
 */
static inline int64_t store__intern(struct store *s, struct hash hash)
{
	uint32_t next = s->hashes[s->last].next;

	if (likely(next && hash__equal(s->hashes[next].hash, hash)))
		return s->last = next;
	return store__intern_slow(s, hash);
}

/** store__add_children() - Return: the index of the first of @nr new entries, to be filled. */
uint32_t store__add_children(struct store *s, uint32_t nr);

/** store__add_uses() - Update the nodes' @uses; once, when everything has been read. */
void store__add_uses(struct store *s);

/**
 * store__merge() - add another store's nodes
 * @from:	loses the strings that it owned, and no longer supports look-ups
 * @map:	by id in @from: the new id; malloc()ed
 * @strings:	the same for its strings
 *
 * Uses are added, and the earliest @first_seen is kept, so that the result does not depend on
 * which thread read which unit.
 *
 * Return: 0, or a negative errno after a message; then, there are no maps.
 */
int store__merge(struct store *to, struct store *from, uint32_t **map, uint32_t **strings);

static inline const char *store__name(const struct store *s, const struct node *n)
{
	return s->strings.array[n->name].s;
}

/**
 * store__same_content() - test whether two nodes are one type, if each name has one
 * definition
 *
 * Compares exactly the input of the hash.  The encoder trusts the hash; built with
 * sanitizers (CHECK_HITS), it calls this function whenever two types share a hash.
 *
 * References to named structs, unions and enums are the same if kind and name are.  Unnamed
 * targets are compared without their references: these were compared when the targets were
 * interned.
 */
bool store__same_content(const struct store *s, const struct node *a, const struct node *b);

/** store__check_hit() - Abort, with a message, if a type differs from the one found by its hash. */
void store__check_hit(const struct store *s, const struct node *type, const struct node *found);

/**
 * store__key() - Return: the key of a named struct, union or enum, for references to it.
 * @name:	hash_bytes() of its name
 */
struct hash store__key(uint8_t kind, uint64_t name);

#endif /* ABTF_TYPES_STORE_H */
