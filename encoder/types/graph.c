// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "types/graph.h"
#include "util/macros.h"
#include "util/memory.h"

/* List the references of some types, @nr of them. */
static void referrers__find(struct referrers *r, const struct type_graph *graph,
			    const uint32_t *types, uint32_t nr)
{
	uint32_t nr_types = graph->store->nr_nodes, sum = 0;

	r->start = xcalloc(nr_types + 1UL, sizeof(*r->start));
	for (uint32_t i = 0; i < nr; i++)
		for (uint32_t k = graph__nr_refs(graph, types[i]); k-- > 0; )
			r->start[graph__ref(graph, types[i], k)]++;
	for (uint32_t id = 0; id <= nr_types; id++) {
		sum += r->start[id];
		r->start[id] = sum;
	}
	r->list = xmalloc(sum * sizeof(*r->list));
	/* filled backwards, which moves each start to its first referrer */
	for (uint32_t i = 0; i < nr; i++)
		for (uint32_t k = graph__nr_refs(graph, types[i]); k-- > 0; )
			r->list[--r->start[graph__ref(graph, types[i], k)]] = types[i];
}

static void referrers__destroy(struct referrers *r)
{
	free(r->start);
	free(r->list);
}

/* --- partition ------------------------------------------------------------------- */

void partition__init(struct partition *p, struct type_graph graph, const uint32_t *equal,
		     const bool *fixed)
{
	uint32_t nr_types = graph.store->nr_nodes;
	uint32_t *count __cleanup(free_pointer) = xcalloc(nr_types, sizeof(*count));
	uint32_t id, nr = 0, to = 0;

	*p = (struct partition){ .graph = graph, .nr_types = nr_types };
	p->class = xcalloc(nr_types, sizeof(*p->class));
	p->at = xcalloc(nr_types, sizeof(*p->at));
	for (id = 1; id < nr_types; id++) {
		count[equal[id]] += equal[id] && !fixed[id];
		nr += equal[id] && !fixed[id];
	}
	p->elements = xcalloc(nr + 1UL, sizeof(*p->elements));
	p->start = xcalloc(nr + 1UL, sizeof(*p->start));
	p->len = xcalloc(nr + 1UL, sizeof(*p->len));
	for (id = 1; id < nr_types; id++) {
		uint32_t first = equal[id], c;

		p->class[id] = first && fixed[id] ? first : id;
		if (!first || fixed[id] || count[first] < 2)
			continue;
		/* the first of a class reserves room for all */
		if (first == id) {
			p->class[id] = nr_types + p->nr_classes;
			p->start[p->nr_classes++] = to;
			to += count[id];
		}
		p->class[id] = p->class[first];
		c = p->class[id] - nr_types;
		p->at[id] = p->start[c] + ++p->len[c];
		p->elements[p->at[id] - 1] = id;
	}
	p->nr_elements = to;
}

void partition__destroy(struct partition *p)
{
	free(p->class);
	free(p->elements);
	free(p->at);
	free(p->start);
	free(p->len);
	referrers__destroy(&p->referrers);
}

/**
 * struct suspect - a type that may have to leave
 * @refs:	hash of the classes it refers to
 */
struct suspect {
	uint32_t	class;
	uint32_t	type;
	struct hash	refs;
};

/**
 * struct refining - one partition__refine()
 * @suspects:	of this round
 * @suspected:	by type
 * @left:	types that left their class in this round
 */
struct refining {
	struct partition	*p;
	struct suspect		*suspects;
	uint32_t		nr;
	bool			*suspected;
	uint32_t		*left;
	uint32_t		nr_left;
};

static int compare_suspects(const void *x, const void *y)
{
	const struct suspect *a = x, *b = y;

	return cmp_int(a->class, b->class) ?: cmp_int(a->refs.lo, b->refs.lo) ?:
	       cmp_int(a->refs.hi, b->refs.hi) ?: cmp_int(a->type, b->type);
}

static void add_suspect(struct refining *r, uint32_t type)
{
	if (r->suspected[type])
		return;
	r->suspected[type] = true;
	r->suspects[r->nr++].type = type;
}

/* Move a type to the newest class, which follows the rest of its old class. */
static void leave_class(struct refining *r, uint32_t type)
{
	struct partition *p = r->p;
	uint32_t from = p->class[type] - p->nr_types, to = p->nr_classes - 1;
	uint32_t last = p->start[from] + --p->len[from], other = p->elements[last];

	p->elements[p->at[type] - 1] = other;
	p->at[other] = p->at[type];
	p->elements[last] = type;
	p->at[type] = last + 1;
	p->class[type] = p->nr_types + to;
	p->start[to] = last;
	p->len[to]++;
	r->left[r->nr_left++] = type;
}

static void leave_together(struct refining *r, const struct suspect *s, uint32_t nr)
{
	r->p->nr_classes++;
	for (; nr; s++, nr--)
		leave_class(r, s->type);
}

/* The elements of a class that are not suspected still refer to the same classes. */
static void part_others(struct refining *r, uint32_t class)
{
	struct partition *p = r->p;
	uint32_t i, c = class - p->nr_types;

	p->nr_classes++;
	for (i = p->start[c] + p->len[c]; i-- > p->start[c]; )
		if (!r->suspected[p->elements[i]])
			leave_class(r, p->elements[i]);
}

/* The number of suspects, starting with the first, that refer to the same classes. */
static uint32_t count_same(const struct suspect *s, uint32_t nr)
{
	uint32_t i;

	for (i = 1; i < nr && hash__equal(s[i].refs, s[0].refs); i++)
		;
	return i;
}

/* Of the suspects of one class, the largest part stays, and all others leave. */
static void split_class(struct refining *r, const struct suspect *s, uint32_t nr)
{
	uint32_t others = r->p->len[s->class - r->p->nr_types] - nr, most = others;
	uint32_t stays = UINT32_MAX, i, same;

	for (i = 0; i < nr; i += same) {
		same = count_same(s + i, nr - i);
		if (same > most) {
			most = same;
			stays = i;
		}
	}
	if (stays != UINT32_MAX && others)
		part_others(r, s->class);
	for (i = 0; i < nr; i += same) {
		same = count_same(s + i, nr - i);
		if (i != stays)
			leave_together(r, s + i, same);
	}
}

static void check_suspects(struct refining *r)
{
	struct partition *p = r->p;
	uint32_t i, k, nr;

	for (i = 0; i < r->nr; i++) {
		struct suspect *s = &r->suspects[i];

		s->class = p->class[s->type];
		s->refs = hash__new(0);
		nr = graph__nr_refs(&p->graph, s->type);
		for (k = 0; k < nr; k++)
			hash__add(&s->refs, p->class[graph__ref(&p->graph, s->type, k)], k);
	}
	qsort(r->suspects, r->nr, sizeof(*r->suspects), compare_suspects);
	for (i = 0; i < r->nr; i += nr) {
		for (nr = 1; i + nr < r->nr && r->suspects[i + nr].class == r->suspects[i].class; )
			nr++;
		split_class(r, r->suspects + i, nr);
	}
	for (i = 0; i < r->nr; i++)
		r->suspected[r->suspects[i].type] = false;
	r->nr = 0;
}

void partition__refine(struct partition *p)
{
	struct suspect *suspects __cleanup(free_pointer) =
		xcalloc(p->nr_elements + 1UL, sizeof(*suspects));
	uint32_t *left __cleanup(free_pointer) = xcalloc(p->nr_elements + 1UL, sizeof(*left));
	bool *suspected __cleanup(free_pointer) = xcalloc(p->nr_types, sizeof(*suspected));
	struct refining r = { .p = p, .suspects = suspects, .left = left, .suspected = suspected };

	referrers__find(&p->referrers, &p->graph, p->elements, p->nr_elements);
	for (uint32_t i = 0; i < p->nr_elements; i++)
		add_suspect(&r, p->elements[i]);
	while (r.nr) {
		check_suspects(&r);
		for (uint32_t i = 0; i < r.nr_left; i++)
			for (uint32_t k = p->referrers.start[left[i]];
			     k < p->referrers.start[left[i] + 1]; k++)
				add_suspect(&r, p->referrers.list[k]);
		r.nr_left = 0;
	}
}

/* --- pairs ----------------------------------------------------------------------- */

/*
 * Maximum number of references to compare, far more than any module of Debian's needs;
 * input can be made so that each of many refuted pairs has many others checked again.
 */
#define MAX_COMPARED	(1ULL << 30)

void pairs__init(struct pairs *p, struct type_graph left)
{
	uint32_t nr_left = left.store->nr_nodes;

	*p = (struct pairs){
		.left = left, .nr_left = nr_left,
		.first = xcalloc(nr_left + 1UL, sizeof(*p->first)),
		.work = xcalloc(nr_left, sizeof(*p->work)),
		.queued = xcalloc(nr_left, sizeof(*p->queued)),
	};
}

void pairs__destroy(struct pairs *p)
{
	free(p->array);
	free(p->first);
	referrers__destroy(&p->referrers);
	free(p->work);
	free(p->queued);
}

static void fill_firsts(struct pairs *p, uint32_t left)
{
	while (p->filled <= left)
		p->first[p->filled++] = p->nr;
}

void pairs__add(struct pairs *p, uint32_t left, uint32_t right, bool by_name)
{
	fill_firsts(p, left);
	push(p, (struct pair){ .left = left, .right = right, .by_name = by_name });
}

static bool is_pair(const struct pairs *p, uint32_t left, uint32_t right)
{
	if (!left || !right)
		return !left && !right;
	if (!p->right_ref && left == right)
		return true;
	for_each_pair(pair, p, left)
		if (pair->right == right)
			return !pair->refuted;
	return false;
}

static bool is_consistent(struct pairs *p, const struct pair *pair)
{
	uint32_t nr = pair->by_name ? 0 : graph__nr_refs(&p->left, pair->left);

	for (uint32_t k = 0; k < nr; k++) {
		uint32_t ref = graph__ref(&p->left, pair->left, k);
		uint32_t right = p->right_ref ? p->right_ref(p->arg, pair->right, k) :
						graph__ref(&p->left, pair->right, k);

		p->compared += 1 + p->first[ref + 1] - p->first[ref];
		if (!is_pair(p, ref, right))
			return false;
	}
	return true;
}

static void check_type(struct pairs *p, uint32_t left)
{
	for_each_pair(pair, p, left) {
		if (pair->refuted || is_consistent(p, pair))
			continue;
		pair->refuted = true;
		if (!p->queued[left]) {
			p->queued[left] = true;
			p->work[p->nr_work++] = left;
		}
	}
}

/* Types without a pair cannot be refuted, nor refute. */
static void find_referrers(struct pairs *p)
{
	uint32_t *types __cleanup(free_pointer) = xcalloc(p->nr_left, sizeof(*types)), nr = 0;

	for (uint32_t left = 1; left < p->nr_left; left++)
		if (p->first[left + 1] > p->first[left])
			types[nr++] = left;
	referrers__find(&p->referrers, &p->left, types, nr);
}

bool pairs__refute(struct pairs *p)
{
	uint32_t left, i;

	fill_firsts(p, p->nr_left);
	for (left = 1; left < p->nr_left && p->compared <= MAX_COMPARED; left++)
		check_type(p, left);
	/* in nearly all modules, no pair is refuted */
	if (p->nr_work)
		find_referrers(p);
	while (p->nr_work && p->compared <= MAX_COMPARED) {
		left = p->work[--p->nr_work];
		p->queued[left] = false;
		for (i = p->referrers.start[left];
		     i < p->referrers.start[left + 1] && p->compared <= MAX_COMPARED; i++)
			check_type(p, p->referrers.list[i]);
	}
	return p->compared <= MAX_COMPARED;
}
