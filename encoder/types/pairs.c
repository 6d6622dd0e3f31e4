// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "types/pairs.h"
#include "util/grow.h"

/*
 * References that are compared at most, far more than any module of Debian's
 * comes to; types can be made so that each of many that fall has many others
 * looked at again.
 */
#define MAX_COMPARED	(1ULL << 30)

int pairs__init(struct pairs *p, const struct pair_ops *ops, const void *arg, uint32_t nr_left)
{
	*p = (struct pairs){
		.ops = ops, .arg = arg, .nr_left = nr_left,
		.first = calloc(nr_left + 1UL, sizeof(*p->first)),
		.start = calloc(nr_left + 1UL, sizeof(*p->start)),
		.work = calloc(nr_left, sizeof(*p->work)),
		.queued = calloc(nr_left, sizeof(*p->queued)),
	};
	return p->first && p->start && p->work && p->queued ? 0 : -ENOMEM;
}

void pairs__destroy(struct pairs *p)
{
	free(p->array);
	free(p->first);
	free(p->start);
	free(p->referrers);
	free(p->work);
	free(p->queued);
}

static void fill_firsts(struct pairs *p, uint32_t left)
{
	while (p->filled <= left)
		p->first[p->filled++] = p->nr;
}

int pairs__add(struct pairs *p, uint32_t left, uint32_t right, bool by_name)
{
	if (grow(&p->array, &p->cap, (uint64_t)p->nr + 1, sizeof(*p->array)))
		return -ENOMEM;
	fill_firsts(p, left);
	p->array[p->nr++] = (struct pair){ .left = left, .right = right, .by_name = by_name };
	return 0;
}

static bool is_pair(const struct pairs *p, uint32_t left, uint32_t right)
{
	uint32_t i;

	if (!left || !right)
		return !left && !right;
	if (p->ops->reflexive && left == right)
		return true;
	for (i = p->first[left]; i < p->first[left + 1]; i++)
		if (p->array[i].right == right)
			return !p->array[i].refuted;
	return false;
}

static bool is_borne_out(struct pairs *p, const struct pair *pair)
{
	uint32_t nr = pair->by_name ? 0 : p->ops->nr_refs(p->arg, pair->left), k;

	for (k = 0; k < nr; k++) {
		uint32_t ref = p->ops->left_ref(p->arg, pair->left, k);

		p->compared += 1 + p->first[ref + 1] - p->first[ref];
		if (!is_pair(p, ref, p->ops->right_ref(p->arg, pair->right, k)))
			return false;
	}
	return true;
}

static void check_type(struct pairs *p, uint32_t left)
{
	uint32_t i;

	for (i = p->first[left]; i < p->first[left + 1]; i++) {
		if (p->array[i].refuted || is_borne_out(p, &p->array[i]))
			continue;
		p->array[i].refuted = true;
		if (!p->queued[left]) {
			p->queued[left] = true;
			p->work[p->nr_work++] = left;
		}
	}
}

/* Only of what has a pair: nothing else can be refuted, or refute. */
static bool is_paired(const struct pairs *p, uint32_t left)
{
	return p->first[left + 1] > p->first[left];
}

static int find_referrers(struct pairs *p)
{
	const struct pair_ops *ops = p->ops;
	uint32_t left, k, nr = 0;

	for (left = 1; left < p->nr_left; left++)
		for (k = 0; is_paired(p, left) && k < ops->nr_refs(p->arg, left); k++)
			p->start[ops->left_ref(p->arg, left, k)]++;
	for (left = 0; left <= p->nr_left; left++) {
		nr += p->start[left];
		p->start[left] = nr;
	}
	p->referrers = malloc((nr + 1UL) * sizeof(*p->referrers));
	if (!p->referrers)
		return -ENOMEM;
	/* filled from the back, so that every start ends up where it belongs */
	for (left = 1; left < p->nr_left; left++)
		for (k = 0; is_paired(p, left) && k < ops->nr_refs(p->arg, left); k++)
			p->referrers[--p->start[ops->left_ref(p->arg, left, k)]] = left;
	return 0;
}

int pairs__refute(struct pairs *p)
{
	uint32_t left, i;
	int err;

	fill_firsts(p, p->nr_left);
	err = find_referrers(p);
	if (err)
		return err;
	for (left = 1; left < p->nr_left && p->compared <= MAX_COMPARED; left++)
		check_type(p, left);
	while (p->nr_work && p->compared <= MAX_COMPARED) {
		left = p->work[--p->nr_work];
		p->queued[left] = false;
		for (i = p->start[left]; i < p->start[left + 1] && p->compared <= MAX_COMPARED; i++)
			check_type(p, p->referrers[i]);
	}
	return p->compared > MAX_COMPARED ? -ETIME : 0;
}
