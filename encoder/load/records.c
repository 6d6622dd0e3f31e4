// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load/records.h"
#include "util/grow.h"

/* Room for what the group's units say; what an earlier group left in it does no harm. */
int records__make_room(struct records *r)
{
	uint64_t old = r->at_size >> AT_SHIFT, nr = (r->group.size >> AT_SHIFT) + 1;
	uint32_t *at;

	if (r->group.size <= r->at_size)
		return 0;
	at = realloc(r->at, nr * sizeof(*at));
	if (!at)
		return -ENOMEM;
	memset(at + old, 0, (nr - old) * sizeof(*at));
	r->at = at;
	r->at_size = nr << AT_SHIFT;
	return 0;
}

uint32_t records__find(const struct records *r, uint32_t ref)
{
	uint32_t i, n = 0;

	if (ref & REF_INDEX)
		return ref & ~REF_INDEX;
	if (unlikely(ref >= r->at_size))
		return 0;
	i = r->at[ref >> AT_SHIFT];
	if (unlikely(i >= r->recs.nr))
		return 0;
	/* few DIEs are so short that two begin at the same four bytes */
	for (; n < 1 << AT_SHIFT && i && r->recs.array[i].die != ref; n++)
		i--;
	return n < 1 << AT_SHIFT ? i : 0;
}

int64_t records__add_item(struct records *r, uint32_t owner, struct item item)
{
	uint32_t i = r->items.nr;
	struct rec *rec = &r->recs.array[owner];

	item.next = 0;
	if (push(&r->items, item))
		return -ENOMEM;
	if (rec->nr_items++)
		r->items.array[rec->last].next = i;
	else
		rec->first = i;
	rec->last = i;
	return i;
}
