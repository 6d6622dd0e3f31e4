// SPDX-License-Identifier: GPL-2.0-only
#include <linux/btf.h>

#include "types/conflict.h"
#include "util/memory.h"
#include "util/msg.h"

/* Test whether references by name may lead to this node. */
static bool is_candidate(const struct node *n)
{
	return n->count && n->name && kind__is_tagged(n->kind) && !(n->flags & TYPE_VARIANT);
}

static bool same_name(const struct node *a, const struct node *b)
{
	return a->name == b->name && kind__of_name(a->kind) == kind__of_name(b->kind);
}

static uint32_t name_hash(const struct node *n)
{
	return ((uint64_t)n->name << 8 | kind__of_name(n->kind)) * HASH_K1 >> 32;
}

/* The slot of a node's name, or a free one; NULL if it is too far away. */
static struct hash_slot *find_primary(const struct primaries *p, const struct store *s,
				      const struct node *n)
{
	struct hash_slot *slot;

	table__for_each(slot, &p->by_name, name_hash(n))
		if (same_name(&s->nodes[slot->id], n))
			break;
	return slot;
}

static uint32_t primary_of(const struct primaries *p, const struct store *s, const struct node *n)
{
	const struct hash_slot *slot = find_primary(p, s, n);

	return slot ? slot->id : 0;
}

/* A definition is preferred to a forward; then the more frequent, or the earlier one. */
static bool is_better(const struct node *a, const struct node *b)
{
	if ((a->flags ^ b->flags) & TYPE_FORWARD)
		return b->flags & TYPE_FORWARD;
	return a->count != b->count ? a->count > b->count : a->first < b->first;
}

int primaries__find(struct primaries *p, const struct store *s)
{
	uint32_t id, nr = 0;

	for (id = 1; id < s->nr_nodes; id++)
		nr += is_candidate(&s->nodes[id]);
	table__expect(&p->by_name, nr);
	for (id = 1; id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];
		struct hash_slot *slot;

		if (!is_candidate(n))
			continue;
		slot = find_primary(p, s, n);
		if (!slot)
			return msg_fail(-EINVAL, "\"%.64s\": one of too many names that share a hash",
					store__name(s, n));
		if (!slot->id)
			table__add(&p->by_name, slot, name_hash(n), id);
		else if (is_better(n, &s->nodes[slot->id]))
			slot->id = id;
	}
	return 0;
}

void primaries__destroy(struct primaries *p)
{
	table__destroy(&p->by_name);
}

uint32_t primaries__resolve(const struct primaries *p, const struct store *s,
			    const struct node *from, uint32_t to)
{
	const struct node *n = &s->nodes[to];

	if (!n->name || !kind__is_tagged(n->kind))
		return to;
	if (from->flags & TYPE_VARIANT && n->flags & TYPE_VARIANT)
		return to;
	return primary_of(p, s, n) ?: to;
}

void primaries__apply(const struct primaries *p, struct store *s)
{
	uint32_t id, i;

	for (id = 1; id < s->nr_nodes; id++) {
		struct node *n = &s->nodes[id];
		struct child *c = s->children + n->child;

		n->ref = primaries__resolve(p, s, n, n->ref);
		for (i = 0; i < n->nr_children; i++)
			c[i].ref = primaries__resolve(p, s, n, c[i].ref);
		if (n->flags & TYPE_FORWARD && !(n->flags & TYPE_VARIANT) && n->name &&
		    primaries__resolve(p, s, n, id) != id)
			n->count = 0;
	}
}

int conflicts__find(struct conflicts *c, const struct store *s)
{
	bool *several __cleanup(free_pointer) = xcalloc(s->nr_nodes, sizeof(*several));
	struct primaries p __cleanup(primaries__destroy) = {};
	int err = primaries__find(&p, s);

	*c = (struct conflicts){ .has = xcalloc(s->nr_nodes, sizeof(*c->has)),
				 .nr_nodes = s->nr_nodes };
	/* definitions that are not primary; @several: by node, those whose name they have */
	for (uint32_t id = 1; !err && id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];
		uint32_t primary = is_candidate(n) && !(n->flags & TYPE_FORWARD) ?
				   primary_of(&p, s, n) : id;

		if (primary == id)
			continue;
		c->has[id] = true;
		c->nr += !several[primary];
		several[primary] = true;
	}
	for (uint32_t id = 1; !err && id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];

		if (n->flags & TYPE_FORWARD && n->name && kind__is_tagged(n->kind))
			c->has[id] = several[primary_of(&p, s, n)];
	}
	return err;
}

void conflicts__destroy(struct conflicts *c)
{
	free(c->has);
}
