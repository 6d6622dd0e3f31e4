// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>

#include "functions/proto.h"

/* Bounds what prototypes made of prototypes can cost; real ones take a few dozen. */
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

int64_t proto__returning_void(struct store *s, uint32_t proto)
{
	struct node n = s->nodes[proto];
	struct hash h = n.hash;
	int64_t id;

	if (!n.ref)
		return proto;
	hash__add(&h, HASH_K0, HASH_K1);
	id = store__intern(s, h);
	if (id < 0)
		return id;
	n.hash = h;
	n.ref = 0;
	n.count = 0;
	s->nodes[id] = n;
	return id;
}

static int64_t make_name(struct store *s, uint32_t index)
{
	char *name;

	if (asprintf(&name, "arg%u", index + 1) < 0)
		return -ENOMEM;
	return strings__add_owned(&s->strings, name);
}

int64_t proto__with_names(struct store *s, uint32_t proto)
{
	struct node n = s->nodes[proto];
	struct hash h = n.hash;
	int64_t first, id, name;
	uint32_t i;

	first = store__add_children(s, n.nr_children);
	if (first < 0)
		return first;
	for (i = 0; i < n.nr_children; i++) {
		struct child *c = &s->children[first + i];

		*c = s->children[n.child + i];
		name = c->name ?: make_name(s, i);
		if (name < 0)
			return name;
		c->name = name;
	}
	hash__add(&h, HASH_K1, HASH_K2);
	id = store__intern(s, h);
	if (id < 0)
		return id;
	n.hash = h;
	n.child = first;
	n.count = 0;
	s->nodes[id] = n;
	return id;
}
