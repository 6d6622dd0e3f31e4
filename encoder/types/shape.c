// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>

#include "types/shape.h"

/* What nests deeper than any source, without a name, is taken for equal to nothing. */
#define MAX_NESTING	1000

/**
 * struct shaping - one store__shapes()
 * @shapes:	by node; zeroes where it is not known yet
 */
struct shaping {
	const struct store	*store;
	struct hash		*shapes;
};

static struct hash find_shape(struct shaping *sh, uint32_t id, unsigned int depth);

/* What a reference counts as. */
static struct hash ref_key(struct shaping *sh, uint32_t id, unsigned int depth)
{
	const struct node *n = &sh->store->nodes[id];

	if (!id)
		return (struct hash){};
	if (n->name && kind__is_tagged(n->kind))
		return store__key(n->kind, &sh->store->strings.array[n->name]);
	return find_shape(sh, id, depth + 1);
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

static struct hash make_shape(struct shaping *sh, const struct node *n, unsigned int depth)
{
	const struct string *strings = sh->store->strings.array;
	const struct child *c = sh->store->children + n->child;
	bool refer = kind__children_refer(n->kind);
	struct shape s = { .kind = n->kind, .flag = node__flag(n), .encoding = n->encoding,
			   .size = n->size, .nr = n->nr_children, .name = strings[n->name].hash };
	struct hash h = shape__begin(&s);
	uint32_t i;

	if (kind__has_ref(n->kind))
		shape__add_ref(&h, ref_key(sh, n->ref, depth));
	for (i = 0; i < n->nr_children; i++) {
		uint64_t value = n->kind == BTF_KIND_ENUM ? (uint32_t)c[i].value : c[i].value;

		shape__add_child(&h, strings[c[i].name].hash, value, c[i].bits);
		if (refer)
			shape__add_ref(&h, ref_key(sh, c[i].ref, depth));
	}
	return h;
}

static struct hash find_shape(struct shaping *sh, uint32_t id, unsigned int depth)
{
	const struct node *n = &sh->store->nodes[id];
	struct hash *shape = &sh->shapes[id];

	if (!shape->lo && !shape->hi) {
		/* for who comes back here, in a cycle without a name */
		*shape = shape__unique(1, id);
		if (!(n->flags & TYPE_FORWARD) && depth <= MAX_NESTING)
			*shape = make_shape(sh, n, depth);
	}
	return *shape;
}

int store__shapes(const struct store *s, struct hash **ret)
{
	struct shaping sh = { .store = s, .shapes = calloc(s->nr_nodes, sizeof(*sh.shapes)) };
	uint32_t id;

	*ret = sh.shapes;
	if (!sh.shapes)
		return -ENOMEM;
	for (id = 1; id < s->nr_nodes; id++)
		find_shape(&sh, id, 0);
	return 0;
}
