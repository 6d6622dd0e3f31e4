// SPDX-License-Identifier: GPL-2.0-only
/*
 * A node and a type of the base that have one shape are a *pair*.  All pairs
 * are believed at first.  One whose references lead to no pair is refuted, and
 * then those that refer to it are looked at again, until no more fall: what is
 * left is the greatest set of pairs in which every reference is borne out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/match.h"
#include "util/grow.h"
#include "util/msg.h"

/*
 * Of so many types of one shape in the base, only the first are looked at.  A
 * kernel's base has a handful; a file made to have more gets a type repeated.
 */
#define MAX_CANDIDATES	64U

/*
 * References that are compared at most, far more than any module of Debian's
 * comes to; types can be made so that each of many that fall has many others
 * looked at again.
 */
#define MAX_COMPARED	(1ULL << 30)

/* The base's tables are large: what is looked for is said so many nodes ahead. */
#define AHEAD		16

struct pair {
	uint32_t	node;
	uint32_t	id;
	bool		by_name;	/* one of them is a forward */
	bool		refuted;
};

/**
 * struct matcher - the work of one match_base()
 * @shapes:	by node
 * @has_shape:	by node
 * @first:	by node: its first pair; those of a node are one run, up to the
 *		next node's first
 * @start:	by node: where those that refer to it begin in @referrers
 * @work:	nodes with a refuted pair whose referrers are to be looked at
 * @compared:	references compared so far
 * @seen_as:	by node: of a forward whose name has several contents in the
 *		base, the lowest id of those that it stands for within others
 * @final:	by node: id in the base, once @settled
 */
struct matcher {
	const struct base	*base;
	const struct store	*store;
	const struct primaries	*primaries;
	struct hash		*shapes;
	bool			*has_shape;
	struct pair		*pairs;
	uint32_t		nr_pairs, cap_pairs;
	uint32_t		*first;
	uint32_t		*start;
	uint32_t		*referrers;
	uint32_t		*work;
	bool			*queued;
	uint32_t		nr_work;
	uint64_t		compared;
	uint32_t		*seen_as;
	uint32_t		*final;
	bool			*settled;
};

/* --- references of either side, numbered alike -------------------------------- */

static bool has_ref(uint8_t kind)
{
	switch (kind) {
	case BTF_KIND_PTR:
	case BTF_KIND_ARRAY:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
	case BTF_KIND_FUNC_PROTO:
		return true;
	default:
		return false;
	}
}

static bool children_refer(uint8_t kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION || kind == BTF_KIND_FUNC_PROTO;
}

static uint32_t nr_refs(const struct node *n)
{
	return has_ref(n->kind) + (children_refer(n->kind) ? n->nr_children : 0);
}

static uint32_t node_ref(const struct matcher *m, const struct node *n, uint32_t k)
{
	uint32_t ref;

	if (has_ref(n->kind))
		ref = k ? m->store->children[n->child + k - 1].ref : n->ref;
	else
		ref = m->store->children[n->child + k].ref;
	return ref ? primaries__resolve(m->primaries, m->store, n, ref) : 0;
}

static uint32_t base_ref(const struct matcher *m, uint32_t id, uint32_t k)
{
	const struct btf_type *t = btf_data__type(m->base->btf, id);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_ARRAY:
		return ((const struct btf_array *)(t + 1))->type;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return ((const struct btf_member *)(t + 1))[k].type;
	case BTF_KIND_FUNC_PROTO:
		return k ? ((const struct btf_param *)(t + 1))[k - 1].type : t->type;
	default:
		return t->type;
	}
}

/* --- shapes of nodes ----------------------------------------------------------- */

static bool is_forward(const struct node *n)
{
	return n->flags & TYPE_FORWARD;
}

static struct hash node_shape(struct matcher *m, uint32_t id);

static struct hash node_key(struct matcher *m, uint32_t id)
{
	const struct node *n = &m->store->nodes[id];

	if (!id)
		return (struct hash){};
	if (n->name && kind__is_tagged(n->kind))
		return store__key(n->kind, &m->store->strings.array[n->name]);
	return node_shape(m, id);
}

static bool node_flag(const struct node *n)
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

/*
 * Recursion ends: a chain of types without names longer than 250 was
 * refused when the unit was read, and so was one that leads back to itself.
 */
static struct hash node_shape(struct matcher *m, uint32_t id)
{
	const struct string *strings = m->store->strings.array;
	const struct node *n = &m->store->nodes[id];
	const struct child *c = m->store->children + n->child;
	bool refer = children_refer(n->kind);
	struct shape s = { .kind = n->kind, .flag = node_flag(n), .encoding = n->encoding,
			   .size = n->size, .nr = n->nr_children, .name = strings[n->name].hash };
	struct hash h;
	uint32_t i;

	if (m->has_shape[id])
		return m->shapes[id];
	h = shape__begin(&s);
	if (has_ref(n->kind))
		shape__add_ref(&h, node_key(m, n->ref));
	for (i = 0; i < n->nr_children; i++) {
		uint64_t value = n->kind == BTF_KIND_ENUM ? (uint32_t)c[i].value : c[i].value;

		shape__add_child(&h, strings[c[i].name].hash, value, c[i].bits);
		if (refer)
			shape__add_ref(&h, node_key(m, c[i].ref));
	}
	if (is_forward(n))
		h = shape__unique(1, id);
	m->shapes[id] = h;
	m->has_shape[id] = true;
	return h;
}

/* --- pairs --------------------------------------------------------------------- */

static bool is_name(const struct matcher *m, uint32_t string, uint32_t offset)
{
	return !strcmp(m->store->strings.array[string].s, btf_data__string(m->base->btf, offset));
}

static bool has_children(const struct matcher *m, const struct node *n, const struct btf_type *t)
{
	const struct child *c = m->store->children + n->child;
	const struct btf_enum64 *e64 = (const void *)(t + 1);
	const struct btf_member *member = (const void *)(t + 1);
	const struct btf_param *param = (const void *)(t + 1);
	const struct btf_enum *e = (const void *)(t + 1);
	bool bits = BTF_INFO_KFLAG(t->info);
	uint32_t i, nr = n->nr_children;
	bool same = true;

	for (i = 0; same && i < nr; i++, c++) {
		switch (n->kind) {
		case BTF_KIND_ENUM:
			same = is_name(m, c->name, e[i].name_off) &&
			       (uint32_t)e[i].val == (uint32_t)c->value;
			break;
		case BTF_KIND_ENUM64:
			same = is_name(m, c->name, e64[i].name_off) &&
			       ((uint64_t)e64[i].val_hi32 << 32 | e64[i].val_lo32) == c->value;
			break;
		case BTF_KIND_FUNC_PROTO:
			same = is_name(m, c->name, param[i].name_off);
			break;
		default:
			same = is_name(m, c->name, member[i].name_off) && member[i].offset ==
			       (bits ? c->bits << 24 | (uint32_t)c->value : (uint32_t)c->value);
		}
	}
	return same;
}

/* Is the base's type the same as a node, what both refer to aside? */
static bool is_same(const struct matcher *m, const struct node *n, const struct btf_type *t)
{
	const struct btf_array *array = (const void *)(t + 1);
	uint32_t nr = n->nr_children, data;

	if (BTF_INFO_KIND(t->info) != n->kind || !is_name(m, n->name, t->name_off))
		return false;
	switch (n->kind) {
	case BTF_KIND_INT:
		data = *(const uint32_t *)(t + 1);
		return t->size == n->size && data == ((uint32_t)n->encoding << 24 | n->size * 8);
	case BTF_KIND_FLOAT:
		return t->size == n->size;
	case BTF_KIND_ARRAY:
		return array->nelems == n->size;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return t->size == n->size && BTF_INFO_KFLAG(t->info) == node_flag(n) &&
		       BTF_INFO_VLEN(t->info) == nr && has_children(m, n, t);
	case BTF_KIND_FUNC_PROTO:
		return BTF_INFO_VLEN(t->info) == nr + node_flag(n) && has_children(m, n, t);
	default:
		return BTF_INFO_KFLAG(t->info) == node_flag(n);
	}
}

/*
 * Is this type what it was looked up for?  An index that we made says so; one
 * that a file says is asked for proof, and with it what is read of the type
 * from here on.
 */
static bool is_proven(struct matcher *m, uint32_t node, uint32_t id, bool by_name)
{
	const struct btf_type *t;

	if (!m->base->cached)
		return true;
	t = btf_data__type(m->base->btf, id);
	if (!t || !btf_data__holds(m->base->btf, t))
		return false;
	return by_name ? base__has_key(m->base, id, node_key(m, node)) :
			 is_same(m, &m->store->nodes[node], t);
}

static int add_pair(struct matcher *m, uint32_t node, uint32_t id, bool by_name)
{
	if (!is_proven(m, node, id, by_name))
		return 0;
	if (grow(&m->pairs, &m->cap_pairs, (uint64_t)m->nr_pairs + 1, sizeof(*m->pairs)))
		return -ENOMEM;
	m->pairs[m->nr_pairs++] = (struct pair){ .node = node, .id = id, .by_name = by_name };
	return 0;
}

/* A forward, on whichever side, is a pair with anything of its name. */
static int add_candidates(struct matcher *m, uint32_t id)
{
	const struct node *n = &m->store->nodes[id];
	struct base_candidates c;
	uint32_t nr;
	int err = 0;

	if (!is_forward(n)) {
		c = base__with_shape(m->base, node_shape(m, id));
		for (nr = 0; !err && c.id && nr < MAX_CANDIDATES; nr++) {
			err = add_pair(m, id, c.id, false);
			base__next_shape(m->base, &c);
		}
	}
	if (!n->name || !kind__is_tagged(n->kind))
		return err;
	c = base__with_key(m->base, node_key(m, id));
	for (nr = 0; !err && c.id && nr < MAX_CANDIDATES; nr++) {
		if (is_forward(n) || base__is_forward(m->base, c.id))
			err = add_pair(m, id, c.id, true);
		base__next_key(m->base, &c);
	}
	return err;
}

static bool is_pair(const struct matcher *m, uint32_t node, uint32_t id)
{
	uint32_t i;

	if (!node || !id)
		return !node && !id;
	for (i = m->first[node]; i < m->first[node + 1]; i++)
		if (m->pairs[i].id == id)
			return !m->pairs[i].refuted;
	return false;
}

static bool is_borne_out(struct matcher *m, const struct pair *p)
{
	const struct node *n = &m->store->nodes[p->node];
	uint32_t nr = p->by_name ? 0 : nr_refs(n), k;

	for (k = 0; k < nr; k++) {
		uint32_t ref = node_ref(m, n, k);

		m->compared += 1 + m->first[ref + 1] - m->first[ref];
		if (!is_pair(m, ref, base_ref(m, p->id, k)))
			return false;
	}
	return true;
}

static void check_node(struct matcher *m, uint32_t node)
{
	uint32_t i;

	for (i = m->first[node]; i < m->first[node + 1]; i++) {
		if (m->pairs[i].refuted || is_borne_out(m, &m->pairs[i]))
			continue;
		m->pairs[i].refuted = true;
		if (!m->queued[node]) {
			m->queued[node] = true;
			m->work[m->nr_work++] = node;
		}
	}
}

static int find_referrers(struct matcher *m)
{
	const struct store *s = m->store;
	uint32_t id, k, nr = 0;

	for (id = 1; id < s->nr_nodes; id++)
		for (k = 0; k < nr_refs(&s->nodes[id]); k++)
			m->start[node_ref(m, &s->nodes[id], k)]++;
	for (id = 0; id <= s->nr_nodes; id++) {
		nr += m->start[id];
		m->start[id] = nr;
	}
	m->referrers = malloc((nr + 1UL) * sizeof(*m->referrers));
	if (!m->referrers)
		return -ENOMEM;
	/* filled from the back, so that every start ends up where it belongs */
	for (id = 1; id < s->nr_nodes; id++)
		for (k = 0; k < nr_refs(&s->nodes[id]); k++)
			m->referrers[--m->start[node_ref(m, &s->nodes[id], k)]] = id;
	return 0;
}

static int find_pairs(struct matcher *m)
{
	uint32_t nr = m->store->nr_nodes, id, i;
	int err = 0;

	for (id = 1; !err && id < nr; id++) {
		if (id + AHEAD < nr)
			base_index__prefetch_shape(&m->base->index, node_shape(m, id + AHEAD));
		m->first[id] = m->nr_pairs;
		err = add_candidates(m, id);
	}
	m->first[nr] = m->nr_pairs;
	err = err ?: find_referrers(m);
	for (id = 1; !err && id < nr && m->compared <= MAX_COMPARED; id++)
		check_node(m, id);
	while (!err && m->nr_work && m->compared <= MAX_COMPARED) {
		id = m->work[--m->nr_work];
		m->queued[id] = false;
		for (i = m->start[id]; i < m->start[id + 1] && m->compared <= MAX_COMPARED; i++)
			check_node(m, m->referrers[i]);
	}
	/* what was not looked at cannot be believed */
	if (!err && m->compared > MAX_COMPARED) {
		msg_error("types that take too long to find in the base");
		err = -ETIME;
	}
	return err;
}

/* --- the one that is taken ------------------------------------------------------ */

static uint32_t settle(struct matcher *m, uint32_t node);

/* How far down from a struct a forward is looked for: "*(*)(struct fwd *)" and no farther. */
#define MAX_DEPTH	4U

/* @node is @id within a struct that is in the base: so are the forwards below it. */
static void note_forwards(struct matcher *m, uint32_t node, uint32_t id, unsigned int depth)
{
	const struct node *n = &m->store->nodes[node];
	uint32_t k;

	if (!node || !id || m->compared++ > MAX_COMPARED)
		return;
	if (is_forward(n)) {
		if (!base__is_forward(m->base, id) &&
		    (!m->seen_as[node] || id < m->seen_as[node]))
			m->seen_as[node] = id;
		return;
	}
	for (k = 0; has_ref(n->kind) && depth < MAX_DEPTH && k < nr_refs(n); k++)
		note_forwards(m, node_ref(m, n, k), base_ref(m, id, k), depth + 1);
}

static bool is_ambiguous(const struct matcher *m, uint32_t node)
{
	return is_forward(&m->store->nodes[node]) && m->first[node + 1] - m->first[node] > 1;
}

/* What structs that are in the base say of forwards that could be several types. */
static void ask_structs(struct matcher *m)
{
	uint32_t nr = m->store->nr_nodes, id, k;

	for (id = 1; id < nr && !is_ambiguous(m, id); id++)
		;
	if (id == nr)
		return;
	for (id = 1; id < nr; id++) {
		const struct node *n = &m->store->nodes[id];

		if (has_ref(n->kind) || is_forward(n) || !settle(m, id))
			continue;
		for (k = 0; k < nr_refs(n); k++)
			note_forwards(m, node_ref(m, n, k), base_ref(m, m->final[id], k), 0);
	}
}

/*
 * A forward by itself: the only content, the one that it is elsewhere, or else
 * the base's forward.
 */
static uint32_t settle_forward(const struct matcher *m, uint32_t node)
{
	uint32_t i, content = 0, forward = 0, contents = 0;

	for (i = m->first[node]; i < m->first[node + 1]; i++) {
		uint32_t id = m->pairs[i].id;

		if (base__is_forward(m->base, id)) {
			forward = forward ?: id;
			continue;
		}
		content = id;
		contents++;
	}
	if (m->store->nodes[node].flags & TYPE_VARIANT)
		return forward;
	return contents == 1 ? content : m->seen_as[node] ?: forward;
}

static bool agrees(struct matcher *m, const struct pair *p)
{
	const struct node *n = &m->store->nodes[p->node];
	uint32_t k;

	for (k = 0; k < nr_refs(n); k++)
		if (settle(m, node_ref(m, n, k)) != base_ref(m, p->id, k))
			return false;
	return true;
}

/*
 * A struct brings its own references with it.  What has none but to others
 * (a pointer, a prototype) must agree with what these have become.
 */
static uint32_t settle(struct matcher *m, uint32_t node)
{
	const struct node *n = &m->store->nodes[node];
	uint32_t i;

	if (!node || m->settled[node])
		return m->final[node];
	m->settled[node] = true;
	if (is_forward(n)) {
		m->final[node] = settle_forward(m, node);
		return m->final[node];
	}
	for (i = m->first[node]; i < m->first[node + 1]; i++) {
		if (m->pairs[i].refuted || m->pairs[i].by_name || (has_ref(n->kind) && !agrees(m, &m->pairs[i])))
			continue;
		m->final[node] = m->pairs[i].id;
		break;
	}
	return m->final[node];
}

int match_base(const struct base *base, const struct store *store,
	       const struct primaries *primaries, uint32_t **ret)
{
	size_t nr = store->nr_nodes;
	struct matcher m = {
		.base = base, .store = store, .primaries = primaries,
		.shapes = calloc(nr, sizeof(*m.shapes)),
		.has_shape = calloc(nr, sizeof(*m.has_shape)),
		.first = calloc(nr + 1, sizeof(*m.first)),
		.start = calloc(nr + 1, sizeof(*m.start)),
		.work = calloc(nr, sizeof(*m.work)),
		.queued = calloc(nr, sizeof(*m.queued)),
		.seen_as = calloc(nr, sizeof(*m.seen_as)),
		.final = calloc(nr, sizeof(*m.final)),
		.settled = calloc(nr, sizeof(*m.settled)),
	};
	int err = -ENOMEM;
	uint32_t id;

	if (m.shapes && m.has_shape && m.first && m.start && m.work && m.queued && m.seen_as &&
	    m.final && m.settled)
		err = find_pairs(&m);
	if (!err)
		ask_structs(&m);
	for (id = 1; !err && id < nr; id++)
		settle(&m, id);
	*ret = NULL;
	if (!err) {
		*ret = m.final;
		m.final = NULL;
	}
	free(m.shapes);
	free(m.has_shape);
	free(m.pairs);
	free(m.first);
	free(m.start);
	free(m.referrers);
	free(m.work);
	free(m.queued);
	free(m.seen_as);
	free(m.final);
	free(m.settled);
	return err;
}
