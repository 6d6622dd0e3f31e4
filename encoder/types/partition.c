// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "types/hash.h"
#include "types/partition.h"

int partition__init(struct partition *p, const uint32_t *alike, const bool *fixed,
		    uint32_t nr_types)
{
	uint32_t *count = calloc(nr_types, sizeof(*count)), id, nr = 0, to = 0;

	p->nr_types = nr_types;
	p->class = calloc(nr_types, sizeof(*p->class));
	p->at = calloc(nr_types, sizeof(*p->at));
	for (id = 1; count && id < nr_types; id++) {
		count[alike[id]] += alike[id] && !fixed[id];
		nr += alike[id] && !fixed[id];
	}
	p->members = calloc(nr + 1UL, sizeof(*p->members));
	p->start = calloc(nr + 1UL, sizeof(*p->start));
	p->len = calloc(nr + 1UL, sizeof(*p->len));
	if (!count || !p->class || !p->at || !p->members || !p->start || !p->len) {
		free(count);
		return -ENOMEM;
	}
	for (id = 1; id < nr_types; id++) {
		uint32_t first = alike[id], c;

		p->class[id] = first && fixed[id] ? first : id;
		if (!first || fixed[id] || count[first] < 2)
			continue;
		/* the first of a class comes first, and finds room for all */
		if (first == id) {
			p->class[id] = nr_types + p->nr_classes;
			p->start[p->nr_classes++] = to;
			to += count[id];
		}
		p->class[id] = p->class[first];
		c = p->class[id] - nr_types;
		p->at[id] = p->start[c] + ++p->len[c];
		p->members[p->at[id] - 1] = id;
	}
	p->nr_members = to;
	free(count);
	return 0;
}

void partition__destroy(struct partition *p)
{
	free(p->class);
	free(p->members);
	free(p->at);
	free(p->start);
	free(p->len);
	free(p->start_of);
	free(p->referrers);
	memset(p, 0, sizeof(*p));
}

/* Who refers to types that are not alone; what is alone refers, but never leaves. */
static int find_referrers(struct partition *p)
{
	uint32_t i, k, nr = 0, id;

	p->start_of = calloc(p->nr_types + 1UL, sizeof(*p->start_of));
	if (!p->start_of)
		return -ENOMEM;
	for (i = 0; i < p->nr_members; i++)
		for (k = 0; k < p->nr_refs(p->arg, p->members[i]); k++)
			p->start_of[p->ref(p->arg, p->members[i], k)]++;
	for (id = 0; id <= p->nr_types; id++) {
		nr += p->start_of[id];
		p->start_of[id] = nr;
	}
	p->referrers = malloc((nr + 1UL) * sizeof(*p->referrers));
	if (!p->referrers)
		return -ENOMEM;
	/* filled from the back, so that every start ends up where it belongs */
	for (i = 0; i < p->nr_members; i++)
		for (k = 0; k < p->nr_refs(p->arg, p->members[i]); k++)
			p->referrers[--p->start_of[p->ref(p->arg, p->members[i], k)]] =
				p->members[i];
	return 0;
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
 * @left:	those that left in this round
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

	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->refs.lo != b->refs.lo)
		return a->refs.lo < b->refs.lo ? -1 : 1;
	if (a->refs.hi != b->refs.hi)
		return a->refs.hi < b->refs.hi ? -1 : 1;
	return a->type < b->type ? -1 : 1;
}

static void add_suspect(struct refining *r, uint32_t type)
{
	if (r->suspected[type])
		return;
	r->suspected[type] = true;
	r->suspects[r->nr++].type = type;
}

/* Move a type to the newest class, which stands behind those that are left in its own. */
static void leave_class(struct refining *r, uint32_t type)
{
	struct partition *p = r->p;
	uint32_t from = p->class[type] - p->nr_types, to = p->nr_classes - 1;
	uint32_t last = p->start[from] + --p->len[from], other = p->members[last];

	p->members[p->at[type] - 1] = other;
	p->at[other] = p->at[type];
	p->members[last] = type;
	p->at[type] = last + 1;
	p->class[type] = p->nr_types + to;
	p->start[to] = last;
	p->len[to]++;
	r->left[r->nr_left++] = type;
}

static void leave_together(struct refining *r, const struct suspect *s, uint32_t nr)
{
	uint32_t i;

	r->p->nr_classes++;
	for (i = 0; i < nr; i++)
		leave_class(r, s[i].type);
}

/* Those of a class that are not suspected refer to what they always did, all to the same. */
static void part_others(struct refining *r, uint32_t class)
{
	struct partition *p = r->p;
	uint32_t i, c = class - p->nr_types;

	p->nr_classes++;
	for (i = p->start[c] + p->len[c]; i-- > p->start[c]; )
		if (!r->suspected[p->members[i]])
			leave_class(r, p->members[i]);
}

/* How many from the first on refer to the same classes. */
static uint32_t count_same(const struct suspect *s, uint32_t nr)
{
	uint32_t i;

	for (i = 1; i < nr && hash__equal(s[i].refs, s[0].refs); i++)
		;
	return i;
}

/* The suspects of one class: the largest part stays, all others leave. */
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

static void judge_suspects(struct refining *r)
{
	struct partition *p = r->p;
	uint32_t i, k, nr;

	for (i = 0; i < r->nr; i++) {
		struct suspect *s = &r->suspects[i];

		s->class = p->class[s->type];
		s->refs = hash__new(0);
		nr = p->nr_refs(p->arg, s->type);
		for (k = 0; k < nr; k++)
			hash__add(&s->refs, p->class[p->ref(p->arg, s->type, k)], k);
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

int partition__refine(struct partition *p)
{
	struct refining r = {
		.p = p, .suspects = calloc(p->nr_members + 1UL, sizeof(*r.suspects)),
		.left = calloc(p->nr_members + 1UL, sizeof(*r.left)),
		.suspected = calloc(p->nr_types, sizeof(*r.suspected)),
	};
	int err = r.suspects && r.left && r.suspected ? find_referrers(p) : -ENOMEM;
	uint32_t i, k;

	for (i = 0; !err && i < p->nr_members; i++)
		add_suspect(&r, p->members[i]);
	while (!err && r.nr) {
		judge_suspects(&r);
		for (i = 0; i < r.nr_left; i++)
			for (k = p->start_of[r.left[i]]; k < p->start_of[r.left[i] + 1]; k++)
				add_suspect(&r, p->referrers[k]);
		r.nr_left = 0;
	}
	free(r.suspects);
	free(r.left);
	free(r.suspected);
	return err;
}
