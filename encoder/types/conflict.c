// SPDX-License-Identifier: GPL-2.0-only
#include <linux/btf.h>

#include "types/conflict.h"
#include "util/grow.h"

static bool is_free(const struct hash *h)
{
	return !h->lo && !h->hi;
}

static struct hash *hash_set__slot(const struct hash_set *set, struct hash h)
{
	uint32_t mask = set->nr_slots - 1, i;

	for (i = h.lo & mask; !is_free(&set->slots[i]); i = (i + 1) & mask)
		if (hash__equal(set->slots[i], h))
			break;
	return &set->slots[i];
}

bool hash_set__has(const struct hash_set *set, struct hash h)
{
	return set->nr && !is_free(hash_set__slot(set, h));
}

static int hash_set__add(struct hash_set *set, struct hash h)
{
	struct hash_set wider = { .nr_slots = set->nr_slots ? set->nr_slots * 2 : 64 };
	struct hash *slot;
	uint32_t i;

	if (set->nr >= set->nr_slots / 2) {
		wider.slots = calloc(wider.nr_slots, sizeof(*wider.slots));
		if (!wider.slots)
			return -ENOMEM;
		for (i = 0; i < set->nr_slots; i++)
			if (!is_free(&set->slots[i]))
				*hash_set__slot(&wider, set->slots[i]) = set->slots[i];
		wider.nr = set->nr;
		free(set->slots);
		*set = wider;
	}
	slot = hash_set__slot(set, h);
	if (is_free(slot)) {
		*slot = h;
		set->nr++;
	}
	return 0;
}

/* May a reference by name mean this node? */
static bool is_candidate(const struct node *n)
{
	return n->count && n->name && kind__is_tagged(n->kind) && !(n->flags & TYPE_VARIANT);
}

static struct hash node_key(const struct store *s, const struct node *n)
{
	return store__key(n->kind, &s->strings.array[n->name]);
}

static struct primary *primaries__slot(const struct primaries *p, struct hash key)
{
	uint32_t mask = p->nr_slots - 1, i;

	for (i = key.lo & mask; p->slots[i].id; i = (i + 1) & mask)
		if (hash__equal(p->slots[i].key, key))
			break;
	return &p->slots[i];
}

/* A content before a forward; then more frequent, or as frequent and seen earlier. */
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
	for (p->nr_slots = 64; p->nr_slots / 2 < nr; p->nr_slots *= 2)
		;
	p->slots = calloc(p->nr_slots, sizeof(*p->slots));
	if (!p->slots)
		return -ENOMEM;
	for (id = 1; id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];
		struct primary *slot;

		if (!is_candidate(n))
			continue;
		slot = primaries__slot(p, node_key(s, n));
		if (!slot->id || is_better(n, &s->nodes[slot->id]))
			*slot = (struct primary){ .key = node_key(s, n), .id = id };
	}
	return 0;
}

void primaries__destroy(struct primaries *p)
{
	free(p->slots);
	memset(p, 0, sizeof(*p));
}

uint32_t primaries__resolve(const struct primaries *p, const struct store *s,
			    const struct node *from, uint32_t to)
{
	const struct node *n = &s->nodes[to];
	uint32_t id;

	if (!n->name || !kind__is_tagged(n->kind))
		return to;
	if (from->flags & TYPE_VARIANT && n->flags & TYPE_VARIANT)
		return to;
	id = primaries__slot(p, node_key(s, n))->id;
	return id ?: to;
}

int conflicts__find(struct conflicts *c, const struct store *s)
{
	struct primaries p = {};
	uint32_t id;
	int err;

	memset(c, 0, sizeof(*c));
	err = primaries__find(&p, s);
	for (id = 1; !err && id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];

		if (!is_candidate(n) || n->flags & TYPE_FORWARD ||
		    primaries__slot(&p, node_key(s, n))->id == id)
			continue;
		err = hash_set__add(&c->keys, node_key(s, n)) ?: hash_set__add(&c->others, n->hash);
	}
	primaries__destroy(&p);
	if (err)
		conflicts__destroy(c);
	return err;
}

void conflicts__destroy(struct conflicts *c)
{
	free(c->keys.slots);
	free(c->others.slots);
	memset(c, 0, sizeof(*c));
}

bool conflicts__has(const struct conflicts *c, const struct store *s, const struct node *n)
{
	if (!n->name || !kind__is_tagged(n->kind))
		return false;
	if (n->flags & TYPE_FORWARD)
		return hash_set__has(&c->keys, node_key(s, n));
	return hash_set__has(&c->others, n->hash);
}
