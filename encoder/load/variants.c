// SPDX-License-Identifier: GPL-2.0-only
/*
 * A unit with a name that has several contents, read again: what reaches a
 * content that is not primary (an *element*) becomes a variant.
 *
 * Each element is given one of 64 bits by its hash, so that reaching is a mask
 * that spreads against the direction of the references until nothing changes:
 * at most 64 visits per record, however many elements there are.  Elements that
 * share a bit only make more variants than needed; types/unify.h folds those.
 */
#include <linux/btf.h>

#include "load/refs.h"
#include "util/grow.h"

/**
 * struct spread - masks on their way
 * @mask:	by record: bits of the elements it reaches
 * @start:	by record: where its referrers begin in @referrers
 * @digest:	by bit: hash of the set of elements that have it
 */
struct spread {
	uint64_t	*mask;
	uint32_t	*start;
	uint32_t	*referrers;
	uint32_t	*work;
	bool		*queued;
	struct hash	digest[64];
};

static unsigned int bit_of(struct hash h)
{
	return h.hi >> 58;
}

static int compare_hashes(const void *x, const void *y)
{
	const struct hash *a = x, *b = y;

	if (a->lo != b->lo)
		return a->lo < b->lo ? -1 : 1;
	return a->hi < b->hi ? -1 : a->hi > b->hi;
}

/* Find the unit's elements, set their bits, and hash each bit's set. */
static int find_elements(struct loader *l, const struct conflicts *c, struct spread *s)
{
	struct records *r = &l->records;
	struct hash *elements = NULL;
	uint32_t nr = 0, cap = 0, i;

	for (i = 1; i < r->nr_recs; i++) {
		const struct rec *rec = &r->recs[i];

		if (!rec->name || !kind__is_tagged(rec->kind) ||
		    !conflicts__has(c, rec->node))
			continue;
		if (grow(&elements, &cap, (uint64_t)nr + 1, sizeof(*elements))) {
			free(elements);
			return -ENOMEM;
		}
		elements[nr++] = rec->hash;
		s->mask[i] = 1ULL << bit_of(rec->hash);
	}
	if (nr)
		qsort(elements, nr, sizeof(*elements), compare_hashes);
	for (i = 0; i < nr; i++)
		if (!i || !hash__equal(elements[i], elements[i - 1]))
			hash__add(&s->digest[bit_of(elements[i])], elements[i].lo, elements[i].hi);
	free(elements);
	return 0;
}

/* Call @fn for every record that a record refers to. */
static void for_each_ref(struct loader *l, uint32_t from, struct spread *s,
			 void (*fn)(struct spread *s, uint32_t from, uint32_t to))
{
	struct records *r = &l->records;
	const struct rec *rec = &r->recs[from];
	uint32_t to, i;

	to = loader__target(l, rec->ref);
	if (to)
		fn(s, from, to);
	if (rec->kind == BTF_KIND_ENUM || rec->kind == BTF_KIND_ENUM64)
		return;
	for (i = rec->first; i; i = r->items[i].next) {
		to = loader__target(l, r->items[i].ref);
		if (to)
			fn(s, from, to);
	}
}

static void count_referrer(struct spread *s, uint32_t from, uint32_t to)
{
	s->start[to]++;
}

static void place_referrer(struct spread *s, uint32_t from, uint32_t to)
{
	s->referrers[--s->start[to]] = from;
}

static bool has_node(const struct rec *rec)
{
	return rec->kind != BTF_KIND_FUNC && rec->kind != REC_ALIAS;
}

static int find_referrers(struct loader *l, struct spread *s)
{
	struct records *r = &l->records;
	uint32_t i, nr = 0;

	for (i = 1; i < r->nr_recs; i++)
		if (has_node(&r->recs[i]))
			for_each_ref(l, i, s, count_referrer);
	for (i = 0; i <= r->nr_recs; i++) {
		nr += s->start[i];
		s->start[i] = nr;
	}
	s->referrers = malloc((nr + 1) * sizeof(*s->referrers));
	if (!s->referrers)
		return -ENOMEM;
	/* filled from the back, so that every start ends up where it belongs */
	for (i = 1; i < r->nr_recs; i++)
		if (has_node(&r->recs[i]))
			for_each_ref(l, i, s, place_referrer);
	return 0;
}

static void spread_masks(struct records *r, struct spread *s)
{
	uint32_t nr = 0, i, k;

	for (i = 1; i < r->nr_recs; i++)
		if (s->mask[i]) {
			s->work[nr++] = i;
			s->queued[i] = true;
		}
	while (nr) {
		uint32_t to = s->work[--nr];

		s->queued[to] = false;
		for (k = s->start[to]; k < s->start[to + 1]; k++) {
			uint32_t from = s->referrers[k];

			if (!(s->mask[to] & ~s->mask[from]))
				continue;
			s->mask[from] |= s->mask[to];
			if (!s->queued[from]) {
				s->queued[from] = true;
				s->work[nr++] = from;
			}
		}
	}
}

static struct hash variant_hash(const struct spread *s, const struct rec *rec, uint64_t mask)
{
	struct hash h = hash__new(HASH_K1);
	unsigned int bit;

	hash__add(&h, rec->hash.lo, rec->hash.hi);
	for (bit = 0; bit < 64; bit++)
		if (mask >> bit & 1)
			hash__add(&h, s->digest[bit].lo, s->digest[bit].hi);
	return h;
}

/*
 * Move every record that reaches an element from its plain node to a variant.
 * Only when all have moved are the new nodes filled, because their references
 * lead to other new nodes.
 */
static int move_to_variants(struct loader *l, uint32_t unit, struct spread *s)
{
	struct records *r = &l->records;
	uint32_t nr_fresh = 0, i;
	int err = 0;

	for (i = 1; i < r->nr_recs; i++) {
		struct rec *rec = &r->recs[i];
		bool prototype = records__is_prototype(r, i);
		struct node *n;
		int64_t id;

		if (!s->mask[i] || !has_node(rec))
			continue;
		n = &l->store.nodes[rec->node];
		n->count -= !prototype;
		n->functions -= prototype;
		id = store__intern(&l->store, variant_hash(s, rec, s->mask[i]));
		if (id < 0)
			return id;
		rec->node = id;
		n = &l->store.nodes[id];
		if (!n->count && !n->functions) {
			n->first = (uint64_t)unit << 32 | i;
			rec->flags |= TYPE_VARIANT;
			s->work[nr_fresh++] = i;
		}
		n->count += !prototype;
		n->functions += prototype;
	}
	for (i = 0; !err && i < nr_fresh; i++)
		err = loader__fill_node(l, &r->recs[s->work[i]]);
	for (i = 1; CHECKS_HITS && !err && i < r->nr_recs; i++)
		if (s->mask[i] && has_node(&r->recs[i]))
			err = loader__check_hit(l, &r->recs[i]);
	return err;
}

int loader__make_variants(struct loader *l, uint32_t unit, const struct conflicts *conflicts)
{
	size_t nr = l->records.nr_recs;
	struct spread s = {
		.mask = calloc(nr, sizeof(*s.mask)),
		.start = calloc(nr + 1, sizeof(*s.start)),
		.work = calloc(nr, sizeof(*s.work)),
		.queued = calloc(nr, sizeof(*s.queued)),
	};
	int err = -ENOMEM;

	if (s.mask && s.start && s.work && s.queued) {
		err = find_elements(l, conflicts, &s);
		err = err ?: find_referrers(l, &s);
		if (!err) {
			spread_masks(&l->records, &s);
			err = move_to_variants(l, unit, &s);
		}
	}
	free(s.mask);
	free(s.start);
	free(s.referrers);
	free(s.work);
	free(s.queued);
	return err;
}
