// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>

#include "types/shape.h"

/* What nests deeper than any source, without a name, is taken for equal to nothing. */
#define MAX_NESTING	1000

/* What the shape of a node of a store is made from. */
struct shaping {
	const struct store	*store;
	struct hash		*keys;
	unsigned int		depth;
};

static struct hash find_key(const struct store *s, struct hash *keys, uint32_t id,
			    unsigned int depth);

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

static struct child child_of(const void *arg, const struct node *n, uint32_t k)
{
	const struct shaping *sh = arg;

	return sh->store->children[n->child + k];
}

static uint64_t name_hash(const void *arg, uint32_t name)
{
	const struct shaping *sh = arg;

	return sh->store->strings.array[name].hash;
}

static struct hash ref_key(const void *arg, uint32_t ref)
{
	const struct shaping *sh = arg;
	struct hash known = sh->keys[ref];

	return !ref || known.lo || known.hi ? known :
	       find_key(sh->store, sh->keys, ref, sh->depth + 1);
}

static struct hash make_shape(const struct store *store, struct hash *keys, const struct node *n,
			      unsigned int depth)
{
	static const struct shape_ops ops = { child_of, name_hash, ref_key };
	const struct shaping sh = { store, keys, depth };

	return node__shape(n, &ops, &sh);
}

static struct hash find_key(const struct store *s, struct hash *keys, uint32_t id,
			    unsigned int depth)
{
	const struct node *n = &s->nodes[id];
	struct hash *key = &keys[id];

	if (key->lo || key->hi)
		return *key;
	if (n->name && kind__is_tagged(n->kind)) {
		*key = store__key(n->kind, s->strings.array[n->name].hash);
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
