// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "types/fit.h"
#include "util/memory.h"

const char *misfit__text(enum misfit reason)
{
	static const char *const texts[NR_MISFITS] = {
		[MISFIT_FLOAT]	= "floating point types whose size is not 2, 4, 8, 12 or 16",
		[MISFIT_ENUM]	= "enums whose size is not 1, 2, 4 or 8",
		[MISFIT_SIZE]	= "types of more than 4 GiB",
		[MISFIT_NUMBER]	= "types with more than 65534 members, values or parameters",
		[MISFIT_PLACE]	= "structs with a member at an offset that BTF cannot represent, or outside of the struct",
		[MISFIT_DEPTH]	= "types nested deeper than 250",
		[MISFIT_NAME]	= "declarations without a name",
		[MISFIT_VALUE]	= "types with a value whose type BTF cannot represent",
	};

	return texts[reason] ?: "";
}

static bool is_struct(const struct node *n)
{
	return n->kind == BTF_KIND_STRUCT || n->kind == BTF_KIND_UNION;
}

static enum fate fate_of(const struct node *n)
{
	switch (n->encoding) {
	case MISFIT_VALUE:
		/* of a struct it is the members that go */
		return is_struct(n) ? FATE_KEPT : FATE_GONE;
	case MISFIT_SIZE:
	case MISFIT_NUMBER:
	case MISFIT_PLACE:
		if (is_struct(n))
			return n->name ? FATE_DECLARED : FATE_GONE;
		return kind__is_tagged(n->kind) ? FATE_SHRUNK : FATE_GONE;
	default:
		return FATE_GONE;
	}
}

/* Return: how many others may refer to; a function's prototype concerns it alone. */
static uint32_t find_misfits(const struct store *s, struct fit *fit)
{
	uint32_t id, nr = 0;

	for (id = 1; id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];

		if (n->kind == BTF_KIND_INT || !n->encoding || !(n->count || n->functions))
			continue;
		fit->fates[id] = fate_of(n);
		fit->nr[n->encoding] += !!n->count;
		nr += !!n->count;
	}
	return nr;
}

/* Is there no value of this type, seen through typedefs, qualifiers and arrays? */
static bool has_no_value(const struct store *s, const struct fit *fit, uint32_t id)
{
	for (;;) {
		const struct node *n = &s->nodes[id];

		if (!id || fit->fates[id] >= FATE_DECLARED)
			return true;
		switch (n->kind) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
		case BTF_KIND_ARRAY:
			id = n->ref;
			continue;
		}
		return false;
	}
}

/* A prototype has to be true, that of a function above all. */
static bool is_true(const struct store *s, const struct fit *fit, const struct node *proto)
{
	const struct child *c = s->children + proto->child, *end = c + proto->nr_children;

	if (proto->ref && fit->fates[proto->ref] >= FATE_DECLARED)
		return false;
	for (; c < end; c++)
		if (has_no_value(s, fit, c->ref))
			return false;
	return true;
}

static void keep_values(struct store *s, struct fit *fit, uint32_t id)
{
	struct node *n = &s->nodes[id];
	struct child *c = s->children + n->child;
	uint32_t i, nr = 0;

	for (i = 0; i < n->nr_children; i++)
		if (!has_no_value(s, fit, c[i].ref))
			c[nr++] = c[i];
	if (nr == n->nr_children)
		return;
	n->nr_children = nr;
	fit->fates[id] = FATE_SHRUNK;
}

static void forget_gone(const struct fit *fit, uint32_t *ref)
{
	if (fit->fates[*ref] == FATE_GONE)
		*ref = 0;
}

void store__fit(struct store *s, struct fit *ret)
{
	uint32_t id;

	*ret = (struct fit){};
	ret->fates = xcalloc(s->nr_nodes, sizeof(*ret->fates));
	if (!find_misfits(s, ret))
		return;
	for (id = 1; id < s->nr_nodes; id++)
		if (s->nodes[id].kind == BTF_KIND_ARRAY && has_no_value(s, ret, id))
			ret->fates[id] = FATE_GONE;
	for (id = 1; id < s->nr_nodes; id++)
		if (s->nodes[id].kind == BTF_KIND_FUNC_PROTO && !is_true(s, ret, &s->nodes[id]))
			ret->fates[id] = FATE_GONE;
	for (id = 1; id < s->nr_nodes; id++)
		if (is_struct(&s->nodes[id]) && ret->fates[id] == FATE_KEPT)
			keep_values(s, ret, id);
	for (id = 1; id < s->nr_nodes; id++) {
		struct node *n = &s->nodes[id];

		if (ret->fates[id] == FATE_GONE)
			n->count = n->functions = 0;
		if (ret->fates[id] == FATE_DECLARED) {
			n->flags |= TYPE_FORWARD;
			n->flags &= ~TYPE_BITFIELDS;
		}
		if (ret->fates[id] >= FATE_DECLARED || (ret->fates[id] && !is_struct(n)))
			n->nr_children = 0;
		forget_gone(ret, &n->ref);
		for (uint32_t i = 0; i < n->nr_children; i++)
			forget_gone(ret, &s->children[n->child + i].ref);
	}
}

void fit__destroy(struct fit *fit)
{
	free(fit->fates);
}
