// SPDX-License-Identifier: GPL-2.0-only
/* What all that is met in the walk is made of: names, references, records, items. */
#include "load/walk.h"
#include "util/grow.h"

int walk__error(struct walk *w, const char *what)
{
	return unit__error(w->dw, w->u, w->off, "%s", what);
}

int64_t walk__new_strp(struct walk *w, uint32_t offset)
{
	struct strings *strings = &w->l->store.strings;
	size_t size = cursor__left(&w->dw->str);
	int64_t id = 0;
	const char *s;
	uint32_t len;

	if (!w->l->by_offset && offset < size)
		id = strings__guess(strings, (const char *)w->dw->str.p + offset, size - offset);
	if (!id) {
		s = dwarf__string(w->dw, offset, &len);
		if (!s || !is_text(s, len))
			return -EINVAL;
		id = strings__add(strings, s, len);
	}
	if (id >= 0)
		strings__remember(strings, offset, id);
	return id;
}

int64_t walk__new_string(struct walk *w, const struct die *die, enum die_slot slot)
{
	const char *s;
	uint32_t len;
	int64_t id;

	if (die->class[slot] == VALUE_STRP && die->value[slot] <= UINT32_MAX) {
		id = walk__new_strp(w, die->value[slot]);
		if (id != -EINVAL)
			return id;
	}
	s = unit__string(w->dw, w->u, die, slot, &len);
	if (!s && die->class[slot] == VALUE_SUPPLEMENT)
		return walk__error(w, "a name in another file (DW_FORM_GNU_strp_alt or strp_sup), which is not read");
	if (!s)
		return walk__error(w, "a name that is no string, or longer than 8191 bytes");
	if (unlikely(!is_text(s, len)))
		return walk__error(w, "a name with bytes that are no text");
	return strings__add(&w->l->store.strings, s, len);
}

int64_t walk__name(struct walk *w, const struct die *die)
{
	uint32_t len;
	const char *s;

	if (!die__has(die, AT_NAME))
		return 0;
	if (w->l->by_offset && die->class[AT_NAME] == VALUE_STRP &&
	    die->value[AT_NAME] < NAME_OFFSET)
		return NAME_OFFSET | die->value[AT_NAME];
	if (die->class[AT_NAME] == VALUE_STRING) {
		s = unit__string(w->dw, w->u, die, AT_NAME, &len);
		if (s && len && len < 4)
			return NAME_BRIEF | (uint8_t)s[0] | (uint8_t)s[1] << 8 |
			       (len > 2 ? (uint8_t)s[2] << 16 : 0);
	}
	return walk__string(w, die, AT_NAME);
}

/* A reference to another unit, which is read with this one. */
static int64_t foreign_ref(struct walk *w, uint64_t offset)
{
	int64_t ref = group__add(&w->r->group, offset);

	if (ref == -EINVAL)
		return walk__error(w, "a reference past the end of .debug_info, or to the header of a unit");
	if (ref == -E2BIG)
		return walk__error(w, "more references to other units than could be");
	return ref < 0 || records__make_room(w->r) ? -ENOMEM : ref;
}

int64_t walk__unusual_ref(struct walk *w, const struct die *die, enum die_slot slot)
{
	switch (die->class[slot]) {
	case VALUE_REF:
		return walk__error(w, "a reference past the end of the unit");
	case VALUE_REF_ADDR:
		return foreign_ref(w, die->value[slot]);
	case VALUE_SIGNATURE:
		return walk__error(w, "a reference to a type unit (DW_FORM_ref_sig8), which is not supported");
	case VALUE_SUPPLEMENT:
		return walk__error(w, "a reference to another file (DW_FORM_GNU_ref_alt, DW_FORM_ref_sup4 or 8), which is not read");
	default:
		return walk__error(w, "a reference of the wrong form");
	}
}

int64_t walk__new_rec(struct walk *w, uint8_t kind)
{
	return records__add(w->r, (struct rec){ .kind = kind });
}

int64_t walk__new_die_rec(struct walk *w, uint8_t kind, const struct die *die, int64_t name)
{
	int64_t i = walk__new_rec(w, kind), ref;
	uint32_t at = walk__offset(w, w->off);
	struct rec *rec;

	if (unlikely(i < 0 || name < 0))
		return i < 0 ? i : name;
	ref = walk__ref(w, die, AT_TYPE);
	if (unlikely(ref < 0))
		return ref;
	rec = &w->r->recs.array[i];
	rec->die = at;
	rec->name = name;
	rec->ref = ref;
	w->r->at[at >> AT_SHIFT] = i;
	return i;
}

int walk__dimension(struct walk *w, uint32_t array, uint32_t nr)
{
	struct records *r = w->r;
	struct rec *rec = &r->recs.array[array];
	int64_t i;

	if (!rec->last) {
		rec->size = nr;
		rec->last = UINT32_MAX;
		return 0;
	}
	if (!rec->nr_items && push(&r->arrays, array))
		return -ENOMEM;
	i = records__add_item(r, array, (struct item){ .value = nr });
	return i < 0 ? i : 0;
}
