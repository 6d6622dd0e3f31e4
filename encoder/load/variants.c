// SPDX-License-Identifier: GPL-2.0-only
/*
 * A unit that has a name with conflicting definitions is read again.  Types that
 * reach a definition that is not primary (an *element*) become variants.
 *
 * Each rec has a mask of the elements it reaches.  Masks are propagated from recs to their referrers
 * until nothing changes: at most 64 visits per rec and 64 elements.  Elements must not share a bit:
 * units that are read together may have several definitions of a name, and types that only differ in
 * the definition that they reach have equal hashes.
 */
#include <sys/param.h>

#include "load/load.h"
#include "util/memory.h"
#include "util/msg.h"

/* Limits the rounds of 64 elements for a malformed file. */
#define MAX_ROUNDS	1024

/**
 * struct reach - a rec's place in the propagation of masks
 * @mask:	bits of the elements of a round that it reaches
 * @start:	index of its first referrer in @referrers
 * @queued:	its referrers are to be visited
 */
struct reach {
	uint64_t	mask;
	uint32_t	start;
	bool		queued;
};

/** struct source - a rec that is an element, which has this index in struct spread's @elements */
struct source {
	uint32_t	element;
	uint32_t	rec;
};

/**
 * struct spread - the propagation of masks
 * @recs:	by rec, and an end of the last one's referrers
 * @elements:	hashes of all elements, sorted, each once
 * @sources:	sorted by element; rounds run from the last one, and take theirs from the end
 * @work:	recs whose referrers are to be visited
 * @touched:	recs that have a mask
 * @more:	by rec: hash of the elements that it reaches in all rounds but the first; NULL if there
 *		is only one
 */
struct spread {
	struct reach		*recs;
	uint32_t		*referrers;
	VECTOR(struct hash)	elements;
	VECTOR(struct source)	sources;
	VECTOR(uint32_t)	work, touched;
	struct hash		*more;
};

static int compare_hashes(const void *x, const void *y)
{
	const struct hash *a = x, *b = y;

	return cmp_int(a->lo, b->lo) ?: cmp_int(a->hi, b->hi);
}

static int compare_sources(const void *x, const void *y)
{
	const struct source *a = x, *b = y;

	return cmp_int(a->element, b->element) ?: cmp_int(a->rec, b->rec);
}

/* Count a reference to a rec, or add the referrer to the list if it is allocated. */
static void add_referrer(struct loader *l, struct spread *s, uint32_t from, uint32_t ref)
{
	uint32_t to = loader__find_target(l, ref);

	if (to && s->referrers)
		s->referrers[--s->recs[to].start] = from;
	else if (to)
		s->recs[to].start++;
}

static void add_referrers(struct loader *l, struct spread *s)
{
	struct recs *r = &l->recs;

	for (uint32_t i = 1; i < r->nr; i++) {
		const struct rec *rec = &r->array[i];

		if (!rec__has_node(rec))
			continue;
		add_referrer(l, s, i, rec->ref);
		for_each_item(item, r, rec)
			add_referrer(l, s, i, item->ref);
	}
}

/* Add the elements of a round that a rec reaches to a hash. */
static void add_elements(const struct spread *s, uint32_t rec, uint32_t round, struct hash *h)
{
	const struct hash *first = s->elements.array + 64UL * round;

	for (uint64_t mask = s->recs[rec].mask; mask; mask &= mask - 1)
		hash__add(h, first[__builtin_ctzll(mask)].lo, first[__builtin_ctzll(mask)].hi);
}

static void reach_elements(struct spread *s, uint32_t rec, uint64_t mask)
{
	struct reach *reach = &s->recs[rec];

	if (!(mask & ~reach->mask))
		return;
	if (!reach->mask)
		push(&s->touched, rec);
	reach->mask |= mask;
	if (!reach->queued)
		push(&s->work, rec);
	reach->queued = true;
}

/* A rec reaches the elements that its targets reach: propagate the masks of a round. */
static void spread_round(struct spread *s, uint32_t round)
{
	for_each(rec, &s->touched)
		s->recs[*rec].mask = 0;
	s->touched.nr = 0;
	for (; s->sources.nr; s->sources.nr--) {
		const struct source *source = &s->sources.array[s->sources.nr - 1];

		if (source->element / 64 != round)
			break;
		reach_elements(s, source->rec, 1ULL << source->element % 64);
	}
	while (s->work.nr) {
		uint32_t at = s->work.array[--s->work.nr];
		const struct reach *to = &s->recs[at];

		s->recs[at].queued = false;
		for (uint32_t k = to[0].start; k < to[1].start; k++)
			reach_elements(s, s->referrers[k], to->mask);
	}
}

/* Move every rec that reaches an element from its plain node to a variant. */
static int move_to_variants(struct loader *l, const struct spread *s)
{
	struct recs *r = &l->recs;

	for (uint32_t i = 1; i < r->nr; i++) {
		struct rec *rec = &r->array[i];
		bool prototype = recs__is_prototype(r, i);
		struct hash h = hash__new(HASH_K1);
		struct node *n;
		int64_t id;

		if (!rec__has_node(rec) || (!s->recs[i].mask &&
				       (!s->more || hash__equal(s->more[i], (struct hash){}))))
			continue;
		n = &l->store.nodes[rec->node];
		n->uses -= !prototype;
		n->functions -= prototype;
		hash__add(&h, rec->hash.lo, rec->hash.hi);
		add_elements(s, i, 0, &h);
		if (s->more)
			hash__add(&h, s->more[i].lo, s->more[i].hi);
		id = store__intern(&l->store, h);
		if (id < 0)
			return id;
		rec->node = id;
		n = &l->store.nodes[id];
		if (!n->uses && !n->functions) {
			rec->flags |= TYPE_VARIANT;
			loader__add_fresh(l, i);
		}
		n->uses += !prototype;
		n->functions += prototype;
	}
	return 0;
}

int loader__make_variants(struct loader *l, const struct conflicts *conflicts)
{
	uint32_t nr_recs = l->recs.nr, nr = 0, rounds;
	struct spread s = { .recs = xcalloc(nr_recs + 1UL, sizeof(*s.recs)) };
	int err;

	for (uint32_t i = 1; i < nr_recs; i++) {
		const struct rec *rec = &l->recs.array[i];

		if (!rec->name || !kind__is_by_name(rec->kind) ||
		    !conflicts__has(conflicts, rec->node))
			continue;
		push(&s.sources, (struct source){ .rec = i });
		push(&s.elements, rec->hash);
	}
	vector__sort(&s.elements, compare_hashes);
	for_each(e, &s.elements)
		if (!nr || !hash__equal(*e, s.elements.array[nr - 1]))
			s.elements.array[nr++] = *e;
	s.elements.nr = nr;
	for_each(source, &s.sources)
		source->element = first_not_before(k, nr, compare_hashes(&s.elements.array[k],
							&l->recs.array[source->rec].hash) < 0);
	vector__sort(&s.sources, compare_sources);
	rounds = MIN((nr + 63) / 64, MAX_ROUNDS + 1);
	/* count the referrers of each rec */
	nr = 0;
	add_referrers(l, &s);
	for (uint32_t i = 0; i <= nr_recs; i++) {
		nr += s.recs[i].start;
		s.recs[i].start = nr;
	}
	s.referrers = xmalloc((nr + 1) * sizeof(*s.referrers));
	/* filled backwards, which moves each @start to its first referrer */
	add_referrers(l, &s);
	if (rounds > 1)
		s.more = xcalloc(nr_recs, sizeof(*s.more));
	for (uint32_t round = rounds <= MAX_ROUNDS ? rounds : 0; round-- > 1; ) {
		spread_round(&s, round);
		for_each(rec, &s.touched)
			add_elements(&s, *rec, round, &s.more[*rec]);
	}
	spread_round(&s, 0);
	err = rounds <= MAX_ROUNDS ? move_to_variants(l, &s) :
	      msg_fail(-E2BIG, "%s: more than %u conflicting definitions in units that are read together",
		       l->dw->img->path, 64 * MAX_ROUNDS);
	free(s.recs);
	free(s.referrers);
	free(s.elements.array);
	free(s.sources.array);
	free(s.work.array);
	free(s.touched.array);
	free(s.more);
	return err;
}
