// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fast path for the DIEs that make up most of a unit.
 *
 * A brief DIE (see struct brief) is read in place, without being decoded first.  A DIE that
 * is not brief, a name seen for the first time, and malformed input are left to walk_die(),
 * which knows all forms and reports errors.
 */
#include <linux/btf.h>

#include "load/walk_brief.h"
#include "util/dwarf.h"
#include "util/grow.h"

/**
 * struct brief_die - what was read of a DIE
 * @end:	the end of its attributes
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

/* The name at an offset that is not used as the name itself; negative: take the slow path. */
static __attribute__((noinline)) int64_t string_name(struct walk *w, uint32_t offset)
{
	int64_t id = w->by_offset ? -EINVAL : strings__recall(&w->l->store.strings, offset);

	return id < 0 && !w->by_offset ? walk__new_strp(w, offset) : id;
}

/*
 * Read a DIE; @p is at its attributes.  @way, a constant, saves code that it does not need.
 * Return: false if it takes the slow path.
 */
static inline __attribute__((always_inline))
bool brief_read(struct walk *w, const struct brief *b, const uint8_t *p, const uint8_t *limit,
		struct brief_die *die, const enum brief_way way)
{
	const uint8_t *end = p + b->size;
	uint32_t v, zero, type;
	int64_t id;

	/* any four bytes that begin within the attributes can be read */
	if (unlikely(end > limit))
		return false;
	die->name = 0;
	if (likely(b->name != BRIEF_NONE)) {
		v = brief_u32(p + b->name);
		if (likely(v < w->by_offset)) {
			die->name = NAME_OFFSET | v;
		} else {
			id = string_name(w, v);
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
		end = p + b->size;
		if (unlikely(end > limit))
			return false;
	}
	die->ref = REF_VOID;
	/* every brief member has a type, and no enumerator */
	if (way != BRIEF_ENUMERATOR && (way == BRIEF_MEMBER || b->type != BRIEF_NONE)) {
		type = brief_u32(p + b->type);
		if (unlikely(type >= w->len))
			return false;
		die->ref = w->base + type;
	}
	die->value = 0;
	if (way != BRIEF_PARAMETER)
		die->value = (uint64_t)(brief_u32(p + b->value) & b->mask) + b->constant;
	die->end = end;
	return true;
}

static inline __attribute__((always_inline))
int brief_items(struct walk *w, const struct abbrev *a, const uint8_t *start, struct cursor *c,
		struct frame **open, const enum brief_way way)
{
	const struct abbrevs *t = &w->l->abbrevs;
	const struct frame *parent = *open;
	struct records *r = w->r;
	struct rec *rec = &r->recs.array[parent->index];
	uint32_t first = r->items.nr, i = first;
	const uint8_t *p = c->p, *limit = w->limit;
	uint8_t flags = 0;
	uint64_t code;

	/* locations of a body's parameters are not read here */
	if (way == BRIEF_PARAMETER && (parent->body || rec->flags & TYPE_VARARGS))
		return 0;
	for (;;) {
		const struct brief *b = &a->brief;
		struct brief_die die;

		if (!brief_read(w, b, p, limit, &die, way))
			break;
		if (grow(&r->items.array, &r->items.cap, i + 1ULL, sizeof(*r->items.array)))
			return -ENOMEM;
		r->items.array[i] = (struct item){ .next = i + 1, .name = die.name, .ref = die.ref,
					     .value = die.value };
		if (way == BRIEF_PARAMETER) {
			r->items.array[i].die = walk__place(w, start);
		} else if (way == BRIEF_ENUMERATOR) {
			if (a->class[AT_CONST_VALUE] == VALUE_SINT && (int64_t)die.value < 0 &&
			    w->l->opts->enum64)
				flags |= TYPE_SIGNED;
		} else if (likely(b->bits == BRIEF_NONE)) {
			/* bytes, which may be negative */
			r->items.array[i].value = die.value << 3;
		} else {
			r->items.array[i].bits = die.end[b->bits - b->size];
			flags |= TYPE_BITFIELDS;
		}
		i++;
		/* at least four bytes are left */
		c->p = start = p = die.end;
		code = *p++;
		if (unlikely(code >= 0x80)) {
			if (unlikely(*p >= 0x80))
				break;
			code = (code & 0x7f) | (uint64_t)*p++ << 7;
		}
		if (likely(code - 1 < t->nr_dense)) {
			a = t->dense[code - 1];
			if (likely(a->way == way))
				continue;
		} else if (!code) {
			/* the last one of its parent */
			c->p = p;
			--*open;
		}
		break;
	}
	if (i == first)
		return 0;
	if (rec->nr_items)
		r->items.array[rec->last].next = first;
	else
		rec->first = first;
	rec->last = i - 1;
	rec->nr_items += i - first;
	rec->flags |= flags;
	r->items.array[i - 1].next = 0;
	r->items.nr = i;
	return 1;
}

static inline int brief_dimension(struct walk *w, const struct abbrev *a, struct cursor *c,
				  const struct frame *parent)
{
	struct brief_die die;

	if (!brief_read(w, &a->brief, c->p, w->limit, &die, BRIEF_DIMENSION))
		return 0;
	c->p = die.end;
	return walk__dimension(w, parent->index, die.value + a->brief.bias) ?: 1;
}

static inline int brief_type(struct walk *w, const struct abbrev *a, const uint8_t *start,
			     struct cursor *c, struct frame *frame)
{
	struct records *r = w->r;
	uint32_t at = walk__place(w, start), i = r->recs.nr;
	struct brief_die die;

	if (!brief_read(w, &a->brief, c->p, w->limit, &die, BRIEF_TYPE))
		return 0;
	if (a->kind == BTF_KIND_ENUM && die.value != 1 && die.value != 2 && die.value != 4)
		return 0;
	if (unlikely(i >= REF_INDEX - 1) ||
	    push(&r->recs, (struct rec){ .die = at, .kind = a->kind, .ref = die.ref,
					 .name = die.name }))
		return -ENOMEM;
	if (kind__is_tagged(a->kind)) {
		r->recs.array[i].flags = a->brief.forward ? TYPE_FORWARD : 0;
		r->recs.array[i].size = die.value;
		if (unlikely(name__settle(w->l, i)))
			return -ENOMEM;
	}
	r->at[at >> AT_SHIFT] = i;
	c->p = die.end;
	if (a->children)
		*frame = (struct frame){ .kind = FRAME_TYPE, .index = i,
					 .takes = KIND(a->kind) | TAKES_ANNOTATIONS };
	return 1;
}

/* An unused function without a body. */
static inline int brief_func(struct walk *w, const struct abbrev *a, struct cursor *c,
			     struct frame *frame)
{
	struct brief_die die;

	if (!w->by_offset || !brief_read(w, &a->brief, c->p, w->limit, &die, BRIEF_FUNC) ||
	    !unwanted__has(&w->l->unwanted, die.name & ~NAME_OFFSET, a->brief.forward))
		return 0;
	c->p = die.end;
	*frame = (struct frame){};
	return 1;
}

int walk__brief(struct walk *w, const struct abbrev *a, const uint8_t *start, struct cursor *c,
		struct frame **open)
{
	if (a->way == BRIEF_TYPE)
		return brief_type(w, a, start, c, *open + 1);
	if (a->way == BRIEF_FUNC)
		return brief_func(w, a, c, *open + 1);
	if (!(a->parents & (*open)->takes))
		return 0;
	/* one loop each */
	switch (a->way) {
	case BRIEF_MEMBER:
		return brief_items(w, a, start, c, open, BRIEF_MEMBER);
	case BRIEF_ENUMERATOR:
		return brief_items(w, a, start, c, open, BRIEF_ENUMERATOR);
	case BRIEF_PARAMETER:
		return brief_items(w, a, start, c, open, BRIEF_PARAMETER);
	default:
		return brief_dimension(w, a, c, *open);
	}
}
