// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>

#include "functions/kfuncs.h"
#include "functions/proto.h"

/* Limits the cost of prototypes made of prototypes; real ones take a few dozen steps. */
#define MAX_STEPS	10000

static bool types_match(const struct store *s, uint32_t a, uint32_t b, unsigned int *steps);

static bool protos_match(const struct store *s, const struct node *a, const struct node *b,
			 unsigned int *steps)
{
	uint32_t i;

	if (a->nr_children != b->nr_children || (a->flags ^ b->flags) & TYPE_VARARGS ||
	    !types_match(s, a->ref, b->ref, steps))
		return false;
	for (i = 0; i < a->nr_children; i++)
		if (!types_match(s, s->children[a->child + i].ref,
				 s->children[b->child + i].ref, steps))
			return false;
	return true;
}

static uint32_t skip_const(const struct store *s, uint32_t id, unsigned int *steps)
{
	for (; *steps && id && s->nodes[id].kind == BTF_KIND_CONST; --*steps)
		id = s->nodes[id].ref;
	return id;
}

static bool types_match(const struct store *s, uint32_t a, uint32_t b, unsigned int *steps)
{
	const struct node *x, *y;

	a = skip_const(s, a, steps);
	b = skip_const(s, b, steps);
	if (a == b || !*steps || !--*steps)
		return true;
	if (!a || !b)
		return false;
	x = &s->nodes[a];
	y = &s->nodes[b];
	if (x->kind != y->kind || x->name != y->name)
		return false;
	switch (x->kind) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		return x->size == y->size && x->encoding == y->encoding;
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return true;
	case BTF_KIND_FUNC_PROTO:
		return protos_match(s, x, y, steps);
	case BTF_KIND_ARRAY:
		if (x->size != y->size)
			return false;
		/* fall through */
	default:
		return types_match(s, x->ref, y->ref, steps);
	}
}

bool proto__matches(const struct store *s, uint32_t a, uint32_t b)
{
	unsigned int steps = MAX_STEPS;

	return a == b || protos_match(s, &s->nodes[a], &s->nodes[b], &steps);
}

/* --- changed copies ----------------------------------------------------------- */

/* Find or make the node @n, which is @proto with a change that @x and @y identify. */
static int64_t intern_copy(struct store *s, uint32_t proto, struct node n, uint64_t x, uint64_t y)
{
	struct hash h = s->hashes[proto].hash;
	int64_t id;

	hash__add(&h, x, y);
	id = store__intern(s, h);
	if (id < 0)
		return id;
	n.uses = 0;
	s->nodes[id] = n;
	return id;
}

/* Give a copy its own children. */
static void copy_children(struct store *s, struct node *n)
{
	uint32_t first = store__add_children(s, n->nr_children);

	if (n->nr_children)
		memcpy(&s->children[first], &s->children[n->child],
		       n->nr_children * sizeof(*s->children));
	n->child = first;
}

int64_t proto__returning_void(struct store *s, uint32_t proto)
{
	struct node n = s->nodes[proto];

	if (!n.ref)
		return proto;
	n.ref = 0;
	return intern_copy(s, proto, n, HASH_K0, HASH_K1);
}

int64_t proto__with_names(struct store *s, uint32_t proto)
{
	struct node n = s->nodes[proto];

	copy_children(s, &n);
	for (uint32_t i = 0; i < n.nr_children; i++) {
		struct child *c = &s->children[n.child + i];
		int64_t id;

		if (c->name)
			continue;
		id = strings__add_owned(&s->strings, xasprintf("arg%u", i + 1));
		if (id < 0)
			return id;
		c->name = id;
	}
	return intern_copy(s, proto, n, HASH_K1, HASH_K2);
}

/* Find or make a node that refers to another. */
static int64_t make_ref(struct store *s, const struct node *n)
{
	struct hash h = hash__new((uint64_t)n->kind << 8 | n->flags);
	struct hash ref = s->hashes[n->ref].hash;
	uint32_t uses;
	int64_t id;

	hash__add(&h, HASH_K0, s->strings.array[n->name].hash);
	hash__add(&h, ref.lo, ref.hi);
	id = store__intern(s, h);
	if (id < 0)
		return id;
	uses = s->nodes[id].uses++;
	if (!uses) {
		s->nodes[id] = *n;
		s->nodes[id].uses = 1;
	}
	return id;
}

/* The attribute of types in an arena. */
static const char attribute[] = "address_space(1)";

/* Replace a pointer by an arena pointer. */
static int make_arena_pointer(struct store *s, uint32_t *type, uint64_t first_seen)
{
	const struct node *n = &s->nodes[*type], *to = &s->nodes[n->ref];
	int64_t name, tag, pointer;

	if (n->kind != BTF_KIND_PTR || (to->kind == BTF_KIND_TYPE_TAG && to->flags & TYPE_ATTRIBUTE &&
					!strcmp(store__name(s, to), attribute)))
		return 0;
	name = strings__add(&s->strings, attribute, sizeof(attribute) - 1);
	if (name < 0)
		return name;
	tag = make_ref(s, &(struct node){ .kind = BTF_KIND_TYPE_TAG, .flags = TYPE_ATTRIBUTE,
					  .name = name, .ref = n->ref, .first_seen = first_seen });
	pointer = tag < 0 ? tag : make_ref(s, &(struct node){ .kind = BTF_KIND_PTR, .ref = tag,
							      .first_seen = first_seen });
	if (pointer < 0)
		return pointer;
	*type = pointer;
	return 0;
}

int64_t proto__with_arena(struct store *s, uint32_t proto, uint32_t flags)
{
	struct node n = s->nodes[proto];
	int err = 0;

	if (!(flags & (KF_ARENA_RET | KF_ARENA_ARG1 | KF_ARENA_ARG2)))
		return proto;
	if (flags & KF_ARENA_RET)
		err = make_arena_pointer(s, &n.ref, n.first_seen);
	copy_children(s, &n);
	if (!err && flags & KF_ARENA_ARG1 && n.nr_children > 0)
		err = make_arena_pointer(s, &s->children[n.child].ref, n.first_seen);
	if (!err && flags & KF_ARENA_ARG2 && n.nr_children > 1)
		err = make_arena_pointer(s, &s->children[n.child + 1].ref, n.first_seen);
	return err ?: intern_copy(s, proto, n, flags, HASH_K0);
}
