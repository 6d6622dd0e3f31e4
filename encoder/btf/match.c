// SPDX-License-Identifier: GPL-2.0-only
/*
 * A node and a type of the base with the same shape, or a forward and a type with its name,
 * are a pair; types/graph.h finds the pairs that are equal.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/match.h"
#include "types/graph.h"
#include "types/shape.h"
#include "util/memory.h"
#include "util/msg.h"

/*
 * Maximum number of candidates with one key in the base.  A kernel has a handful; with
 * more, a type may be repeated in the split BTF.
 */
#define MAX_CANDIDATES	64U

/* Prefetch distance in nodes: the base's tables are larger than caches. */
#define AHEAD		16

/* Maximum number of references to follow while resolving forwards. */
#define MAX_FOLLOWED	(1ULL << 30)

/**
 * struct matcher - the work of one match_base()
 * @graph:	@store
 * @keys:	by node: its key, see types/shape.h
 * @pairs:	left is a node, right a type of the base
 * @followed:	references followed so far
 * @seen_as:	by node: for a forward whose name has conflicting definitions in the base,
 *		the lowest id of those that it is equal to within structs
 * @final:	by node: id in the base, once @settled
 */
struct matcher {
	const struct base	*base;
	const struct store	*store;
	struct type_graph	graph;
	struct hash		*keys;
	struct pairs		pairs;
	uint64_t		followed;
	uint32_t		*seen_as;
	uint32_t		*final;
	bool			*settled;
};

/* A reference of the base's type, with the same number as in the equal node. */
static uint32_t base_ref(const void *arg, uint32_t id, uint32_t k)
{
	const struct matcher *m = arg;
	const struct btf_type *t = btf_data__type(m->base->btf, id);

	return *btf_type__id(t, k);
}

/* --- pairs --------------------------------------------------------------------- */

static bool is_forward(const struct node *n)
{
	return n->flags & TYPE_FORWARD;
}

/* A forward on either side is a pair with any type with its name. */
static void add_candidates(struct matcher *m, uint32_t id)
{
	bool forward = is_forward(&m->store->nodes[id]);
	struct hash shape = forward ? m->keys[id] : store__shape(m->store, m->keys, id);
	const struct base *base = m->base;
	const struct btf_type *t;
	struct hash_slot *slot;
	uint32_t nr = 0;

	table__for_each(slot, &base->types, m->keys[id].lo) {
		if (nr++ == MAX_CANDIDATES)
			break;
		if (!hash__equal(base->keys[slot->id], m->keys[id]))
			continue;
		t = btf_data__type(base->btf, slot->id);
		if (forward || base__is_forward(base, slot->id))
			pairs__add(&m->pairs, id, slot->id, true);
		/* compare the number, in case of a deliberate hash collision */
		else if (hash__equal(base__shape(base, slot->id), shape) &&
			 graph__nr_refs(&m->graph, id) <= btf_type__nr_ids(t))
			pairs__add(&m->pairs, id, slot->id, false);
	}
}

static int find_pairs(struct matcher *m)
{
	uint32_t nr = m->store->nr_nodes;

	pairs__init(&m->pairs, m->graph);
	m->pairs.right_ref = base_ref;
	m->pairs.arg = m;
	for (uint32_t id = 1; id < nr; id++) {
		if (id + AHEAD < nr)
			table__prefetch(&m->base->types, m->keys[id + AHEAD].lo);
		add_candidates(m, id);
	}
	return pairs__refute(&m->pairs) ? 0 :
	       msg_fail(-ETIME, "it takes too long to find the types in the base");
}

/* --- the one that is taken ------------------------------------------------------ */

static uint32_t resolve_node(struct matcher *m, uint32_t node);

/* How deep in a struct a forward may be: "*(*)(struct fwd *)". */
#define MAX_DEPTH	4U

/* @node equals @id within a struct that is in the base.  Resolve the forwards below it. */
static void record_forwards(struct matcher *m, uint32_t node, uint32_t id, unsigned int depth)
{
	const struct node *n = &m->store->nodes[node];
	uint32_t k;

	if (!node || !id || m->followed++ > MAX_FOLLOWED)
		return;
	if (is_forward(n)) {
		if (!base__is_forward(m->base, id) &&
		    (!m->seen_as[node] || id < m->seen_as[node]))
			m->seen_as[node] = id;
		return;
	}
	for (k = 0; kind__has_ref(n->kind) && depth < MAX_DEPTH &&
	     k < graph__nr_refs(&m->graph, node); k++)
		record_forwards(m, graph__ref(&m->graph, node, k), base_ref(m, id, k), depth + 1);
}

static bool is_ambiguous(const struct matcher *m, uint32_t node)
{
	return is_forward(&m->store->nodes[node]) &&
	       m->pairs.first[node + 1] - m->pairs.first[node] > 1;
}

/* Resolve forwards with several candidates by the structs that are also in the base. */
static void resolve_by_structs(struct matcher *m)
{
	uint32_t nr = m->store->nr_nodes, id, k;

	for (id = 1; id < nr && !is_ambiguous(m, id); id++)
		;
	if (id == nr)
		return;
	for (id = 1; id < nr; id++) {
		const struct node *n = &m->store->nodes[id];

		if (kind__has_ref(n->kind) || is_forward(n) || !resolve_node(m, id))
			continue;
		for (k = 0; k < graph__nr_refs(&m->graph, id); k++)
			record_forwards(m, graph__ref(&m->graph, id, k),
					base_ref(m, m->final[id], k), 0);
	}
}

/*
 * Resolve a forward by itself: to the only definition of its name, to the one that a
 * struct in the base refers to, or otherwise to the base's forward.
 */
static uint32_t resolve_forward(const struct matcher *m, uint32_t node)
{
	uint32_t content = 0, forward = 0, contents = 0;

	for_each_pair(pair, &m->pairs, node) {
		if (base__is_forward(m->base, pair->right)) {
			forward = forward ?: pair->right;
			continue;
		}
		content = pair->right;
		contents++;
	}
	if (m->store->nodes[node].flags & TYPE_VARIANT)
		return forward;
	return contents == 1 ? content : m->seen_as[node] ?: forward;
}

static bool shares_refs(struct matcher *m, const struct pair *p)
{
	for (uint32_t k = 0; k < graph__nr_refs(&m->graph, p->left); k++)
		if (resolve_node(m, graph__ref(&m->graph, p->left, k)) !=
		    base_ref(m, p->right, k))
			return false;
	return true;
}

/*
 * A struct that matches is used with the references that it has in the base.  A type
 * that only refers to others (a pointer, a prototype) must agree with the types to
 * which these are resolved.
 */
static uint32_t resolve_node(struct matcher *m, uint32_t node)
{
	const struct node *n = &m->store->nodes[node];

	if (!node || m->settled[node])
		return m->final[node];
	m->settled[node] = true;
	if (is_forward(n)) {
		m->final[node] = resolve_forward(m, node);
		return m->final[node];
	}
	for_each_pair(p, &m->pairs, node) {
		if (p->refuted || p->by_name || (kind__has_ref(n->kind) && !shares_refs(m, p)))
			continue;
		m->final[node] = p->right;
		break;
	}
	return m->final[node];
}

int match_base(const struct base *base, const struct store *store, struct hash *keys,
	       uint32_t **ret)
{
	size_t nr = store->nr_nodes;
	uint32_t *seen_as __cleanup(free_pointer) = xcalloc(nr, sizeof(*seen_as));
	uint32_t *final __cleanup(free_pointer) = xcalloc(nr, sizeof(*final));
	bool *settled __cleanup(free_pointer) = xcalloc(nr, sizeof(*settled));
	struct matcher m = { .base = base, .store = store, .graph = { .store = store },
			     .keys = keys, .seen_as = seen_as, .final = final,
			     .settled = settled };
	int err = find_pairs(&m);

	if (!err)
		resolve_by_structs(&m);
	for (uint32_t id = 1; !err && id < nr; id++)
		resolve_node(&m, id);
	*ret = err ? NULL : no_free_ptr(final);
	pairs__destroy(&m.pairs);
	return err;
}
