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

#include "load/load.h"
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

	return cmp_int(a->lo, b->lo) ?: cmp_int(a->hi, b->hi);
}

/* Find the unit's elements, set their bits, and hash each bit's set. */
static int find_elements(struct loader *l, const struct conflicts *c, struct spread *s)
{
	struct records *r = &l->records;
	VECTOR(struct hash) elements = {};
	int err = 0;

	for (uint32_t i = 1; !err && i < r->recs.nr; i++) {
		const struct rec *rec = &r->recs.array[i];

		if (!rec->name || !kind__is_tagged(rec->kind) ||
		    !conflicts__has(c, rec->node))
			continue;
		err = push(&elements, rec->hash);
		s->mask[i] = 1ULL << bit_of(rec->hash);
	}
	if (elements.nr)
		qsort(elements.array, elements.nr, sizeof(struct hash), compare_hashes);
	for_each(e, &elements)
		if (e == elements.array || !hash__equal(e[0], e[-1]))
			hash__add(&s->digest[bit_of(*e)], e->lo, e->hi);
	free(elements.array);
	return err;
}

/* Count a reference to a record, or, if there is a list, put the referrer there. */
static void add_referrer(struct loader *l, struct spread *s, uint32_t from, uint32_t ref)
{
	uint32_t to = loader__target(l, ref);

	if (to && s->referrers)
		s->referrers[--s->start[to]] = from;
	else if (to)
		s->start[to]++;
}

static bool has_node(const struct rec *rec)
{
	return rec->kind != BTF_KIND_FUNC && rec->kind != REC_ALIAS;
}

static void add_referrers(struct loader *l, struct spread *s)
{
	struct records *r = &l->records;

	for (uint32_t i = 1; i < r->recs.nr; i++) {
		const struct rec *rec = &r->recs.array[i];

		if (!has_node(rec))
			continue;
		add_referrer(l, s, i, rec->ref);
		for_each_item(item, r, rec)
			add_referrer(l, s, i, item->ref);
	}
}

static int find_referrers(struct loader *l, struct spread *s)
{
	uint32_t nr = 0;

	add_referrers(l, s);
	for (uint32_t i = 0; i <= l->records.recs.nr; i++) {
		nr += s->start[i];
		s->start[i] = nr;
	}
	s->referrers = malloc((nr + 1) * sizeof(*s->referrers));
	if (!s->referrers)
		return -ENOMEM;
	/* filled from the back, so that every start ends up where it belongs */
	add_referrers(l, s);
	return 0;
}

static void spread_masks(struct records *r, struct spread *s)
{
	uint32_t nr = 0;

	for (uint32_t i = 1; i < r->recs.nr; i++)
		if (s->mask[i]) {
			s->work[nr++] = i;
			s->queued[i] = true;
		}
	while (nr) {
		uint32_t to = s->work[--nr];

		s->queued[to] = false;
		for (uint32_t k = s->start[to]; k < s->start[to + 1]; k++) {
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

	hash__add(&h, rec->hash.lo, rec->hash.hi);
	for (unsigned int bit = 0; bit < 64; bit++)
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
	uint32_t nr_fresh = 0;
	int err = 0;

	for (uint32_t i = 1; i < r->recs.nr; i++) {
		struct rec *rec = &r->recs.array[i];
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
	for (uint32_t i = 0; !err && i < nr_fresh; i++)
		err = loader__fill_node(l, &r->recs.array[s->work[i]]);
	for (uint32_t i = 1; CHECKS_HITS && !err && i < r->recs.nr; i++)
		if (s->mask[i] && has_node(&r->recs.array[i]))
			err = loader__check_hit(l, &r->recs.array[i]);
	return err;
}

int loader__make_variants(struct loader *l, uint32_t unit, const struct conflicts *conflicts)
{
	size_t nr = l->records.recs.nr;
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
