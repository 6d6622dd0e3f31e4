// SPDX-License-Identifier: GPL-2.0-only
#include "types/graph.h"
#include "types/shape.h"
#include "types/unify.h"
#include "util/memory.h"

/* Forwards that are resolved may cause others to be; a kernel needs one round. */
#define MAX_ROUNDS	8

/**
 * struct unifier - one store__unify()
 * @rank:	by node: its index in @order, + 1; 0: it is not written
 * @equal:	by node: the first with equal content; see partition__init(), also for
 *		@fixed, which are the base's
 * @resolved:	by node, only of those in @equal: the definition of a forward, or 0
 * @first:	by node: the first of its class in @order
 * @leads_to:	by node: the node that references to it lead to, so that forwards are resolved;
 *		while structs are compared, the first of its class
 * @graph:	the store with @leads_to
 */
struct unifier {
	const struct store	*store;
	const uint32_t		*base_ids;
	struct hash		*keys;
	const uint32_t		*order;
	uint32_t		nr;
	uint32_t		*rank;
	uint32_t		*equal;
	bool			*fixed;
	uint32_t		*resolved;
	uint32_t		*first;
	uint32_t		*leads_to;
	struct type_graph	graph;
};

/* --- forwards ------------------------------------------------------------------- */

/* Types with equal content, and definitions of one name, that are compared. */
#define MAX_CANDIDATES	64U
#define MAX_DEFINITIONS	16U

/* How deep in a struct a forward may be: "*(*)(struct fwd *)". */
#define MAX_DEPTH	4U

/**
 * struct forward - a name that something only declares
 * @node:	the first forward with that name
 * @definitions: first nodes of its definitions, @nr of them
 * @in_base:	number of definitions in the base; @base_id: the last one
 */
struct forward {
	struct hash	key;
	uint32_t	node;
	uint32_t	nr;
	uint32_t	in_base;
	uint32_t	base_id;
	uint32_t	definitions[MAX_DEFINITIONS];
};

/**
 * struct resolving - one resolve_forwards(): the forwards that are not resolved, sorted by key
 * @next:	by node: the next one with equal content in another class
 * @head:	by node, only of those in @equal: the first one
 */
struct resolving {
	struct unifier	*u;
	VECTOR(struct forward);
	uint32_t	*next, *head;
	struct pairs	pairs;
};

static bool is_forward(const struct unifier *u, uint32_t id)
{
	return u->store->nodes[id].flags & TYPE_FORWARD;
}

static bool is_first(const struct unifier *u, uint32_t id)
{
	return u->rank[id] && u->first[id] == id;
}

static int compare_forwards(const void *x, const void *y)
{
	const struct forward *a = x, *b = y;

	return cmp_int(a->key.lo, b->key.lo) ?: cmp_int(a->key.hi, b->key.hi);
}

static struct hash key_of(const struct unifier *u, const struct node *n)
{
	return store__key(n->kind, u->store->strings.array[n->name].hash);
}

static void find_forwards(struct resolving *r)
{
	const struct unifier *u = r->u;

	for (uint32_t id = 1; id < u->store->nr_nodes; id++)
		if (is_first(u, id) && is_forward(u, id) && !u->resolved[u->equal[id]])
			push(r, (struct forward){ .key = key_of(u, &u->store->nodes[id]),
						  .node = u->equal[id] });
	vector__sort(r, compare_forwards);
}

/* The forward of a type's name, or NULL. */
static struct forward *forward_of(const struct resolving *r, uint32_t id)
{
	const struct node *n = &r->u->store->nodes[id];
	struct forward key;

	if (!r->nr || !n->name || !kind__is_by_name(n->kind))
		return NULL;
	key.key = key_of(r->u, n);
	return bsearch(&key, r->array, r->nr, sizeof(key), compare_forwards);
}

/* Return: whether a forward has only one definition. */
static bool find_definitions(struct resolving *r)
{
	struct unifier *u = r->u;
	struct forward *f;
	bool found = false;

	for (uint32_t i = 0; i < u->nr; i++) {
		if (!is_first(u, u->order[i]) || is_forward(u, u->order[i]))
			continue;
		f = forward_of(r, u->order[i]);
		if (f && f->nr < MAX_DEFINITIONS)
			f->definitions[f->nr++] = u->order[i];
	}
	for (uint32_t id = 1; id < u->store->nr_nodes; id++) {
		/* not only the first of a class, which may be a forward */
		if (!u->fixed[id] || is_forward(u, id))
			continue;
		f = forward_of(r, id);
		if (!f || (f->in_base && f->base_id == u->base_ids[id]))
			continue;
		f->base_id = u->base_ids[id];
		f->in_base++;
	}
	for_each(forward, r) {
		if (forward->nr != 1 || forward->in_base)
			continue;
		u->resolved[forward->node] = forward->definitions[0];
		found = true;
	}
	return found;
}

/* --- names with several definitions ----------------------------------------------- */

static void list_equal(struct resolving *r)
{
	const struct unifier *u = r->u;

	r->next = xcalloc(u->store->nr_nodes, sizeof(*r->next));
	r->head = xcalloc(u->store->nr_nodes, sizeof(*r->head));
	for (uint32_t id = u->store->nr_nodes; id-- > 1; ) {
		if (!is_first(u, id))
			continue;
		r->next[id] = r->head[u->equal[id]];
		r->head[u->equal[id]] = id;
	}
}

static void add_candidates(struct resolving *r, uint32_t id)
{
	const struct unifier *u = r->u;
	const struct forward *f = forward_of(r, id);
	uint32_t other, n = 0;

	if (is_forward(u, id)) {
		for (uint32_t i = 0; f && i < f->nr; i++)
			pairs__add(&r->pairs, id, f->definitions[i], true);
		return;
	}
	for (other = r->head[u->equal[id]]; other && n < MAX_CANDIDATES; n++) {
		if (other != id)
			pairs__add(&r->pairs, id, other, false);
		other = r->next[other];
	}
	if (f)
		pairs__add(&r->pairs, id, u->first[f->node], true);
}

/* @a and @b are equal, except for forwards on one side: these are resolved. */
static bool record_forwards(struct unifier *u, uint32_t a, uint32_t b, unsigned int depth)
{
	bool found = false;

	if (!a || !b || a == b)
		return false;
	if (is_forward(u, a) != is_forward(u, b)) {
		uint32_t *resolved = &u->resolved[u->equal[is_forward(u, a) ? a : b]];

		if (*resolved)
			return false;
		*resolved = is_forward(u, a) ? b : a;
		return true;
	}
	for (uint32_t k = 0; kind__has_ref(u->store->nodes[a].kind) && depth < MAX_DEPTH &&
			     k < graph__nr_refs(&u->graph, a); k++)
		found |= record_forwards(u, graph__ref(&u->graph, a, k),
					 graph__ref(&u->graph, b, k), depth + 1);
	return found;
}

/* Resolve forwards in structs by the first equal struct. */
static bool compare_members(struct resolving *r)
{
	struct unifier *u = r->u;
	bool found = false;

	for (uint32_t i = 0; i < u->nr; i++) {
		uint32_t id = u->order[i];
		uint8_t kind = u->store->nodes[id].kind;

		if (!is_first(u, id) || is_forward(u, id) || !kind__is_by_name(kind))
			continue;
		for_each_pair(pair, &r->pairs, id) {
			if (pair->refuted || pair->by_name || u->rank[pair->right] > u->rank[id])
				continue;
			for (uint32_t k = 0; k < graph__nr_refs(&u->graph, id); k++)
				found |= record_forwards(u, graph__ref(&u->graph, id, k),
							 graph__ref(&u->graph, pair->right, k), 0);
		}
	}
	return found;
}

static bool compare_structs(struct resolving *r)
{
	uint32_t nr = r->u->store->nr_nodes;

	list_equal(r);
	/* compare only the first of each class */
	for (uint32_t id = 1; id < nr; id++)
		r->u->leads_to[id] = r->u->first[r->u->leads_to[id]];
	pairs__init(&r->pairs, r->u->graph);
	for (uint32_t id = 1; id < nr; id++)
		if (is_first(r->u, id))
			add_candidates(r, id);
	/* if the input was made to take too long, forwards are not resolved */
	return pairs__refute(&r->pairs) && compare_members(r);
}

/* Return: whether a forward was resolved, so that the classes change. */
static bool resolve_forwards(struct unifier *u)
{
	struct resolving r = { .u = u };
	bool several = false, found;

	find_forwards(&r);
	found = find_definitions(&r);
	for_each(forward, &r)
		several |= forward->nr + forward->in_base > 1;
	if (!found && several)
		found = compare_structs(&r);
	free(r.array);
	free(r.next);
	free(r.head);
	pairs__destroy(&r.pairs);
	return found;
}

/* --- classes -------------------------------------------------------------------- */

/* The hash that a type is looked up by; all forwards with one name have the same. */
static struct hash hash_of(const struct unifier *u, uint32_t id)
{
	const struct node *n = &u->store->nodes[id];
	struct hash h;

	if (u->fixed[id])
		return shape__unique(0, u->base_ids[id]);
	if (!(n->flags & TYPE_FORWARD))
		return store__shape(u->store, u->keys, id);
	h = key_of(u, n);
	hash__add(&h, HASH_K1, HASH_K2);
	return h;
}

static bool same_content(const struct unifier *u, uint32_t a, uint32_t b)
{
	return u->fixed[a] || u->fixed[b] ? u->fixed[a] && u->fixed[b] :
	       store__same_content(u->store, &u->store->nodes[a], &u->store->nodes[b]);
}

/* Find the first type with equal content for each type. */
static void find_equal(struct unifier *u)
{
	uint32_t nr = u->store->nr_nodes;
	struct hash *hashes __cleanup(free_pointer) = xcalloc(nr, sizeof(*hashes));
	struct hash_table by_hash __cleanup(table__destroy) = {};
	struct hash_slot *slot;

	table__expect(&by_hash, nr);
	for (uint32_t id = 1; id < nr; id++) {
		u->fixed[id] = u->base_ids && u->base_ids[id];
		if (!u->fixed[id] && !u->rank[id])
			continue;
		hashes[id] = hash_of(u, id);
		table__for_each(slot, &by_hash, hashes[id].lo)
			if (hash__equal(hashes[slot->id], hashes[id]) &&
			    same_content(u, slot->id, id))
				break;
		/* no slot: too many equal hashes in a row, which only malformed input has */
		u->equal[id] = slot && slot->id ? slot->id : id;
		if (slot && !slot->id)
			table__add(&by_hash, slot, hashes[id].lo, id);
	}
}

/* Find the classes, and the type of each class that is written first. */
static void find_classes(struct unifier *u)
{
	struct partition p __cleanup(partition__destroy) = {};
	uint32_t *first __cleanup(free_pointer) = NULL;

	for (uint32_t id = 1; id < u->store->nr_nodes; id++)
		u->leads_to[id] = u->resolved[u->equal[id]] ?: id;
	partition__init(&p, u->graph, u->equal, u->fixed);
	partition__refine(&p);
	first = xcalloc(p.nr_types + p.nr_classes + 1UL, sizeof(*first));
	for (uint32_t i = 0; i < u->nr; i++)
		if (!first[p.class[u->order[i]]])
			first[p.class[u->order[i]]] = u->order[i];
	for (uint32_t id = 1; id < p.nr_types; id++)
		u->first[id] = first[p.class[id]] ?: p.class[id];
}

uint32_t *store__unify(const struct store *s, const uint32_t *order, uint32_t nr,
		       const uint32_t *base_ids, struct hash *keys)
{
	size_t nr_nodes = s->nr_nodes;
	uint32_t *rank __cleanup(free_pointer) = xcalloc(nr_nodes, sizeof(*rank));
	uint32_t *equal __cleanup(free_pointer) = xcalloc(nr_nodes, sizeof(*equal));
	bool *fixed __cleanup(free_pointer) = xcalloc(nr_nodes, sizeof(*fixed));
	uint32_t *resolved __cleanup(free_pointer) = xcalloc(nr_nodes, sizeof(*resolved));
	uint32_t *leads_to __cleanup(free_pointer) = xcalloc(nr_nodes, sizeof(*leads_to));
	uint32_t *first = xcalloc(nr_nodes, sizeof(*first));
	struct unifier u = {
		.store = s, .base_ids = base_ids, .keys = keys, .order = order, .nr = nr,
		.rank = rank, .equal = equal, .fixed = fixed, .resolved = resolved, .first = first,
		.leads_to = leads_to, .graph = { s, leads_to },
	};

	for (uint32_t i = 0; i < nr; i++)
		rank[order[i]] = i + 1;
	find_equal(&u);
	find_classes(&u);
	for (unsigned int round = 0; round < MAX_ROUNDS && resolve_forwards(&u); round++)
		find_classes(&u);
	for (uint32_t i = 0; i < nr; i++)
		if (resolved[equal[order[i]]])
			first[order[i]] = first[resolved[equal[order[i]]]];
	return first;
}
