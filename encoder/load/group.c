// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load/group.h"
#include "util/dwarf.h"
#include "util/grow.h"
#include "util/search.h"

/* Offsets in a group, and a bit that says that one is none (REF_INDEX). */
#define MAX_GROUP	(1ULL << 31)

/* What guests may take of .debug_info, all together: dwz spares no more than that. */
#define MAX_GUESTS	64

/* --- own units ------------------------------------------------------------------- */

/*
 * May a unit with this table refer to another?  @room: bytes of tables that are looked
 * at, taken from what is left of it; without room it may.
 */
static bool may_refer(const struct dwarf *dw, uint64_t abbrevs, uint64_t *room)
{
	struct cursor c = dw->abbrev;
	struct declared d;

	cursor__skip(&c, abbrevs);
	while (cursor__uleb(&c) && !cursor__failed(&c)) {
		cursor__uleb(&c);
		cursor__u8(&c);
		while (abbrev__next_attribute(&c, &d))
			if (d.form == DW_FORM_ref_addr)
				return true;
		if (cursor__offset(&c) - abbrevs >= *room)
			return true;
	}
	*room -= cursor__failed(&c) ? *room : cursor__offset(&c) - abbrevs;
	return false;
}

void dwarf__find_groups(struct dwarf *dw)
{
	uint64_t room = 16 * (cursor__left(&dw->info) + cursor__left(&dw->abbrev));
	uint32_t i, end;
	bool one;

	for (i = 0; i < dw->nr_units; i = end) {
		for (end = i + 1; end < dw->nr_units; end++)
			if (dw->units[end].abbrevs != dw->units[i].abbrevs ||
			    dw->units[end].end - dw->units[i].start >= MAX_GROUP / 2)
				break;
		one = end - i > 1 && may_refer(dw, dw->units[i].abbrevs, &room);
		for (uint32_t k = i; k < end; k++)
			dw->units[k].group = one ? i : k;
	}
}

uint32_t dwarf__group_size(const struct dwarf *dw, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < dw->nr_units && dw->units[end].group == first)
		end++;
	return end - first;
}

/* --- a group ----------------------------------------------------------------------- */

static int add_member(struct unit_group *g, uint32_t unit)
{
	const struct unit *u = &g->dw->units[unit];

	if (grow(&g->members, &g->cap, (uint64_t)g->nr + 1, sizeof(*g->members)))
		return -ENOMEM;
	g->members[g->nr++] = (struct group_member){ .unit = unit, .base = g->size };
	g->size += u->end - u->start;
	return 0;
}

int group__begin(struct unit_group *g, uint32_t first, uint32_t nr)
{
	uint32_t i;
	int err = 0;

	for (i = g->nr_own; i < g->nr; i++)
		g->guest_at[g->members[i].unit] = 0;
	g->nr = g->nr_own = 0;
	g->size = 0;
	for (i = first; !err && i < first + nr; i++)
		err = add_member(g, i);
	g->nr_own = g->nr;
	return err;
}

static const struct group_member *find_member(const struct unit_group *g, uint32_t unit)
{
	uint32_t first = g->members[0].unit;

	if (unit - first < g->nr_own)
		return &g->members[unit - first];
	return g->guest_at && g->guest_at[unit] ? &g->members[g->guest_at[unit]] : NULL;
}

static uint32_t find_unit(const struct dwarf *dw, uint64_t offset)
{
	return first_not_before(i, dw->nr_units, dw->units[i].end <= offset);
}

uint64_t group__offset(const struct unit_group *g, uint64_t offset)
{
	uint32_t unit = find_unit(g->dw, offset);
	const struct group_member *m = unit < g->dw->nr_units ? find_member(g, unit) : NULL;

	return m ? m->base + (offset - g->dw->units[unit].start) : 0;
}

int64_t group__add(struct unit_group *g, uint64_t offset)
{
	uint32_t unit = find_unit(g->dw, offset);
	const struct unit *u = &g->dw->units[unit];

	if (unit == g->dw->nr_units || offset < u->dies)
		return -EINVAL;
	if (find_member(g, unit))
		return group__offset(g, offset);
	g->guest_bytes += u->end - u->start;
	if (g->size + (u->end - u->start) >= MAX_GROUP ||
	    g->guest_bytes / MAX_GUESTS > cursor__left(&g->dw->info))
		return -E2BIG;
	if (!g->guest_at)
		g->guest_at = calloc(g->dw->nr_units, sizeof(*g->guest_at));
	if (!g->guest_at || add_member(g, unit))
		return -ENOMEM;
	g->guest_at[unit] = g->nr - 1;
	return group__offset(g, offset);
}

uint64_t group__info_offset(const struct unit_group *g, uint32_t die, const struct unit **u)
{
	uint32_t i = first_not_before(k, g->nr, g->members[k].base <= die);
	const struct group_member *m = &g->members[i - 1];

	*u = &g->dw->units[m->unit];
	return (*u)->start + (die - m->base);
}

void group__destroy(struct unit_group *g)
{
	free(g->members);
	free(g->guest_at);
	memset(g, 0, sizeof(*g));
}
