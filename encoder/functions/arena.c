// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>

#include "functions/arena.h"
#include "functions/kfuncs.h"

/* Find or make a node that refers to another. */
static int64_t make_ref(struct store *s, uint8_t kind, uint8_t flags, uint32_t name, uint32_t ref,
			uint64_t first)
{
	struct hash h = hash__new((uint64_t)kind << 8 | flags);
	struct node *n;
	int64_t id;

	hash__add(&h, HASH_K0, s->strings.array[name].hash);
	hash__add(&h, s->nodes[ref].hash.lo, s->nodes[ref].hash.hi);
	id = store__intern(s, h);
	if (id < 0)
		return id;
	n = &s->nodes[id];
	if (!n->count++) {
		n->kind = kind;
		n->flags = flags;
		n->name = name;
		n->ref = ref;
		n->first = first;
	}
	return id;
}

/* Attribute of the type of what lies in an arena. */
static const char attribute[] = "address_space(1)";

static bool is_arena(const struct store *s, const struct node *n)
{
	return n->kind == BTF_KIND_TYPE_TAG && n->flags & TYPE_ATTRIBUTE &&
	       !strcmp(store__name(s, n), attribute);
}

/* Return: the arena pointer of a pointer, or the type itself if it is none. */
static int64_t arena_pointer(struct store *s, uint32_t type, uint64_t first)
{
	int64_t name, tag;

	if (s->nodes[type].kind != BTF_KIND_PTR ||
	    is_arena(s, &s->nodes[s->nodes[type].ref]))
		return type;
	name = strings__add(&s->strings, attribute, sizeof(attribute) - 1);
	if (name < 0)
		return name;
	tag = make_ref(s, BTF_KIND_TYPE_TAG, TYPE_ATTRIBUTE, name, s->nodes[type].ref, first);
	return tag < 0 ? tag : make_ref(s, BTF_KIND_PTR, 0, 0, tag, first);
}

int arena__attribute(struct store *s, uint32_t *proto, uint32_t flags)
{
	struct node n = s->nodes[*proto];
	int64_t id, ref, first;
	struct hash h = n.hash;
	uint32_t i;

	if (!(flags & (KF_ARENA_RET | KF_ARENA_ARG1 | KF_ARENA_ARG2)))
		return 0;
	if (flags & KF_ARENA_RET) {
		ref = arena_pointer(s, n.ref, n.first);
		if (ref < 0)
			return ref;
		n.ref = ref;
	}
	first = store__add_children(s, n.nr_children);
	if (first < 0)
		return first;
	for (i = 0; i < n.nr_children; i++) {
		struct child c = s->children[n.child + i];

		if ((i == 0 && flags & KF_ARENA_ARG1) || (i == 1 && flags & KF_ARENA_ARG2)) {
			ref = arena_pointer(s, c.ref, n.first);
			if (ref < 0)
				return ref;
			c.ref = ref;
		}
		s->children[first + i] = c;
	}
	hash__add(&h, flags, HASH_K0);
	id = store__intern(s, h);
	if (id < 0)
		return id;
	n.hash = h;
	n.child = first;
	n.count = 0;
	s->nodes[id] = n;
	*proto = id;
	return 0;
}
