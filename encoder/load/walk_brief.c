// SPDX-License-Identifier: GPL-2.0-only
/*
 * The short way through the DIEs that make up most of a unit.
 *
 * What has the usual attributes in the usual forms (see struct brief) is read
 * where it stands, without decoding it first.  Anything else, and whatever is
 * met for the first time or looks wrong, is left to the way that knows all
 * forms and says what is bad.
 */
#include <dwarf.h>
#include <linux/btf.h>

#include "load/walk_brief.h"
#include "util/grow.h"

/**
 * struct brief_die - what was read of one
 * @end:	behind its attributes
 * @name:	see load/name.h
 * @ref:	its type, from the start of the group; REF_VOID for none
 * @value:	offset, value, bound or size
 */
struct brief_die {
	const uint8_t	*end;
	uint32_t	name;
	uint32_t	ref;
	uint64_t	value;
};

static inline uint32_t brief_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/*
 * Read a DIE; @p is at its attributes.
 * Return: false if that takes the long way.
 */
static inline __attribute__((always_inline))
bool brief_read(struct walk *w, const struct brief *b, const uint8_t *p,
		const uint8_t *end, struct brief_die *die)
{
	uint32_t v, zero, type;
	int64_t id;

	/* any four bytes that begin within the attributes can be read */
	if (unlikely((size_t)(end - p) < b->need))
		return false;
	die->name = 0;
	if (b->name != BRIEF_NONE) {
		v = brief_u32(p + b->name);
		if (likely(w->l->by_offset)) {
			if (unlikely(v >= NAME_OFFSET))
				return false;
			die->name = NAME_OFFSET | v;
		} else {
			id = strings__recall(&w->l->store.strings, v);
			if (id < 0)
				id = walk__new_strp(w, v);
			if (unlikely(id < 0))
				return false;
			die->name = id;
		}
	} else if (b->inline_name) {
		/* at most three characters, which compilers prefer to an offset */
		v = brief_u32(p);
		zero = (v - 0x01010101) & ~v & 0x80808080;
		if (unlikely(!zero || zero & 0x80))
			return false;
		die->name = NAME_BRIEF | (v & ((1U << (__builtin_ctz(zero) & 24)) - 1));
		p += (__builtin_ctz(zero) >> 3) + 1;
		if (unlikely((size_t)(end - p) < b->need))
			return false;
	}
	die->ref = REF_VOID;
	if (b->type != BRIEF_NONE) {
		type = brief_u32(p + b->type);
		if (unlikely(type >= w->len))
			return false;
		die->ref = w->base + type;
	}
	/* a constant may be negative, and is shifted all the same */
	die->value = (((uint64_t)(brief_u32(p + b->value) & b->mask) + b->constant) << b->shift) +
		     b->bias;
	die->end = p + b->size;
	return true;
}

static inline __attribute__((always_inline))
int brief_items(struct walk *w, const struct abbrev *a, struct cursor *c,
		const struct frame *parent, const uint32_t tag)
{
	struct records *r = w->r;
	struct rec *rec = &r->recs[parent->index];
	uint32_t first = r->nr_items, i = first, die_at = walk__offset(w, w->off);
	struct cursor at = { .p = c->p, .end = c->end };
	uint8_t flags = 0;

	/* where the arguments of a body sit is not read here */
	if (tag == DW_TAG_formal_parameter && (parent->body || rec->flags & TYPE_VARARGS))
		return 0;
	for (;;) {
		const struct brief *b = &a->brief;
		struct brief_die die;

		if (!brief_read(w, b, at.p, at.end, &die))
			break;
		if (grow(&r->items, &r->cap_items, (uint64_t)i + 1, sizeof(*r->items)))
			return -ENOMEM;
		r->items[i] = (struct item){ .next = i + 1, .name = die.name, .ref = die.ref,
					     .value = die.value };
		if (tag == DW_TAG_formal_parameter) {
			r->items[i].die = die_at;
		} else if (tag == DW_TAG_enumerator) {
			if (a->class[AT_CONST_VALUE] == VALUE_SINT && (int64_t)die.value < 0 &&
			    w->l->opts->enum64)
				flags |= TYPE_SIGNED;
		} else if (unlikely(b->bits != BRIEF_NONE)) {
			r->items[i].bits = die.end[b->bits - b->size];
			flags |= TYPE_BITFIELDS;
		}
		i++;
		c->p = at.p = die.end;
		die_at = walk__offset(w, cursor__offset(c));
		a = abbrevs__find(&w->l->abbrevs, cursor__uleb(&at));
		if (!a || a->brief_tag != tag)
			break;
	}
	if (i == first)
		return 0;
	if (rec->nr_items)
		r->items[rec->last].next = first;
	else
		rec->first = first;
	rec->last = i - 1;
	rec->nr_items += i - first;
	rec->flags |= flags;
	r->items[i - 1].next = 0;
	r->nr_items = i;
	return 1;
}

static inline int brief_dimension(struct walk *w, const struct abbrev *a, struct cursor *c,
				  const struct frame *parent)
{
	struct brief_die die;

	if (!brief_read(w, &a->brief, c->p, c->end, &die))
		return 0;
	c->p = die.end;
	return walk__dimension(w, parent->index, die.value) ?: 1;
}

int walk__brief_items(struct walk *w, const struct abbrev *a, struct cursor *c,
		      const struct frame *parent)
{
	/* one loop each */
	switch (a->tag) {
	case DW_TAG_member:
		return brief_items(w, a, c, parent, DW_TAG_member);
	case DW_TAG_enumerator:
		return brief_items(w, a, c, parent, DW_TAG_enumerator);
	case DW_TAG_formal_parameter:
		return brief_items(w, a, c, parent, DW_TAG_formal_parameter);
	default:
		return brief_dimension(w, a, c, parent);
	}
}

int walk__brief_type(struct walk *w, const struct abbrev *a, struct cursor *c,
		     struct frame *frame)
{
	struct records *r = w->r;
	uint32_t at = walk__offset(w, w->off), i = r->nr_recs;
	struct brief_die die;

	if (!brief_read(w, &a->brief, c->p, c->end, &die) || die.value > UINT32_MAX)
		return 0;
	if (a->kind == BTF_KIND_ENUM && die.value != 1 && die.value != 2 && die.value != 4)
		return 0;
	if (unlikely(i >= REF_INDEX - 1) ||
	    grow(&r->recs, &r->cap_recs, (uint64_t)i + 1, sizeof(*r->recs)))
		return -ENOMEM;
	r->recs[i] = (struct rec){ .die = at, .kind = a->kind, .ref = die.ref, .name = die.name };
	if (a->kind == BTF_KIND_STRUCT || a->kind == BTF_KIND_UNION) {
		r->recs[i].flags = a->brief.forward ? TYPE_FORWARD : 0;
		r->recs[i].size = a->brief.forward ? 0 : die.value;
	} else if (a->kind == BTF_KIND_ENUM) {
		r->recs[i].size = die.value;
	}
	r->at[at >> AT_SHIFT] = i;
	r->nr_recs++;
	if (unlikely(name__settle(w->l, i)))
		return -ENOMEM;
	c->p = die.end;
	if (a->children)
		*frame = (struct frame){ .kind = FRAME_TYPE, .index = i,
					 .takes = KIND(a->kind) | TAKES_ANNOTATIONS };
	return 1;
}

int walk__brief_func(struct walk *w, const struct abbrev *a, struct cursor *c)
{
	struct brief_die die;

	if (!w->l->by_offset || !brief_read(w, &a->brief, c->p, c->end, &die) ||
	    !unwanted__has(&w->l->unwanted, die.name & ~NAME_OFFSET, a->brief.forward))
		return 0;
	c->p = die.end;
	return 1;
}
