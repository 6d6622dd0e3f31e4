// SPDX-License-Identifier: GPL-2.0-only
#include <linux/btf.h>

#include "types/conflict.h"
#include "util/memory.h"
#include "util/msg.h"

/* Test whether references by name may lead to this node. */
static bool is_candidate(const struct node *n)
{
	return n->uses && n->name && kind__is_by_name(n->kind) && !(n->flags & TYPE_VARIANT);
}

static uint32_t name_hash(const struct node *n)
{
	return ((uint64_t)n->name << 8 | kind__of_name(n->kind)) * HASH_K1 >> 32;
}

/* The slot of a node's name, or a free one; NULL if it is too far away. */
static struct hash_slot *find_name(const struct hash_table *by_name, const struct store *s,
				   const struct node *n)
{
	struct hash_slot *slot;

	table__for_each(slot, by_name, name_hash(n)) {
		const struct node *other = &s->nodes[slot->id];

		if (other->name == n->name &&
		    kind__of_name(other->kind) == kind__of_name(n->kind))
			break;
	}
	return slot;
}

/* Prefer a definition to a forward, then the more frequent one, then the earlier one. */
static bool is_better(const struct node *a, const struct node *b)
{
	if ((a->flags ^ b->flags) & TYPE_FORWARD)
		return b->flags & TYPE_FORWARD;
	return a->uses != b->uses ? a->uses > b->uses : a->first_seen < b->first_seen;
}

/*
 * Find the primary definition of every name.  A forward is only primary without a
 * definition; a struct and a union with one name are conflicting definitions.
 *
 * Return: 0, or -EINVAL after a message: too many names that share a hash.
 */
static int find_primaries(const struct store *s, uint32_t **ret)
{
	uint32_t *primaries __cleanup(free_pointer) = xcalloc(s->nr_nodes, sizeof(*primaries));
	struct hash_table by_name __cleanup(table__destroy) = {};
	struct hash_slot *slot;
	uint32_t id, nr = 0;

	for (id = 1; id < s->nr_nodes; id++)
		nr += is_candidate(&s->nodes[id]);
	table__expect(&by_name, nr);
	for (id = 1; id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];

		if (!is_candidate(n))
			continue;
		slot = find_name(&by_name, s, n);
		if (!slot)
			return msg_fail(-EINVAL, "\"%.64s\": too many names share its hash",
					store__name(s, n));
		if (!slot->id)
			table__add(&by_name, slot, name_hash(n), id);
		else if (is_better(n, &s->nodes[slot->id]))
			slot->id = id;
	}
	for (id = 1; id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];

		slot = n->name && kind__is_by_name(n->kind) ? find_name(&by_name, s, n) : NULL;
		primaries[id] = slot && slot->id ? slot->id : id;
	}
	*ret = no_free_ptr(primaries);
	return 0;
}

int store__resolve_names(struct store *s, uint32_t **ret)
{
	const uint32_t *primaries;
	int err = find_primaries(s, ret);

	if (err)
		return err;
	primaries = *ret;
	for (uint32_t id = 1; id < s->nr_nodes; id++) {
		struct node *n = &s->nodes[id];

		for (uint32_t i = 0; i <= n->nr_children; i++) {
			uint32_t *ref = i ? &s->children[n->child + i - 1].ref : &n->ref;

			/* a variant refers to the variants that it was interned with */
			if (!(n->flags & s->nodes[*ref].flags & TYPE_VARIANT))
				*ref = primaries[*ref];
		}
		if (n->flags & TYPE_FORWARD && !(n->flags & TYPE_VARIANT) && primaries[id] != id)
			n->uses = 0;
	}
	return 0;
}

int conflicts__find(struct conflicts *c, const struct store *s)
{
	bool *several __cleanup(free_pointer) = xcalloc(s->nr_nodes, sizeof(*several));
	uint32_t *primaries __cleanup(free_pointer) = NULL;
	int err = find_primaries(s, &primaries);

	*c = (struct conflicts){};
	if (err)
		return err;
	c->has = xcalloc(s->nr_nodes, sizeof(*c->has));
	c->nr_nodes = s->nr_nodes;
	/* definitions that are not primary; @several: by node, the primary ones with their names */
	for (uint32_t id = 1; id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];
		uint32_t primary = primaries[id];

		if (!is_candidate(n) || n->flags & TYPE_FORWARD || primary == id)
			continue;
		c->has[id] = true;
		c->nr += !several[primary];
		several[primary] = true;
	}
	for (uint32_t id = 1; id < s->nr_nodes; id++)
		if (s->nodes[id].flags & TYPE_FORWARD)
			c->has[id] = several[primaries[id]];
	return 0;
}

void conflicts__destroy(struct conflicts *c)
{
	free(c->has);
}
