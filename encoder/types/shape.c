// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "types/shape.h"
#include "util/memory.h"

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

/* The input of shapes of nodes in a store. */
struct shaping {
	const struct store	*store;
	struct hash		*keys;
};

static const struct node *node_of(const void *arg, uint32_t id, struct node *buf)
{
	return &((const struct shaping *)arg)->store->nodes[id];
}

static struct child child_of(const void *arg, const struct node *n, uint32_t id, uint32_t k)
{
	return ((const struct shaping *)arg)->store->children[n->child + k];
}

static uint64_t name_hash(const void *arg, uint32_t name)
{
	return ((const struct shaping *)arg)->store->strings.array[name].hash;
}

static struct hash find_key(const void *arg, uint32_t id, unsigned int depth);

static const struct shape_ops ops = { 1, node_of, child_of, name_hash, find_key };

static struct hash find_key(const void *arg, uint32_t id, unsigned int depth)
{
	return shape__key(((const struct shaping *)arg)->keys, id, depth, &ops, arg);
}

struct hash *store__keys(const struct store *s)
{
	struct shaping sh = { s, xcalloc(s->nr_nodes, sizeof(*sh.keys)) };

	for (uint32_t id = 1; id < s->nr_nodes; id++)
		find_key(&sh, id, 0);
	return sh.keys;
}

struct hash store__shape(const struct store *s, struct hash *keys, uint32_t id)
{
	return shape__of_any(&s->nodes[id], keys, id, &ops, &(struct shaping){ s, keys });
}
