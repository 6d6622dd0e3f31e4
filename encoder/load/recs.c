// SPDX-License-Identifier: GPL-2.0-only
#include "load/load.h"
#include "util/memory.h"

/* Limit for offsets in a group: REF_INDEX, the top bit, marks indices. */
#define MAX_GROUP	(1ULL << 31)

/* Maximum size of all guests, in multiples of .debug_info: dwz does not save more than that. */
#define MAX_GUESTS	64

/* --- a group ----------------------------------------------------------------------- */

static void add_group_unit(struct unit_group *g, uint32_t unit)
{
	const struct unit *u = &g->dw->units[unit];

	g->size += u->end - u->start;
	push(g, (struct group_unit){ unit, g->size - (u->end - u->start) });
}

void group__begin(struct unit_group *g, uint32_t first, uint32_t nr)
{
	for (uint32_t i = g->nr_own; i < g->nr; i++)
		g->guest_at[g->array[i].unit] = 0;
	g->nr = g->nr_own = 0;
	g->size = 0;
	for (uint32_t i = first; i < first + nr; i++)
		add_group_unit(g, i);
	g->nr_own = g->nr;
	g->start = g->dw->units[first].start;
	g->own_size = g->size;
}

uint64_t group__offset(const struct unit_group *g, uint64_t offset)
{
	const struct group_unit *m;
	uint32_t unit;

	/* there is nothing between units */
	if (offset - g->start < g->own_size)
		return offset - g->start;
	unit = dwarf__unit_at(g->dw, offset);
	m = g->guest_at && unit < g->dw->nr_units && g->guest_at[unit] ?
	    &g->array[g->guest_at[unit]] : NULL;
	return m ? m->offset + (offset - g->dw->units[unit].start) : 0;
}

int64_t group__add(struct unit_group *g, uint64_t offset)
{
	uint64_t at = group__offset(g, offset);
	const struct unit *u;
	uint32_t unit;

	if (at)
		return at;
	unit = dwarf__unit_at(g->dw, offset);
	u = &g->dw->units[unit];
	if (unit == g->dw->nr_units)
		return -EINVAL;
	/* the start of the group */
	if (offset == g->start)
		return 0;
	g->guest_bytes += u->end - u->start;
	if (g->size + (u->end - u->start) >= MAX_GROUP ||
	    g->guest_bytes / MAX_GUESTS > cursor__left(&g->dw->info))
		return -E2BIG;
	if (!g->guest_at)
		g->guest_at = xcalloc(g->dw->nr_units, sizeof(*g->guest_at));
	add_group_unit(g, unit);
	g->guest_at[unit] = g->nr - 1;
	return group__offset(g, offset);
}

uint64_t group__info_offset(const struct unit_group *g, uint32_t die, const struct unit **u)
{
	uint32_t i = first_not_before(k, g->nr, g->array[k].offset <= die);
	const struct group_unit *m = &g->array[i - 1];

	*u = &g->dw->units[m->unit];
	return (*u)->start + (die - m->offset);
}

void group__destroy(struct unit_group *g)
{
	free(g->array);
	free(g->guest_at);
	memset(g, 0, sizeof(*g));
}

/* --- recs -------------------------------------------------------------------------- */

/* Allocate space for the group; stale entries of an earlier group are harmless. */
void recs__make_room(struct recs *r)
{
	uint64_t old = r->at_size >> AT_SHIFT, nr = (r->group.size >> AT_SHIFT) + 1;

	if (r->group.size <= r->at_size)
		return;
	/* modules have few groups; this is more than most need, and not a limit */
	if (!r->at_size) {
		grow(&r->array, &r->cap, r->group.size / 16, sizeof(*r->array));
		grow(&r->items.array, &r->items.cap, r->group.size / 16, sizeof(*r->items.array));
	}
	r->at = xrealloc(r->at, nr, sizeof(*r->at));
	memset(r->at + old, 0, (nr - old) * sizeof(*r->at));
	r->at_size = nr << AT_SHIFT;
}

uint32_t recs__find(const struct recs *r, uint32_t ref)
{
	uint32_t i, n = 0;

	if (ref & REF_INDEX)
		return ref & ~REF_INDEX;
	if (unlikely(ref >= r->at_size))
		return 0;
	i = r->at[ref >> AT_SHIFT];
	if (unlikely(i >= r->nr))
		return 0;
	/* few DIEs are so short that two start in the same four bytes */
	for (; n < 1 << AT_SHIFT && i && r->array[i].die != ref; n++)
		i--;
	return n < 1 << AT_SHIFT ? i : 0;
}

uint32_t recs__odd(struct recs *r)
{
	r->array[REC_ODD].kind = BTF_KIND_CONST;
	return REC_ODD;
}

uint32_t recs__add_item(struct recs *r, uint32_t owner, struct item item)
{
	uint32_t i = r->items.nr;
	struct rec *rec = &r->array[owner];

	item.next = 0;
	push(&r->items, item);
	if (rec->nr_items++)
		r->items.array[rec->last].next = i;
	else
		rec->first = i;
	rec->last = i;
	return i;
}

/* --- references and names ------------------------------------------------------------ */

int loader__report_type(struct loader *l, uint32_t die, const char *what)
{
	const struct unit *u;
	uint64_t offset = group__info_offset(&l->recs.group, die, &u);

	return unit__error(l->dw, u, offset, "%s", what);
}

uint32_t loader__find_target(struct loader *l, uint32_t ref)
{
	struct recs *r = &l->recs;

	for (unsigned int n = 0; ref != REF_VOID; n++) {
		uint32_t i = recs__find(r, ref);

		if (unlikely(!i || r->array[i].kind == BTF_KIND_FUNC))
			return recs__odd(r);
		if (likely(r->array[i].kind != REC_ALIAS))
			return i;
		/* loader__intern() has ended all cycles */
		if (unlikely(n > MAX_CHAIN))
			return 0;
		ref = r->array[i].ref;
	}
	return 0;
}

struct rec *loader__resolve(struct loader *l, uint32_t ref)
{
	struct recs *r = &l->recs;

	for (unsigned int n = 0; n < MAX_CHAIN; n++) {
		struct rec *rec = &r->array[recs__find(r, ref)];

		switch (rec->kind) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case REC_ALIAS:
			ref = rec->ref;
			continue;
		default:
			return rec;
		}
	}
	return &r->array[0];
}

uint64_t loader__size_of(struct loader *l, uint32_t ref)
{
	const struct rec *rec = loader__resolve(l, ref);

	if (rec->kind == BTF_KIND_PTR)
		return l->dw->img->is_64 ? 8 : 4;
	return rec->kind == BTF_KIND_ARRAY ? 0 : rec->size;
}

int64_t loader__add_strp(struct loader *l, uint32_t offset)
{
	struct strings *strings = &l->store.strings;
	const struct cursor *str = &l->dw->str;
	uint64_t size = cursor__left(str);
	int64_t id = 0;
	const char *s;
	uint32_t len;

	/* names that are offsets have no copies */
	if (!l->by_offset && offset < size)
		id = strings__expected(strings, (const char *)str->p + offset, size - offset);
	if (!id) {
		s = dwarf__string(str, offset, &len);
		if (!s || !is_text(s, len))
			return -ENOENT;
		id = strings__add(strings, s, len);
	}
	if (id >= 0)
		strings__remember(strings, offset, id);
	return id;
}

int64_t loader__name_id(struct loader *l, uint32_t die, uint32_t name)
{
	uint32_t offset = name & ~NAME_OFFSET;
	int64_t id;

	if (name < NAME_BRIEF)
		return name;
	if (!(name & NAME_OFFSET)) {
		const char brief[] = { name, name >> 8, name >> 16, 0 };

		return is_text(brief, strlen(brief)) ?
		       strings__add_copy(&l->store.strings, brief, strlen(brief)) :
		       loader__report_type(l, die, "a name that is not text");
	}
	id = strings__recall(&l->store.strings, offset);
	if (id < 0)
		id = loader__add_strp(l, offset);
	/* The hash of its rec is wrong, because it was computed as if it had a name. */
	return !id || id == -ENOENT ? -EAGAIN : id;
}

void loader__add_fresh(struct loader *l, uint32_t i)
{
	struct recs *r = &l->recs;
	uint64_t unit = r->group.array[0].unit;

	l->store.nodes[r->array[i].node].first_seen = unit << 32 | i;
	push(&r->fresh, i);
}

bool recs__is_ordered(const struct recs *r, const struct rec *rec)
{
	uint64_t last = 0;

	if (!kind__is_struct(rec->kind))
		return true;
	for_each_item(item, r, rec) {
		if (item->value < last)
			return false;
		last = item->value;
	}
	return true;
}
