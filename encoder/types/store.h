/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The type store: every distinct type of an image once, as a node.
 *
 * A loader hands in types with a content hash; equal hashes are one node.  In
 * that hash a reference to a *named* struct, union or enum counts as its kind
 * and name, and any other reference as the content of what it refers to, so
 * there are no cycles to follow, and nearly all of the deduplication is done
 * by the time a unit has been read.  What the names hide, that one name may
 * have several contents, is types/conflict.h's business.
 *
 * Each thread fills a separate store; store__merge() merges them.
 * Node ids are indexes into one store.  The writer assigns BTF ids.
 */
#ifndef ABTF_TYPES_STORE_H
#define ABTF_TYPES_STORE_H

#include "types/node.h"
#include "types/strings.h"
#include "util/bytes.h"

/**
 * struct node_hash - what a look-up needs of a node
 * @next:	the node that was asked for after this one the last time: units
 *		include the same headers, so types come in the same order
 * @seen:	what store__settle() adds to the node's count; kept here because
 *		a look-up that ends here touches no other memory
 */
struct node_hash {
	struct hash	hash;
	uint32_t	next;
	uint32_t	seen;
};

/**
 * struct store - the nodes
 * @nodes:	by id; [0] is void
 * @hashes:	by id; apart from @nodes, so that a look-up touches little memory
 * @last:	node that was asked for last
 * @children:	all nodes' children, a node's own ones in one run
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

void store__init(struct store *s);
void store__destroy(struct store *s);

/**
 * store__expect() - make room for an image's types
 * @names:	size of its .debug_str, to estimate their number; not a limit
 *
 * Untouched room costs no memory, while growing an array later means copying it.
 */
void store__expect(struct store *s, uint64_t names);

/* The form of store__intern() for a type out of the usual order. */
int64_t store__intern_slow(struct store *s, struct hash hash);

/**
 * store__intern() - find or make the node of a content hash
 *
 * A new node, whose id is the number of nodes there were, has nothing but its
 * hash; the caller fills it.
 *
 * Return: the node's id, or -EINVAL after a message: too many hashes that meet.
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

/** store__settle() - Bring the nodes' counts up to date; once, when all is read. */
void store__settle(struct store *s);

/**
 * store__merge() - add another store's nodes
 * @from:	left without the strings that it owned, and nothing can be looked up in it
 * @map:	where the other store's ids go, by id: malloc()ed
 * @strings:	the same for its strings
 *
 * Counts are added up and the earliest place is kept, so that the result is
 * the same whichever thread read which unit.
 *
 * Return: 0, or a negative errno after a message: then there are no maps.
 */
int store__merge(struct store *to, struct store *from, uint32_t **map, uint32_t **strings);

static inline const char *store__name(const struct store *s, const struct node *n)
{
	return s->strings.array[n->name].s;
}

/**
 * store__same_content() - are two nodes one type, if every name means one thing?
 *
 * What the hash stands for, word by word: whatever goes into it is here, and what is here
 * must go into it.  The encoder believes the hash; built with sanitizers (CHECK_HITS), it
 * compares here each time that two types share one.
 *
 * Named structs, unions and enums that they refer to are the same if kind and name
 * are.  Of what has no name, no more than the outside is looked at: it has a hash of
 * its own, which is looked at in its turn.
 */
bool store__same_content(const struct store *s, const struct node *a, const struct node *b);

/** store__check_hit() - Abort, with a message, unless a type is what its hash led to. */
void store__check_hit(const struct store *s, const struct node *type, const struct node *found);

/**
 * store__key() - Return: what a reference to a named struct, union or enum counts as.
 * @name:	hash_bytes() of its name
 */
struct hash store__key(uint8_t kind, uint64_t name);

#endif /* ABTF_TYPES_STORE_H */
