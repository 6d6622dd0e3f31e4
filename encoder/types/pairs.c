// SPDX-License-Identifier: GPL-2.0-only
#include "types/pairs.h"
#include "util/memory.h"

/*
 * Maximum number of references to compare, far more than any module of Debian's needs;
 * input can be made so that each of many refuted pairs has many others checked again.
 */
#define MAX_COMPARED	(1ULL << 30)

void pairs__init(struct pairs *p, const struct pair_ops *ops, const void *arg, uint32_t nr_left)
{
	*p = (struct pairs){
		.ops = ops, .arg = arg, .nr_left = nr_left,
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

static bool is_consistent(struct pairs *p, const struct pair *pair)
{
	uint32_t nr = pair->by_name ? 0 : p->ops->left.nr_refs(p->arg, pair->left);

	for (uint32_t k = 0; k < nr; k++) {
		uint32_t ref = p->ops->left.ref(p->arg, pair->left, k);

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
		if (p->array[i].refuted || is_consistent(p, &p->array[i]))
			continue;
		p->array[i].refuted = true;
		if (!p->queued[left]) {
			p->queued[left] = true;
			p->work[p->nr_work++] = left;
		}
	}
}

bool pairs__refute(struct pairs *p)
{
	uint32_t left, i, nr = 0;

	fill_firsts(p, p->nr_left);
	/* types without a pair cannot be refuted, nor refute */
	for (left = 1; left < p->nr_left; left++)
		if (p->first[left + 1] > p->first[left])
			p->work[nr++] = left;
	referrers__find(&p->referrers, &p->ops->left, p->arg, p->work, nr, p->nr_left);
	for (left = 1; left < p->nr_left && p->compared <= MAX_COMPARED; left++)
		check_type(p, left);
	while (p->nr_work && p->compared <= MAX_COMPARED) {
		left = p->work[--p->nr_work];
		p->queued[left] = false;
		for (i = p->referrers.start[left]; i < p->referrers.start[left + 1] && p->compared <= MAX_COMPARED; i++)
			check_type(p, p->referrers.list[i]);
	}
	return p->compared <= MAX_COMPARED;
}
