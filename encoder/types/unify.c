// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>

#include "types/content.h"
#include "types/forwards.h"
#include "types/shape.h"
#include "types/unify.h"

/* Forwards that turn out to be something make others do so; a kernel needs one round. */
#define MAX_ROUNDS	8

static uint32_t unifier_ref(const void *arg, uint32_t type, uint32_t k)
{
	return unifier__ref(arg, type, k);
}

static uint32_t unifier_nr_refs(const void *arg, uint32_t type)
{
	const struct unifier *u = arg;

	return node__nr_refs(&u->store->nodes[type]);
}

/* What a type is looked up by: forwards of one name look alike, whatever stands for them. */
static struct hash look_of(const struct unifier *u, uint32_t id, struct hash *keys)
{
	const struct node *n = &u->store->nodes[id];
	struct hash h;

	if (u->base_ids && u->base_ids[id])
		return shape__unique(0, u->base_ids[id]);
	if (!(n->flags & TYPE_FORWARD))
		return store__shape(u->store, keys, id);
	h = store__key(n->kind, u->store->strings.array[n->name].hash);
	hash__add(&h, HASH_K1, HASH_K2);
	return h;
}

/* A shape is a hash: what it says of content is looked at. */
static bool looks_alike(const struct unifier *u, uint32_t a, uint32_t b)
{
	return u->fixed[a] || u->fixed[b] ? u->fixed[a] && u->fixed[b] :
	       store__same_content(u->store, &u->store->nodes[a], &u->store->nodes[b]);
}

/* For each type that takes part, the first that looks like it. */
static int find_alike(struct unifier *u)
{
	struct hash_table by_look = {};
	struct hash *keys, *looks;
	struct hash_slot *slot;
	uint32_t id;
	int err;

	err = store__keys(u->store, &keys);
	err = err ?: table__expect(&by_look, u->store->nr_nodes);
	looks = calloc(u->store->nr_nodes, sizeof(*looks));
	if (!looks)
		err = -ENOMEM;
	for (id = 1; !err && id < u->store->nr_nodes; id++) {
		u->fixed[id] = u->base_ids && u->base_ids[id];
		if (!u->fixed[id] && !u->rank[id])
			continue;
		looks[id] = look_of(u, id, keys);
		table__for_each(slot, &by_look, looks[id].lo)
			if (hash__equal(looks[slot->id], looks[id]) &&
			    looks_alike(u, slot->id, id))
				break;
		/* no slot: too many equal hashes in a row, which only input made for that has */
		u->alike[id] = slot && slot->id ? slot->id : id;
		if (!slot)
			err = -ENOMEM;
		else if (!slot->id)
			err = table__add(&by_look, slot, looks[id].lo, id);
	}
	table__destroy(&by_look);
	free(looks);
	free(keys);
	return err;
}

static int refine_classes(struct unifier *u)
{
	int err;

	partition__destroy(&u->classes);
	u->classes = (struct partition){ .ref = unifier_ref, .nr_refs = unifier_nr_refs,
					 .arg = u };
	err = partition__init(&u->classes, u->alike, u->fixed, u->store->nr_nodes);
	return err ?: partition__refine(&u->classes);
}

/* The first in the order of writing stands for a class. */
static int find_first(struct unifier *u)
{
	const uint32_t *class = u->classes.class;
	uint32_t nr_nodes = u->store->nr_nodes, id, i;
	uint32_t *of = calloc(nr_nodes + u->classes.nr_classes + 1UL, sizeof(*of));

	if (!of)
		return -ENOMEM;
	for (i = 0; i < u->nr; i++)
		if (!of[class[u->order[i]]])
			of[class[u->order[i]]] = u->order[i];
	for (id = 1; id < nr_nodes; id++)
		u->first[id] = of[class[id]] ?: class[id];
	free(of);
	return 0;
}

static int find_classes(struct unifier *u)
{
	int err = refine_classes(u);

	return err ?: find_first(u);
}

static int unify_nodes(struct unifier *u)
{
	unsigned int round;
	int err, more = 1;

	err = find_alike(u);
	err = err ?: find_classes(u);
	for (round = 0; !err && more > 0 && round < MAX_ROUNDS; round++) {
		more = forwards__settle(u);
		err = more < 0 ? more : more ? find_classes(u) : 0;
	}
	return err;
}

int store__unify(const struct store *s, const uint32_t *order, uint32_t nr,
		 const uint32_t *base_ids, uint32_t **ret)
{
	size_t nr_nodes = s->nr_nodes;
	struct unifier u = {
		.store = s, .base_ids = base_ids, .order = order, .nr = nr,
		.rank = calloc(nr_nodes, sizeof(*u.rank)),
		.alike = calloc(nr_nodes, sizeof(*u.alike)),
		.fixed = calloc(nr_nodes, sizeof(*u.fixed)),
		.stands = calloc(nr_nodes, sizeof(*u.stands)),
		.first = calloc(nr_nodes, sizeof(*u.first)),
	};
	int err = u.rank && u.alike && u.fixed && u.stands && u.first ? 0 : -ENOMEM;
	uint32_t i;

	for (i = 0; !err && i < nr; i++)
		u.rank[order[i]] = i + 1;
	err = err ?: unify_nodes(&u);
	for (i = 0; !err && i < nr; i++) {
		uint32_t to = u.stands[u.alike[order[i]]];

		if (to)
			u.first[order[i]] = u.first[to];
	}
	free(u.rank);
	free(u.alike);
	free(u.fixed);
	free(u.stands);
	partition__destroy(&u.classes);
	*ret = err ? NULL : u.first;
	if (err)
		free(u.first);
	return err;
}
