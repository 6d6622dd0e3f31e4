// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "types/fit.h"
#include "util/memory.h"

const char *misfit__text(enum misfit reason)
{
	static const char *const texts[NR_MISFITS] = {
		[MISFIT_FLOAT]	= "floating point types whose size is not 2, 4, 8, 12 or 16",
		[MISFIT_ENUM]	= "enums whose size is not 1, 2, 4 or 8",
		[MISFIT_SIZE]	= "types of more than 4 GiB",
		[MISFIT_NUMBER]	= "types with more than 65534 members, values or parameters",
		[MISFIT_OFFSET]	= "structs with a member at an offset that BTF cannot represent, or outside of the struct",
		[MISFIT_DEPTH]	= "types nested deeper than 250, or with more than 32 typedefs and qualifiers in a row",
		[MISFIT_CYCLE]	= "types that contain themselves, as a value or without a named struct, union or enum in between",
		[MISFIT_NAME]	= "declarations without a name",
		[MISFIT_COUNT]	= "arrays of 2^32 elements or more, or whose index type has an unknown number of values",
		[MISFIT_STRIDE]	= "arrays whose elements are elsewhere, or may not be adjacent (DW_AT_data_location, DW_AT_byte_stride, DW_AT_bit_stride)",
		[MISFIT_ENUM_VALUE] = "enums with a value that does not fit in the enum, or in 64 bits (DW_AT_const_value)",
		[MISFIT_UNKNOWN_SIZE] = "types whose size is not a constant (DW_AT_byte_size, DW_AT_bit_size)",
		[MISFIT_UNKNOWN_OFFSET] = "structs with a member whose offset is not a constant (DW_AT_data_member_location, DW_AT_bit_offset, DW_AT_data_bit_offset)",
		[MISFIT_REFERENCE] = "compile units with references that lead nowhere or to something else (such as DW_AT_type), names of more than 8191 bytes, or enumerators without a name",
		[MISFIT_VALUE]	= "types with a value whose type BTF cannot represent",
	};

	return texts[reason] ?: "";
}

static enum fit_result result_of(const struct node *n)
{
	bool is_struct = kind__is_struct(n->kind);

	switch (n->misfit) {
	case MISFIT_VALUE:
		/* only the members of a struct are removed */
		return is_struct ? FIT_UNCHANGED : FIT_GONE;
	case MISFIT_CYCLE:
	case MISFIT_SIZE:
	case MISFIT_NUMBER:
	case MISFIT_OFFSET:
	case MISFIT_ENUM_VALUE:
	case MISFIT_UNKNOWN_SIZE:
	case MISFIT_UNKNOWN_OFFSET:
		if (is_struct)
			return n->name ? FIT_DECLARED : FIT_GONE;
		return kind__is_by_name(n->kind) ? FIT_SHRUNK : FIT_GONE;
	default:
		return FIT_GONE;
	}
}

/**
 * struct containment - the search for structs that contain themselves (Tarjan's algorithm)
 * @next:	by node: number of members that were followed, + 1; 0: it was not entered
 * @low:	by node: the lowest index in @open that it leads to; CLOSED after it left @open
 * @path:	from the start of the search to the current struct
 * @open:	those that may lead back to a struct of the path
 */
struct containment {
	struct store		*store;
	uint32_t		*next;
	uint32_t		*low;
	VECTOR(uint32_t)	path;
	VECTOR(uint32_t)	open;
};

#define CLOSED	UINT32_MAX

static void enter_struct(struct containment *c, uint32_t id)
{
	c->next[id] = 1;
	c->low[id] = c->open.nr;
	push(&c->open, id);
	push(&c->path, id);
}

/* Return: the next struct with a value in another one that is not CLOSED; 0: there are no more. */
static uint32_t next_contained(struct containment *c, uint32_t id)
{
	const struct node *nodes = c->store->nodes, *n = &nodes[id];
	const struct child *children = c->store->children + n->child;

	for (uint32_t k = c->next[id] - 1; k < n->nr_children; k++) {
		uint32_t to = children[k].ref;

		while (VALUE_OF >> nodes[to].kind & 1)
			to = nodes[to].ref;
		if (kind__is_struct(nodes[to].kind) && c->low[to] != CLOSED) {
			c->next[id] = k + 2;
			return to;
		}
	}
	return 0;
}

/* @low of a struct is final: unless it leads to one before it, all that follow it are in its cycle. */
static void leave_struct(struct containment *c, uint32_t id)
{
	uint32_t low = c->low[id], before = c->path.array[--c->path.nr - 1];

	c->low[before] = MIN(c->low[before], low);
	if (c->open.array[low] != id)
		return;
	for (uint32_t i = low; c->open.nr > low + 1 && i < c->open.nr; i++)
		c->store->nodes[c->open.array[i]].misfit = MISFIT_CYCLE;
	while (c->open.nr > low)
		c->low[c->open.array[--c->open.nr]] = CLOSED;
}

/* Only malformed debug information has structs that contain themselves as values. */
static void find_cycles(struct store *s)
{
	struct containment c = { .store = s, .next = xcalloc(s->nr_nodes, sizeof(*c.next)),
				 .low = xcalloc(s->nr_nodes, sizeof(*c.low)) };
	uint32_t id, to;

	/* the path starts at void */
	push(&c.path, 0);
	for (uint32_t start = 1; start < s->nr_nodes; start++) {
		if (!kind__is_struct(s->nodes[start].kind) || c.next[start])
			continue;
		enter_struct(&c, start);
		while (c.path.nr > 1) {
			id = c.path.array[c.path.nr - 1];
			to = next_contained(&c, id);
			if (!to) {
				leave_struct(&c, id);
			} else if (!c.next[to]) {
				enter_struct(&c, to);
			} else {
				c.low[id] = MIN(c.low[id], c.low[to]);
				if (to == id)
					s->nodes[id].misfit = MISFIT_CYCLE;
			}
		}
	}
	free(c.next);
	free(c.low);
	free(c.path.array);
	free(c.open.array);
}

/* Long chains end in void, as the kernel rejects BTF with them. */
static void end_modifier_chains(struct store *s)
{
	for (uint32_t id = 1; id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];
		unsigned int nr = 0;

		for (; nr <= MAX_MODIFIERS && MODIFIERS >> n->kind & 1; nr++)
			n = &s->nodes[n->ref];
		if (nr > MAX_MODIFIERS)
			s->nodes[id].misfit = MISFIT_DEPTH;
	}
}

/* Test whether BTF cannot represent values of a type, ignoring typedefs, qualifiers and arrays. */
static bool has_no_value(const struct store *s, const struct fit *fit, uint32_t id)
{
	while (id && fit->results[id] < FIT_DECLARED && VALUE_OF >> s->nodes[id].kind & 1)
		id = s->nodes[id].ref;
	return !id || fit->results[id] >= FIT_DECLARED;
}

/* Remove members or parameters without a value. Return: whether there are any. */
static bool drop_children(struct store *s, const struct fit *fit, struct node *n)
{
	struct child *c = s->children + n->child;
	uint32_t old = n->nr_children;

	n->nr_children = 0;
	for (uint32_t i = 0; i < old; i++)
		if (!has_no_value(s, fit, c[i].ref))
			c[n->nr_children++] = c[i];
	return n->nr_children < old;
}

static void drop_removed(const struct fit *fit, uint32_t *ref)
{
	if (fit->results[*ref] == FIT_GONE)
		*ref = 0;
}

void store__fit(struct store *s, struct fit *ret)
{
	uint8_t *results = xcalloc(s->nr_nodes, sizeof(*results));
	struct node *nodes = s->nodes;
	uint32_t id, nr = 0;

	*ret = (struct fit){ .results = results };
	find_cycles(s);
	end_modifier_chains(s);
	for (id = 1; id < s->nr_nodes; id++) {
		const struct node *n = &nodes[id];

		if (n->kind == BTF_KIND_INT || !n->misfit || !(n->uses || n->functions))
			continue;
		results[id] = result_of(n);
		/* a prototype only affects its function */
		ret->nr[n->misfit] += n->misfit == MISFIT_REFERENCE ? n->uses : !!n->uses;
		nr += !!n->uses;
	}
	if (!nr)
		return;
	for (id = 1; id < s->nr_nodes; id++)
		if (nodes[id].kind == BTF_KIND_ARRAY && has_no_value(s, ret, id))
			results[id] = FIT_GONE;
	/* a prototype must be correct */
	for (id = 1; id < s->nr_nodes; id++)
		if (nodes[id].kind == BTF_KIND_FUNC_PROTO &&
		    (results[nodes[id].ref] >= FIT_DECLARED || drop_children(s, ret, &nodes[id])))
			results[id] = FIT_GONE;
	for (id = 1; id < s->nr_nodes; id++)
		if (kind__is_struct(nodes[id].kind) && results[id] == FIT_UNCHANGED &&
		    drop_children(s, ret, &nodes[id]))
			results[id] = FIT_SHRUNK;
	for (id = 1; id < s->nr_nodes; id++) {
		struct node *n = &nodes[id];

		if (results[id] == FIT_GONE)
			n->uses = n->functions = 0;
		if (results[id] == FIT_DECLARED) {
			n->flags |= TYPE_FORWARD;
			n->flags &= ~TYPE_BITFIELDS;
		}
		if (results[id] >= FIT_DECLARED || (results[id] && !kind__is_struct(n->kind)))
			n->nr_children = 0;
		drop_removed(ret, &n->ref);
		for (uint32_t i = 0; i < n->nr_children; i++)
			drop_removed(ret, &s->children[n->child + i].ref);
	}
}

void fit__destroy(struct fit *fit)
{
	free(fit->results);
}
