// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>

#include "types/shape.h"

/* What nests deeper than any source, without a name, is taken for equal to nothing. */
#define MAX_NESTING	1000

static struct hash find_key(const struct store *s, struct hash *keys, uint32_t id,
			    unsigned int depth);

/* What a reference counts as. */
static struct hash ref_key(const struct store *s, struct hash *keys, uint32_t id,
			   unsigned int depth)
{
	return id ? find_key(s, keys, id, depth + 1) : (struct hash){};
}

bool node__flag(const struct node *n)
{
	switch (n->kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n->flags & TYPE_BITFIELDS;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return n->flags & TYPE_SIGNED;
	case BTF_KIND_FUNC_PROTO:
		return n->flags & TYPE_VARARGS;
	default:
		return n->flags & TYPE_ATTRIBUTE;
	}
}

static struct hash make_shape(const struct store *store, struct hash *keys, const struct node *n,
			      unsigned int depth)
{
	const struct string *strings = store->strings.array;
	const struct child *c = store->children + n->child;
	bool refer = btf_kinds[n->kind].types;
	struct shape s = { .kind = n->kind, .flag = node__flag(n), .encoding = n->encoding,
			   .size = n->size, .nr = n->nr_children, .name = strings[n->name].hash };
	struct hash h = shape__begin(&s);
	uint32_t i;

	if (kind__has_ref(n->kind))
		shape__add_ref(&h, ref_key(store, keys, n->ref, depth));
	for (i = 0; i < n->nr_children; i++) {
		uint64_t value = n->kind == BTF_KIND_ENUM ? (uint32_t)c[i].value : c[i].value;

		shape__add_child(&h, strings[c[i].name].hash, value, c[i].bits);
		if (refer)
			shape__add_ref(&h, ref_key(store, keys, c[i].ref, depth));
	}
	return h;
}

static struct hash find_key(const struct store *s, struct hash *keys, uint32_t id,
			    unsigned int depth)
{
	const struct node *n = &s->nodes[id];
	struct hash *key = &keys[id];

	if (key->lo || key->hi)
		return *key;
	if (n->name && kind__is_tagged(n->kind)) {
		*key = store__key(n->kind, &s->strings.array[n->name]);
	} else {
		/* for who comes back here, in a cycle without a name */
		*key = shape__unique(1, id);
		if (!(n->flags & TYPE_FORWARD) && depth <= MAX_NESTING)
			*key = make_shape(s, keys, n, depth);
	}
	return *key;
}

int store__keys(const struct store *s, struct hash **ret)
{
	struct hash *keys = calloc(s->nr_nodes, sizeof(*keys));
	uint32_t id;

	*ret = keys;
	if (!keys)
		return -ENOMEM;
	for (id = 1; id < s->nr_nodes; id++)
		find_key(s, keys, id, 0);
	return 0;
}

struct hash store__shape(const struct store *s, struct hash *keys, uint32_t id)
{
	const struct node *n = &s->nodes[id];

	return n->name && kind__is_tagged(n->kind) ? make_shape(s, keys, n, 0) : keys[id];
}
