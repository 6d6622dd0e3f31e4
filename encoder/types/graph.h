/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find equal types in cyclic graphs.
 *
 * A partition starts with types of equal content as one class.  Those whose references
 * lead to other classes than the others' leave it, and the types that refer to them are
 * checked again, until nothing changes.  The result is the coarsest partition in which types
 * of one class refer to the same classes.  The smaller part of a class leaves it, so a type
 * does so at most 32 times, which limits the time for any input.
 *
 * Pairs compare two sides, one of which may have less information.  Assume that all candidate
 * pairs are equal.  Drop a pair if one of its references does not lead to a pair, and recheck
 * the pairs that refer to it.  Repeat until nothing changes.  The result is the largest
 * consistent set.
 */
#ifndef ABTF_TYPES_GRAPH_H
#define ABTF_TYPES_GRAPH_H

#include "types/store.h"

/**
 * struct type_graph - the nodes of a store, which refer to each other
 * @map:	by node: the node that replaces it in references; NULL: none is replaced
 */
struct type_graph {
	const struct store	*store;
	const uint32_t		*map;
};

/** graph__nr_refs() - Return: the number of references of a node, including void. */
static inline uint32_t graph__nr_refs(const struct type_graph *g, uint32_t id)
{
	const struct node *n = &g->store->nodes[id];

	return kind__has_ref(n->kind) + (btf_kinds[n->kind].types ? n->nr_children : 0);
}

/** graph__ref() - Return: the @k-th reference: the node's own first, then its children's. */
static inline uint32_t graph__ref(const struct type_graph *g, uint32_t id, uint32_t k)
{
	const struct node *n = &g->store->nodes[id];
	bool own = kind__has_ref(n->kind);
	uint32_t ref = own && !k ? n->ref : g->store->children[n->child + k - own].ref;

	return g->map ? g->map[ref] : ref;
}

/**
 * struct referrers - the types that refer to each type
 * @list:	those that refer to a type start at @start of it, and end at that of the next
 */
struct referrers {
	uint32_t	*start;
	uint32_t	*list;
};

/* --- partition ------------------------------------------------------------------- */

/**
 * struct partition - the classes
 * @graph:	the types
 * @class:	by type: its class; unique types have their own id
 * @elements:	types that are not unique; those of a class are adjacent
 * @at:		by type: its index in @elements, + 1; 0: it is unique
 * @start, @len: by class - @nr_types: its range of @elements
 */
struct partition {
	struct type_graph	graph;
	uint32_t		nr_types;
	uint32_t		*class;
	uint32_t		*elements;
	uint32_t		nr_elements;
	uint32_t		*at;
	uint32_t		*start, *len;
	uint32_t		nr_classes;
	struct referrers	referrers;
};

/**
 * partition__init() - put types with equal content into one class
 * @equal:	by type: the first one with equal content, no higher than the type; 0: it is
 *		not part of the partition, and unique
 * @fixed:	by type: @equal is final
 */
void partition__init(struct partition *p, struct type_graph graph, const uint32_t *equal,
		     const bool *fixed);

/** partition__refine() - Split classes whose types refer to different classes. */
void partition__refine(struct partition *p);

void partition__destroy(struct partition *p);

/* --- pairs ----------------------------------------------------------------------- */

/**
 * struct pair - a type of the left side, and one of the right
 * @by_name:	one is a forward of the other, so only their names are compared
 */
struct pair {
	uint32_t	left;
	uint32_t	right;
	bool		by_name;
	bool		refuted;
};

/**
 * struct pairs - the pairs, sorted by their left types
 * @left:	the left side
 * @right_ref:	the @k-th reference of a right type, which has as many as the left type.  NULL:
 *		both sides are @left, where each type is equal to itself
 * @first:	by left type: its first pair; its pairs end at the first of the next type
 * @work:	left types with a refuted pair whose referrers are to be checked again
 * @compared:	number of references compared so far
 */
struct pairs {
	struct type_graph	left;
	uint32_t		(*right_ref)(const void *arg, uint32_t right, uint32_t k);
	const void		*arg;
	uint32_t		nr_left;
	VECTOR(struct pair);
	uint32_t		*first;
	uint32_t		filled;
	struct referrers	referrers;
	uint32_t		*work;
	uint32_t		nr_work;
	bool			*queued;
	uint64_t		compared;
};

/** for_each_pair() - Let @pair, which is declared here, point to each pair of a left type. */
#define for_each_pair(pair, p, left)						\
	for (typeof(*(p)->array) *pair = (p)->array + (p)->first[left];		\
	     pair < (p)->array + (p)->first[(left) + 1]; pair++)

/** pairs__init() - Start without pairs; the caller sets @right_ref and @arg if needed. */
void pairs__init(struct pairs *p, struct type_graph left);
void pairs__destroy(struct pairs *p);

/** pairs__add() - Add a pair; left types must be ascending. */
void pairs__add(struct pairs *p, uint32_t left, uint32_t right, bool by_name);

/**
 * pairs__refute() - refute all pairs that are not equal; once, when all are added
 *
 * Return: false if the input was made to take too long: then no pair must be used.
 */
bool pairs__refute(struct pairs *p);

#endif /* ABTF_TYPES_GRAPH_H */
