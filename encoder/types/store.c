// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "types/store.h"
#include "util/grow.h"
#include "util/msg.h"

/* the fuzz targets begin with fewer, which then have to grow */
#ifndef FIRST_SLOTS
#define FIRST_SLOTS	(1U << 14)
#endif

static uint32_t new_node(struct store *s, struct hash hash)
{
	uint32_t id = s->nr_nodes;

	grow(&s->nodes, &s->cap_nodes, id + 1ULL, sizeof(*s->nodes));
	grow(&s->hashes, &s->cap_hashes, id + 1ULL, sizeof(*s->hashes));
	s->nr_nodes++;
	s->nodes[id] = (struct node){};
	s->hashes[id] = (struct node_hash){ .hash = hash };
	return id;
}

void store__init(struct store *s, uint64_t names)
{
	/* 1.5 times the number in kernels of several architectures and versions */
	uint64_t nr = names / 64;

	memset(s, 0, sizeof(*s));
	table__init(&s->by_hash, FIRST_SLOTS);
	strings__init(&s->strings, names);
	grow(&s->nodes, &s->cap_nodes, nr, sizeof(*s->nodes));
	grow(&s->hashes, &s->cap_hashes, nr, sizeof(*s->hashes));
	grow(&s->children, &s->cap_children, 4 * nr, sizeof(*s->children));
	new_node(s, (struct hash){});
}

void store__destroy(struct store *s)
{
	strings__destroy(&s->strings);
	free(s->nodes);
	free(s->hashes);
	free(s->children);
	table__destroy(&s->by_hash);
	memset(s, 0, sizeof(*s));
}

void store__close(struct store *s)
{
	strings__close(&s->strings);
	table__destroy(&s->by_hash);
	free(s->hashes);
	s->hashes = NULL;
	s->cap_hashes = 0;
}

/* The slot of a hash, or the free one where it would go; NULL if it is too far away. */
static struct hash_slot *find_slot(const struct store *s, struct hash hash)
{
	struct hash_slot *slot;

	table__for_each(slot, &s->by_hash, hash.lo)
		if (hash__equal(s->hashes[slot->id].hash, hash))
			break;
	return slot;
}

int64_t store__intern_slow(struct store *s, struct hash hash)
{
	struct hash_slot *slot = find_slot(s, hash);
	uint32_t id;

	if (!slot)
		return msg_fail(-EINVAL, "too many types share a hash");
	id = slot->id;
	if (!id) {
		id = new_node(s, hash);
		table__add(&s->by_hash, slot, hash.lo, id);
	}
	s->hashes[s->last].next = id;
	return s->last = id;
}

uint32_t store__add_children(struct store *s, uint32_t nr)
{
	uint32_t first = s->nr_children;

	grow(&s->children, &s->cap_children, (uint64_t)first + nr, sizeof(*s->children));
	s->nr_children += nr;
	return first;
}

/* --- content ----------------------------------------------------------------------- */

/* TYPE_VARIANT is not part of the content. */
#define CONTENT_FLAGS	(TYPE_BITFIELDS | TYPE_FORWARD | TYPE_SIGNED | TYPE_VARARGS |	\
			 TYPE_ATTRIBUTE)

/* Compare everything except references: their targets were compared when they were interned. */
static bool same_outside(const struct node *a, const struct node *b)
{
	return a->kind == b->kind && a->name == b->name && a->size == b->size &&
	       a->encoding == b->encoding && !((a->flags ^ b->flags) & CONTENT_FLAGS) &&
	       a->nr_children == b->nr_children;
}

static bool same_ref(const struct store *s, uint32_t a, uint32_t b)
{
	const struct node *na = &s->nodes[a], *nb = &s->nodes[b];

	if (a == b || !a || !b)
		return a == b;
	if (na->name && kind__is_by_name(na->kind))
		return kind__of_name(na->kind) == kind__of_name(nb->kind) && na->name == nb->name;
	return same_outside(na, nb);
}

static bool same_children(const struct store *s, const struct node *a, const struct node *b)
{
	const struct child *ca = s->children + a->child, *cb = s->children + b->child;
	uint32_t i;

	for (i = 0; i < a->nr_children; i++)
		if (ca[i].name != cb[i].name || ca[i].value != cb[i].value ||
		    ca[i].bits != cb[i].bits || !same_ref(s, ca[i].ref, cb[i].ref))
			return false;
	return true;
}

bool store__same_content(const struct store *s, const struct node *a, const struct node *b)
{
	return same_outside(a, b) && same_ref(s, a->ref, b->ref) && same_children(s, a, b);
}

void store__check_hit(const struct store *s, const struct node *type, const struct node *found)
{
	const struct hash *h = &s->hashes[found - s->nodes].hash;

	if (store__same_content(s, type, found))
		return;
	/* not by msg_error(), which may keep it until the image is done */
	fprintf(stderr, "two types share the hash %016" PRIx64 "%016" PRIx64 ": kind %u, \"%s\", and kind %u, \"%s\"\n",
		h->lo, h->hi, type->kind, store__name(s, type), found->kind,
		store__name(s, found));
	abort();
}

/* --- merging ----------------------------------------------------------------------- */

static void copy_node(struct store *to, struct node *n, const struct store *from,
		      const struct node *old, const uint32_t *map, const uint32_t *strings)
{
	const struct child *c = from->children + old->child;

	*n = *old;
	n->name = strings[old->name];
	n->ref = map[old->ref];
	n->child = store__add_children(to, old->nr_children);
	for (uint32_t i = 0; i < old->nr_children; i++) {
		struct child *new = &to->children[n->child + i];

		*new = c[i];
		new->name = strings[c[i].name];
		new->ref = map[c[i].ref];
	}
}

#ifdef CHECK_HITS
static void check_hits(struct store *to, const struct store *from, const uint32_t *map,
		       const uint32_t *strings)
{
	uint32_t nr_children = to->nr_children;
	struct node copy;

	for (uint32_t id = 1; id < from->nr_nodes; id++) {
		copy_node(to, &copy, from, &from->nodes[id], map, strings);
		store__check_hit(to, &copy, &to->nodes[map[id]]);
		to->nr_children = nr_children;
	}
}
#else
#define check_hits(to, from, map, strings)
#endif

/* Prefetch distance in ids. */
#define AHEAD	8

static int merge_strings(struct store *to, const struct store *from, uint32_t *strings)
{
	const struct string *s = from->strings.array;
	uint32_t id;

	for (id = 0; id < from->strings.nr; id++) {
		int64_t new;

		if (id + AHEAD < from->strings.nr) {
			table__prefetch(&to->strings.by_content, s[id + AHEAD].hash);
			__builtin_prefetch(s[id + AHEAD].s);
		}
		new = strings__add(&to->strings, s[id].s, s[id].len);
		if (new < 0)
			return new;
		strings[id] = new;
	}
	return 0;
}

void store__add_uses(struct store *s)
{
	uint32_t id;

	for (id = 1; id < s->nr_nodes; id++) {
		s->nodes[id].uses += s->hashes[id].uses;
		s->hashes[id].uses = 0;
	}
}

/* Find the nodes of @from in @to, or add them empty. */
static int merge_hashes(struct store *to, const struct store *from, uint32_t *map)
{
	for (uint32_t id = 1; id < from->nr_nodes; id++) {
		int64_t new;

		if (id + AHEAD < from->nr_nodes)
			table__prefetch(&to->by_hash, from->hashes[id + AHEAD].hash.lo);
		new = store__intern(to, from->hashes[id].hash);
		if (new < 0)
			return new;
		map[id] = new;
	}
	return 0;
}

int store__merge(struct store *to, struct store *from, uint32_t **map, uint32_t **strings)
{
	uint32_t old_nodes = to->nr_nodes;
	int err;

	/* room for what grows now */
	strings__close(&from->strings);
	table__destroy(&from->by_hash);
	*map = xcalloc(from->nr_nodes, sizeof(**map));
	*strings = xcalloc(from->strings.nr, sizeof(**strings));
	strings__move_owned(&to->strings, &from->strings);
	err = merge_strings(to, from, *strings) ?: merge_hashes(to, from, *map);
	if (err) {
		free(*map);
		free(*strings);
		return err;
	}
	for (uint32_t id = 1; id < from->nr_nodes; id++) {
		const struct node *old = &from->nodes[id];
		struct node *n = &to->nodes[(*map)[id]];

		if ((*map)[id] >= old_nodes) {
			copy_node(to, n, from, old, *map, *strings);
			continue;
		}
		n->uses += old->uses;
		n->functions += old->functions;
		if (old->first_seen < n->first_seen)
			n->first_seen = old->first_seen;
	}
	check_hits(to, from, *map, *strings);
	return 0;
}

struct hash store__key(uint8_t kind, uint64_t name)
{
	struct hash h = hash__new(kind__of_name(kind));

	hash__add(&h, name, 0);
	return h;
}
