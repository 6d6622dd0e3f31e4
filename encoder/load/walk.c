// SPDX-License-Identifier: GPL-2.0-only
/* Read a unit's DIEs in one pass, and add a rec for each relevant DIE. */
#include <inttypes.h>
#include <sys/param.h>

#include "dwarf/expr.h"
#include "load/load.h"
#include "types/fit.h"
#include "util/memory.h"

/* The owner of the children of an open DIE. */
enum frame_kind {
	FRAME_NONE,
	FRAME_TYPE,		/* a type's members, enumerators, dimensions, parameters */
	FRAME_FUNC,		/* a function's parameters */
	FRAME_VAR,
	FRAME_ITEM,		/* a member or parameter, which may have annotations */
};

/**
 * struct frame - an open DIE
 * @takes:	which of its children are read: matched with @parents of struct abbrev
 * @body:	a function with a body
 * @sized:	an array whose first dimension has been read
 * @index:	its rec or variable; for a FRAME_ITEM, the owner's rec
 * @component:	for a FRAME_ITEM, its number among the owner's items; for a FRAME_FUNC, its
 *		number among the functions
 */
struct frame {
	uint8_t		kind;
	bool		body;
	bool		sized;
	uint32_t	takes;
	uint32_t	index;
	uint32_t	component;
};

/* Limits the stack of frames; real code is not nested as deeply. */
#define MAX_DEPTH	65536

/**
 * struct walk - the state of one unit's walk
 * @unit_offset: the unit's offset in its group
 * @len:	its size in bytes
 * @shift:	difference between an offset in the group and in .debug_info
 * @die_shift:	difference between an offset in the group and the address of a DIE
 * @guest:	it is a guest of the group
 * @begin:	of .debug_info
 * @limit:	four bytes before the end of the unit
 * @off:	the DIE's offset in .debug_info, unless it is brief
 * @by_offset:	NAME_OFFSET, or 0 if names of recs are not offsets
 * @names:	the unit's table of offsets, @nr_names of four bytes each; 0 if they have eight bytes
 * @annotations: number of annotations read; shared ones count for each owner
 */
struct walk {
	struct loader		*l;
	struct recs		*r;
	struct dwarf		*dw;
	struct unit		*u;
	uint32_t		unit;
	uint32_t		unit_offset;
	uint32_t		len;
	uint32_t		shift;
	uint32_t		die_shift;
	uint32_t		by_offset;
	const uint8_t		*names;
	uint32_t		nr_names;
	const uint8_t		*begin;
	const uint8_t		*limit;
	uint64_t		off;
	uint32_t		annotations;
	bool			guest;
};

/* Start with unit @u, whose offset in the group is @offset. */
static inline void enter_unit(struct walk *w, struct unit *u, uint32_t offset)
{
	w->u = u;
	w->unit_offset = offset;
	w->len = u->end - u->start;
	w->shift = offset - (uint32_t)u->start;
	w->die_shift = w->shift - (uint32_t)(uintptr_t)w->begin;
}

/* Return: the offset in the group for an offset in .debug_info, in the current unit. */
static inline uint32_t offset_in_group(const struct walk *w, uint64_t off)
{
	return (uint32_t)off + w->shift;
}

/* The same for the start of a DIE. */
static inline uint32_t die_offset(const struct walk *w, const uint8_t *die)
{
	return (uint32_t)(uintptr_t)die + w->die_shift;
}

/* --- names, references and recs ------------------------------------------------ */

/*
 * Print an error about the current DIE, unless there was an error before.
 *
 * After an error, all values that are read are 0, as with a cursor that failed.  The loop
 * checks for errors after each DIE.
 */
static void walk_error(struct walk *w, const char *what)
{
	if (!w->l->err)
		w->l->err = unit__error(w->dw, w->u, w->off, "%s", what);
}

/* Return: the id of a string, 0 after an error. */
static uint32_t add_string(struct walk *w, const char *s, uint32_t len)
{
	int64_t id = strings__add(&w->l->store.strings, s, len);

	if (likely(id >= 0))
		return id;
	w->l->err = id;
	return 0;
}

/* Return: whether an attribute is a string of .debug_str, and its offset. */
static inline bool find_strp(const struct walk *w, const struct die *die, enum die_slot slot,
			     uint64_t *offset)
{
	*offset = die->value[slot];
	if (unlikely(die->class[slot] != VALUE_STRP))
		return die->class[slot] == VALUE_STRX &&
		       unit__string_at(w->dw, w->u, *offset, offset);
	return true;
}

/* read_string() for a new string, at @offset of .debug_str unless that is too large. */
static uint32_t read_new_string(struct walk *w, const struct die *die, enum die_slot slot,
				uint64_t offset)
{
	const char *s;
	uint32_t len;
	int64_t id;

	if (offset <= UINT32_MAX) {
		id = loader__add_strp(w->l, offset);
		if (id >= 0)
			return id;
	}
	s = unit__string(w->dw, w->u, die, slot, &len);
	if (s && likely(is_text(s, len)))
		return add_string(w, s, len);
	if (len == MAX_STRING)
		recs__odd(w->r);
	else
		walk_error(w, s ? "a name that is not text" :
			   die->class[slot] != VALUE_SUPPLEMENT ? "a name that is not a string" :
			   "a name in another file (DW_FORM_GNU_strp_alt or strp_sup), which is not read");
	return 0;
}

/* Return: the string id of an attribute, 0 if missing. */
static inline uint32_t read_string(struct walk *w, const struct die *die, enum die_slot slot)
{
	uint64_t offset;
	int64_t id;

	if (!die__has(die, slot))
		return 0;
	if (unlikely(!find_strp(w, die, slot, &offset) || offset > UINT32_MAX))
		return read_new_string(w, die, slot, UINT64_MAX);
	id = strings__recall(&w->l->store.strings, offset);
	return likely(id >= 0) ? (uint32_t)id : read_new_string(w, die, slot, offset);
}

/* Return: the DIE's name for a rec, see struct rec. */
static uint32_t read_name(struct walk *w, const struct die *die)
{
	uint64_t offset;
	uint32_t len;
	const char *s;

	if (!die__has(die, AT_NAME))
		return 0;
	if (w->l->by_offset && find_strp(w, die, AT_NAME, &offset) && offset < NAME_OFFSET)
		return NAME_OFFSET | offset;
	if (die->class[AT_NAME] == VALUE_STRING) {
		s = unit__string(w->dw, w->u, die, AT_NAME, &len);
		if (s && len && len < 4)
			return NAME_BRIEF | (uint8_t)s[0] | (uint8_t)s[1] << 8 |
			       (len > 2 ? (uint8_t)s[2] << 16 : 0);
	}
	return read_string(w, die, AT_NAME);
}

/* read_ref() for references out of the unit, and unusual forms. */
static uint32_t read_unusual_ref(struct walk *w, const struct die *die, enum die_slot slot)
{
	int64_t ref = -EINVAL;

	if (die->class[slot] == VALUE_SUPPLEMENT)
		walk_error(w, "a reference to another file (DW_FORM_GNU_ref_alt, DW_FORM_ref_sup4 or 8), which is not read");
	/* the other unit is read with this one */
	if (die->class[slot] == VALUE_REF_ADDR)
		ref = group__add(&w->r->group, die->value[slot]);
	if (ref >= 0)
		recs__make_room(w->r);
	else if (ref == -E2BIG)
		walk_error(w, "too many references to other units");
	/* past the end, to a type unit, or of a wrong form: no DIE is in the header of a unit */
	return ref >= 0 ? ref : w->unit_offset + 1;
}

/* Return: the offset in the group of the DIE that an attribute refers to, REF_VOID if missing. */
static inline uint32_t read_ref(struct walk *w, const struct die *die, enum die_slot slot)
{
	if (!die__has(die, slot))
		return REF_VOID;
	if (likely(die->class[slot] == VALUE_REF && die->value[slot] < w->len))
		return w->unit_offset + die->value[slot];
	return read_unusual_ref(w, die, slot);
}

/*
 * Set the key of a rec that is identified by its name.
 *
 * Called once the rec is complete except for its items.  A reference to a named
 * struct, union or enum is hashed as kind and name.
 */
static inline void set_key(struct loader *l, uint32_t i)
{
	struct recs *r = &l->recs;
	struct rec *rec = &r->array[i];

	if (!rec->name || !kind__is_by_name(rec->kind))
		return;
	push(&r->named, i);
	rec->key = store__key(rec->kind, name__hash(l, rec->name));
	rec->state = REC_NAMED;
}

/* Add a rec for the current DIE, with @name and its type. Return: its index. */
static uint32_t new_die_rec(struct walk *w, uint8_t kind, const struct die *die, uint32_t name)
{
	uint32_t at = offset_in_group(w, w->off), ref = read_ref(w, die, AT_TYPE);
	uint32_t i = recs__add(w->r, (struct rec){ .die = at, .kind = kind, .ref = ref,
						      .name = name });

	w->r->at[at >> AT_SHIFT] = i;
	return i;
}

/* --- brief DIEs ------------------------------------------------------------------ */

/*
 * A fast path for the DIEs that make up most of a unit.
 *
 * A brief DIE (see struct brief) is read in place, without being decoded first.  Other DIEs and
 * malformed input are left to walk_die(), which knows all forms and reports errors.
 */

/* How the numbers of brief DIEs are written; BRIEF_INDEXED: names are VALUE_STRX. */
enum brief_form { BRIEF_HOST, BRIEF_SWAPPED, BRIEF_INDEXED };

/**
 * struct brief_die - the values read from a DIE
 * @end:	the end of its attributes
 * @name:	see NAME_OFFSET
 * @ref:	its type, from the start of the group; REF_VOID for none
 * @value:	offset, value or size
 */
struct brief_die {
	const uint8_t	*end;
	uint32_t	name;
	uint32_t	ref;
	uint64_t	value;
};

static inline uint32_t brief_u32(const uint8_t *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

/* Return: the name at an offset, if names are not offsets; negative: take the slow path. */
static __attribute__((noinline)) int64_t string_name(struct walk *w, uint32_t offset)
{
	int64_t id = w->by_offset ? -EINVAL : strings__recall(&w->l->store.strings, offset);

	id = id < 0 && !w->by_offset ? loader__add_strp(w->l, offset) : id;
	/* an enumerator must have a name */
	return id ?: -ENOENT;
}

/*
 * Read a DIE; @p is at its attributes.  @way and @form are constants, to omit code that is not
 * needed.
 * Return: false if it takes the slow path.
 */
static inline __attribute__((always_inline))
bool brief_read(struct walk *w, const struct brief *b, const uint8_t *p, const uint8_t *limit,
		struct brief_die *die, const enum brief_way way, const enum brief_form form)
{
	const bool swap = form == BRIEF_SWAPPED;
	const uint8_t *end = p + b->size;
	uint32_t v, zero, type;
	int64_t id;

	/* any four bytes that start within the attributes can be read */
	if (unlikely(end > limit))
		return false;
	die->name = 0;
	if (likely(b->name != BRIEF_NONE)) {
		v = brief_u32(p + b->name, swap);
		if (form == BRIEF_INDEXED) {
			v &= b->name_mask;
			if (unlikely(v >= w->nr_names))
				return false;
			v = brief_u32(w->names + v * sizeof(v), false);
		}
		if (likely(v < w->by_offset)) {
			die->name = NAME_OFFSET | v;
		} else {
			id = string_name(w, v);
			if (unlikely(id < 0))
				return false;
			die->name = id;
		}
	} else if (b->inline_name) {
		/* at most three characters; compilers then do not use an offset */
		v = brief_u32(p, false);
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
	/* every brief member has a type, enumerators have none */
	if (way != BRIEF_ENUMERATOR && (way == BRIEF_MEMBER || b->type != BRIEF_NONE)) {
		type = brief_u32(p + b->type, swap);
		if (unlikely(type >= w->len))
			return false;
		die->ref = w->unit_offset + type;
	}
	die->value = 0;
	if (way != BRIEF_PARAMETER) {
		v = brief_u32(p + b->value, swap) >> (swap ? b->shift : 0);
		die->value = (uint64_t)(v & b->mask) + b->constant;
	}
	die->end = end;
	return true;
}

static inline __attribute__((always_inline))
bool brief_items(struct walk *w, const struct abbrev *a, const uint8_t *start, struct cursor *c,
		struct frame **open, const enum brief_way way, const enum brief_form form)
{
	const struct abbrevs *t = &w->l->abbrevs;
	const struct frame *parent = *open;
	struct recs *r = w->r;
	struct rec *rec = &r->array[parent->index];
	uint32_t first = r->items.nr, i = first;
	const uint8_t *p = c->p, *limit = w->limit;
	uint8_t flags = 0;
	uint64_t code;

	/* locations of a body's parameters are not read here */
	if (way == BRIEF_PARAMETER && (parent->body || rec->flags & TYPE_VARARGS))
		return false;
	for (;;) {
		const struct brief *b = &a->brief;
		struct brief_die die;

		if (!brief_read(w, b, p, limit, &die, way, form))
			break;
		grow(&r->items.array, &r->items.cap, i + 1ULL, sizeof(*r->items.array));
		r->items.array[i] = (struct item){ .next = i + 1, .name = die.name, .ref = die.ref,
					     .value = die.value };
		if (way == BRIEF_PARAMETER) {
			r->items.array[i].die = die_offset(w, start);
		} else if (way == BRIEF_ENUMERATOR) {
			if (a->class[AT_CONST_VALUE] == VALUE_SINT && (int64_t)die.value < 0 &&
			    w->l->opts->enum64)
				flags |= TYPE_SIGNED;
		} else if (likely(b->bits == BRIEF_NONE)) {
			/* an offset in bytes, which may be negative */
			r->items.array[i].value = die.value << 3;
		} else {
			/* @bits and @size count from the end of an inline name */
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
		if (likely(code - 1 < t->dense.nr)) {
			a = t->dense.array[code - 1];
			if (likely((form == BRIEF_HOST ? a->way : a->other_way) == way))
				continue;
		} else if (!code) {
			/* the last one of its parent */
			c->p = p;
			--*open;
		}
		break;
	}
	if (i == first)
		return false;
	if (rec->nr_items)
		r->items.array[rec->last].next = first;
	else
		rec->first = first;
	rec->last = i - 1;
	rec->nr_items += i - first;
	rec->flags |= flags;
	r->items.array[i - 1].next = 0;
	r->items.nr = i;
	return true;
}

static inline __attribute__((always_inline))
bool brief_any_type(struct walk *w, const struct abbrev *a, const uint8_t *start, struct cursor *c,
		    struct frame *frame, const enum brief_form form)
{
	uint32_t at = die_offset(w, start), i;
	struct brief_die die;
	struct rec *rec;

	if (!brief_read(w, &a->brief, c->p, w->limit, &die, BRIEF_TYPE, form))
		return false;
	if (a->kind == BTF_KIND_ENUM &&
	    ((die.value != 1 && die.value != 2 && die.value != 4) ||
	     unlikely(frame[-1].takes & KIND_BIT(ARRAY))))
		return false;
	i = recs__add(w->r, (struct rec){ .die = at, .kind = a->kind, .ref = die.ref,
					     .name = die.name });
	rec = &w->r->array[i];
	if (kind__is_by_name(a->kind)) {
		rec->flags = a->brief.forward ? TYPE_FORWARD : 0;
		rec->size = die.value;
		set_key(w->l, i);
	}
	w->r->at[at >> AT_SHIFT] = i;
	c->p = die.end;
	if (a->children)
		*frame = (struct frame){ .kind = FRAME_TYPE, .index = i,
					 .takes = 1U << a->kind | TAKES_ANNOTATIONS };
	return true;
}

static inline bool brief_type(struct walk *w, const struct abbrev *a, const uint8_t *start,
			      struct cursor *c, struct frame *frame)
{
	return brief_any_type(w, a, start, c, frame, BRIEF_HOST);
}

/*
 * Read a type, or several members, enumerators or parameters.
 * @a:		abbreviation of the type or the first item
 * @start:	of the DIE
 * @c:		after its code; moved past the last DIE that was read
 * @open:	the open DIE; moved to its parent if its end was read, too
 *
 * Return: false if the DIE takes the slow path.
 */
static bool walk_brief(struct walk *w, const struct abbrev *a, const uint8_t *start,
		       struct cursor *c, struct frame **open)
{
	if (a->way == BRIEF_TYPE)
		return brief_type(w, a, start, c, *open + 1);
	if (!(a->parents & (*open)->takes))
		return false;
	/* one loop each */
	switch (a->way) {
	case BRIEF_MEMBER:
		return brief_items(w, a, start, c, open, BRIEF_MEMBER, BRIEF_HOST);
	case BRIEF_ENUMERATOR:
		return brief_items(w, a, start, c, open, BRIEF_ENUMERATOR, BRIEF_HOST);
	default: /* BRIEF_PARAMETER */
		return brief_items(w, a, start, c, open, BRIEF_PARAMETER, BRIEF_HOST);
	}
}

/* --- types, members and parameters ------------------------------------------------ */

/* Get a number. Return: false if it is there, but not a constant: see enum misfit. */
static inline __attribute__((always_inline))
bool read_constant(const struct walk *w, const struct die *die, enum die_slot slot,
		   uint64_t *ret)
{
	return unit__constant(w->dw, w->u, die, slot, ret) || !die__has(die, slot);
}

/* Get the size of a type in bytes, like read_constant(); it may only be known in bits (5.1.1). */
static bool read_size(const struct walk *w, const struct die *die, uint64_t *ret)
{
	if (die__has(die, AT_BYTE_SIZE) || !die__has(die, AT_BIT_SIZE))
		return read_constant(w, die, AT_BYTE_SIZE, ret);
	if (!read_constant(w, die, AT_BIT_SIZE, ret))
		return false;
	*ret = *ret / 8 + !!(*ret % 8);
	return true;
}

/*
 * The kernel only accepts INTs of 1, 2, 4, 8 and 16 bytes.  Compilers use odd
 * sizes for the steps of an optimised expression; these types are not in the
 * source, and get the same name and size as with pahole.
 */
static void base_type(struct walk *w, struct rec *rec, const struct die *die)
{
	uint64_t encoding, size;
	static const char fake[] = "__SANITIZED_FAKE_INT__";

	/* without a known size, the type is as odd as one with an odd size */
	read_size(w, die, &size);
	read_constant(w, die, AT_ENCODING, &encoding);
	if (encoding == DW_ATE_float && w->l->opts->floats) {
		if (size != 2 && size != 4 && size != 8 && size != 12 && size != 16)
			rec->misfit = MISFIT_FLOAT;
		rec->kind = BTF_KIND_FLOAT;
		rec->size = size;
		return;
	}
	rec->encoding = encoding == DW_ATE_boolean ? BTF_INT_BOOL :
			encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ?
			BTF_INT_SIGNED : 0;
	if (!size || size > 16 || size & (size - 1) || !rec->name) {
		rec->name = w->l->odd_int = add_string(w, fake, sizeof(fake) - 1);
		size = 4;
	}
	rec->size = size;
}

static void sized_type(struct walk *w, struct rec *rec, const struct die *die)
{
	uint64_t size;

	if (!read_size(w, die, &size))
		rec->misfit = MISFIT_UNKNOWN_SIZE;
	if (die__number(die, AT_DECLARATION)) {
		rec->flags |= TYPE_FORWARD;
		rec->misfit = FITS;
		size = 0;
	}
	if (size > UINT32_MAX) {
		rec->misfit = MISFIT_SIZE;
		size = 0;
	}
	rec->size = size;
	if (rec->kind == BTF_KIND_ENUM) {
		/* like pahole: an enum without a size is as wide as an int */
		if (!size)
			rec->size = 4;
		if (size > 4 && w->l->opts->enum64)
			rec->kind = BTF_KIND_ENUM64;
		if (rec->size > 8 || rec->size & (rec->size - 1))
			rec->misfit = MISFIT_ENUM;
	}
}

static bool has_bound(const struct die *die)
{
	return die__has(die, AT_COUNT) || die__has(die, AT_UPPER_BOUND);
}

/*
 * Get the number of elements in a dimension of an array, or of a subrange's values; 0 if it depends
 * on the program's state.
 *
 * Return: false if BTF cannot represent it.
 */
static inline __attribute__((always_inline))
bool count_elements(const struct walk *w, const struct die *die, uint64_t *nr)
{
	enum die_slot slot = die__has(die, AT_COUNT) ? AT_COUNT : AT_UPPER_BOUND;
	uint8_t class = die->class[slot];
	uint64_t value, lower = 1;

	*nr = 0;
	if (!unit__constant(w->dw, w->u, die, slot, &value))
		return !die__has(die, slot) || class == VALUE_BLOCK || class == VALUE_REF ||
		       class == VALUE_REF_ADDR;
	if (slot == AT_UPPER_BOUND) {
		if (!read_constant(w, die, AT_LOWER_BOUND, &lower))
			return true;
		if (!die__has(die, AT_LOWER_BOUND))
			lower = w->u->lower_bound;
		/* the upper bound of no elements is -1, in any form */
		if (w->u->address_size == 4 && value == UINT32_MAX)
			value = UINT64_MAX;
	}
	*nr = value - lower + 1;
	if ((int64_t)*nr < 0 && (class == VALUE_SINT || value < lower))
		*nr = 0;
	return *nr <= UINT32_MAX;
}

/*
 * A subrange (DWARF 5, 5.13) is read as the type that it is a part of, unless that has another size
 * or the value that is stored differs: BTF cannot represent it then.
 */
static __attribute__((noinline)) void subrange(struct walk *w, uint32_t i, const struct die *die)
{
	bool same = !die__has(die, AT_BIAS);
	uint64_t size, nr;

	same = read_size(w, die, &size) && same;
	w->r->array[i].size = same && size <= UINT32_MAX ? size : UINT32_MAX;
	if (has_bound(die))
		recs__add_item(w->r, i, (struct item){
			.value = count_elements(w, die, &nr) ? nr : UINT64_MAX });
}

/* An array or its dimension has one of these if its elements may be in other places than in C. */
#define ELEMENT_OFFSETS	(1ULL << AT_BYTE_STRIDE | 1ULL << AT_BIT_STRIDE | 1ULL << AT_DATA_LOCATION)

/* Record the distance of elements, to check it when all sizes are known. */
static __attribute__((noinline))
void add_stride(struct walk *w, uint32_t array, uint32_t dimension, const struct die *die)
{
	bool bytes = die__has(die, AT_BYTE_STRIDE);
	uint64_t nr;

	if (die__has(die, AT_DATA_LOCATION) || !read_constant(w, die, bytes ? AT_BYTE_STRIDE : AT_BIT_STRIDE, &nr) || nr > UINT32_MAX)
		nr = 0;
	push(&w->r->strides, (struct stride){ array, dimension, bytes ? nr * 8 : nr });
}

static void walk_type(struct walk *w, uint8_t kind, enum dw_tag tag, const struct die *die,
		      struct frame *frame)
{
	uint32_t i = new_die_rec(w, kind, die, read_name(w, die));
	struct rec *rec = &w->r->array[i];

	switch (kind) {
	case BTF_KIND_INT:
		base_type(w, rec, die);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
		sized_type(w, rec, die);
		break;
	case BTF_KIND_ARRAY:
		rec->name = 0;
		if (unlikely(die->has & ELEMENT_OFFSETS))
			add_stride(w, i, UINT32_MAX, die);
		break;
	case REC_ALIAS:
		push(&w->r->aliases, i);
		if (tag == DW_TAG_subrange_type)
			subrange(w, i, die);
		else if (tag != DW_TAG_atomic_type && tag != DW_TAG_packed_type &&
		    tag != DW_TAG_shared_type && tag != DW_TAG_immutable_type)
			rec->ref = REF_VOID;
		break;
	case BTF_KIND_TYPEDEF:
		/* BTF requires a name, and a typedef has nothing else */
		if (!rec->name) {
			rec->kind = REC_ALIAS;
			push(&w->r->aliases, i);
		}
		break;
	default:
		/* the kernel rejects names of types that cannot have one */
		if (btf_kinds[kind].naming == NAME_NONE)
			rec->name = 0;
	}
	/* sized_type() may have turned it into an ENUM64 */
	*frame = (struct frame){ .kind = FRAME_TYPE, .index = i,
				 .takes = 1U << (rec->kind & 31) | TAKES_ANNOTATIONS };
	set_key(w->l, i);
}

/* For a member that BTF cannot represent. */
#define BAD_OFFSET	UINT64_MAX

/* No member is farther away, in either direction: an offset in bits does not overflow. */
static bool is_far(uint64_t bytes)
{
	return bytes + UINT32_MAX > 2ULL * UINT32_MAX;
}

/*
 * A member's place (DWARF 5, 5.7.6).  A bit-field has either the offset of its
 * first bit, or (DW_AT_bit_offset, up to DWARF 4) the storage unit's byte offset and
 * size, with bits counted from the most significant end of that unit.
 */
static enum misfit find_member_offset(struct walk *w, const struct die *die, struct item *item)
{
	uint64_t bits, bytes, offset;

	item->value = 0;
	if (!read_constant(w, die, AT_BIT_SIZE, &bits) ||
	    !read_constant(w, die, AT_BYTE_SIZE, &bytes))
		return MISFIT_UNKNOWN_SIZE;
	if (bits > UINT8_MAX || is_far(bytes)) {
		item->value = BAD_OFFSET;
		return FITS;
	}
	item->bits = bits;
	if (die__has(die, AT_DATA_BIT_OFFSET))
		return read_constant(w, die, AT_DATA_BIT_OFFSET, &item->value) ?
		       FITS : MISFIT_UNKNOWN_OFFSET;
	if (!unit__member_offset(w->dw, w->u, die, &offset))
		return MISFIT_UNKNOWN_OFFSET;
	if (is_far(offset)) {
		item->value = BAD_OFFSET;
		return FITS;
	}
	item->value = offset * 8;
	if (!bits || !die__has(die, AT_BIT_OFFSET))
		return FITS;
	if (!read_constant(w, die, AT_BIT_OFFSET, &offset))
		return MISFIT_UNKNOWN_OFFSET;
	if (w->dw->img->big_endian) {
		item->value += offset;
		return FITS;
	}
	item->value += bytes * 8 - offset - bits;
	if (!bytes) {
		item->from_end = true;
		w->r->from_end = true;
	}
	return FITS;
}

/* Read name and type of a member or parameter; @frame is for its annotations. */
static void read_item(struct walk *w, const struct frame *parent, const struct die *die,
		      struct item *item, struct frame *frame)
{
	item->name = read_name(w, die);
	item->ref = read_ref(w, die, AT_TYPE);
	*frame = (struct frame){ .kind = FRAME_ITEM, .takes = TAKES_ANNOTATIONS,
				 .index = parent->index,
				 .component = w->r->array[parent->index].nr_items };
}

static void walk_member(struct walk *w, const struct frame *parent, const struct die *die,
			struct frame *frame)
{
	struct item item = {};
	enum misfit misfit;

	/* static members of C++ are variables */
	if (die__number(die, AT_EXTERNAL) || die__number(die, AT_DECLARATION))
		return;
	/* offset and width share a word in BTF if any member is a bit-field */
	if (die__has(die, AT_BIT_SIZE))
		w->r->array[parent->index].flags |= TYPE_BITFIELDS;
	read_item(w, parent, die, &item, frame);
	misfit = find_member_offset(w, die, &item);
	if (misfit)
		w->r->array[parent->index].misfit = misfit;
	recs__add_item(w->r, parent->index, item);
}

/* Get an enumerator's value. Return: false if it does not fit. */
static bool read_value(struct walk *w, const struct die *die, uint64_t *ret)
{
	struct cursor bytes;

	if (!die__has(die, AT_CONST_VALUE) || die->class[AT_CONST_VALUE] != VALUE_BLOCK)
		return read_constant(w, die, AT_CONST_VALUE, ret);
	/* not an expression (DWARF 5, 4.1): the bytes of the value */
	bytes = dwarf__block(w->dw, die, AT_CONST_VALUE);
	*ret = cursor__uint(&bytes, cursor__left(&bytes));
	return !cursor__failed(&bytes);
}

static void walk_enumerator(struct walk *w, const struct frame *parent, const struct die *die)
{
	struct rec *rec = &w->r->array[parent->index];
	uint32_t name = read_name(w, die);
	uint64_t value;

	if (!name) {
		recs__odd(w->r);
		return;
	}
	if (!read_value(w, die, &value) ||
	    (rec->size <= 4 && value + (1ULL << 31) >= 3ULL << 31))
		rec->misfit = MISFIT_ENUM_VALUE;
	if (die__has(die, AT_CONST_VALUE) && die->class[AT_CONST_VALUE] == VALUE_SINT &&
	    (int64_t)value < 0 && w->l->opts->enum64)
		rec->flags |= TYPE_SIGNED;
	recs__add_item(w->r, parent->index,
			  (struct item){ .name = name, .value = value });
}

/* Add a dimension of an array. Return: its item, 0 for the first one. */
static uint32_t add_dimension(struct recs *r, struct frame *array, uint64_t nr)
{
	struct rec *rec = &r->array[array->index];

	if (!array->sized) {
		rec->size = nr;
		array->sized = true;
		return 0;
	}
	if (!rec->nr_items)
		push(&r->arrays, array->index);
	return recs__add_item(r, array->index, (struct item){ .value = (uint32_t)nr });
}

/* A dimension of an array is a subrange, or the enumeration that is its index type. */
static void walk_dimension(struct walk *w, struct frame *parent, uint32_t tag,
			   const struct die *die, struct frame *frame)
{
	uint32_t array = parent->index, index = REF_VOID, item;
	uint64_t nr = 0;

	if (tag == DW_TAG_enumeration_type) {
		walk_type(w, BTF_KIND_ENUM, tag, die, frame);
		index = offset_in_group(w, w->off);
	} else {
		if (!count_elements(w, die, &nr))
			w->r->array[array].misfit = MISFIT_COUNT;
		if (!nr && !has_bound(die))
			index = read_ref(w, die, AT_TYPE);
	}
	if (unlikely(die->has & ELEMENT_OFFSETS))
		add_stride(w, array, parent->sized ? w->r->array[array].nr_items + 1 : 0, die);
	item = add_dimension(w->r, parent, nr);
	if (index)
		push(&w->r->dimensions, (struct dimension){ array, item, index });
}

static void walk_param(struct walk *w, const struct frame *parent, const struct die *die,
		       struct frame *frame)
{
	struct func_rec *func = parent->body ? &w->r->funcs.array[parent->component] : NULL;
	struct item item = { .die = offset_in_group(w, w->off) };

	/* BTF cannot represent parameters after "..."; gcc lists parameters there that a clone
	 * of the function no longer has
	 */
	if (w->r->array[parent->index].flags & TYPE_VARARGS) {
		if (func)
			func->doubts |= DOUBT_OPTIMIZED | DOUBT_REORDERED;
		return;
	}
	read_item(w, parent, die, &item, frame);
	item.origin = read_ref(w, die, AT_ORIGIN);
	/* where it is at the first instruction, or, for pahole's rules, in its first location */
	if (func)
		item.facts = param__facts(w->dw, w->u, die, w->r->ranges.array[func->range].start,
					   w->l->opts->prove ? READER_PROOF :
					   w->l->opts->true_signature ? READER_PAHOLE_TRUE :
					   READER_PAHOLE);
	recs__add_item(w->r, parent->index, item);
}

/* --- functions, variables and annotations ------------------------------------------ */

/**
 * struct referred - a DIE that another one refers to
 * @die:	decoded
 * @walk:	to read its names and references
 * @unit:	its unit, if it is in another one
 */
struct referred {
	struct die	die;
	struct walk	walk;
	struct unit	unit;
};

/*
 * Decode the DIE that an attribute refers to, which must have a tag; @w and @die may be those in @ret.
 *
 * Return: false if there is none, or after an error.
 */
static bool decode_referred(struct walk *w, const struct die *die, enum die_slot slot,
			    enum dw_tag tag, struct referred *ret)
{
	uint32_t ref = read_ref(w, die, slot);
	const struct abbrevs *abbrevs;
	const struct abbrev *a;
	const struct unit *u;
	struct cursor c;
	uint64_t offset;

	if (w->l->err)
		return false;
	ret->walk = *w;
	offset = group__info_offset(&w->r->group, ref, &u);
	if (u->start != w->u->start) {
		ret->unit = unit__unread(u);
		w->l->err = unit__read(w->dw, &ret->unit, &w->l->others);
		if (w->l->err)
			return false;
		enter_unit(&ret->walk, &ret->unit, ref - (offset - u->start));
	}
	abbrevs = ret->walk.u == &ret->unit ? &w->l->others : &w->l->abbrevs;
	c = unit__cursor(w->dw, u, offset);
	a = abbrevs__find(abbrevs, cursor__uleb(&c));
	/* a static member (C++) is declared in its struct */
	if (a && (a->tag == tag || (tag == DW_TAG_variable && a->tag == DW_TAG_member))) {
		abbrev__read(abbrevs, a, &c, &ret->die);
		if (!cursor__failed(&c))
			return true;
	}
	recs__odd(w->r);
	return false;
}

/* Functions with one of these have a body or a linkage name, or another DIE has their name. */
#define NEEDED	(1ULL << AT_LOW_PC | 1ULL << AT_RANGES | 1ULL << AT_ORIGIN | \
			 1ULL << AT_SPECIFICATION | 1ULL << AT_LINKAGE_NAME)

/* Test whether a function without a body is needed, by the hash of its name. */
static bool is_needed(const struct walk *w, uint64_t hash, bool declared)
{
	return name_set__has(declared ? w->l->assembler : w->l->stems, hash);
}

/*
 * Test for a function that has no body and is not needed.  Most functions that headers declare or
 * define are not, so their names are not interned, but found by their offset in .debug_str.
 */
static bool is_unneeded(struct walk *w, const struct die *die)
{
	bool declared = die__number(die, AT_DECLARATION);
	uint64_t offset = die->value[AT_NAME], bit = offset << 1 | declared;
	uint8_t *known;
	const char *s;
	uint32_t len;

	if (die->has & NEEDED || !die__has(die, AT_NAME) ||
	    die->class[AT_NAME] != VALUE_STRP || offset >= cursor__left(&w->dw->str))
		return false;
	known = &w->l->unneeded[bit >> 3];
	if (*known >> (bit & 7) & 1)
		return true;
	s = dwarf__string(&w->dw->str, offset, &len);
	if (!s || !is_text(s, len) || is_needed(w, hash_bytes(s, len), declared))
		return false;
	*known |= 1 << (bit & 7);
	return true;
}

/* Add where a body may start. */
static void add_ranges(struct walk *w, const struct die *die)
{
	const struct dwarf *dw = w->dw;
	/* half the bytes that can describe bodies: limits how often lists are shared */
	uint64_t max = (cursor__left(&dw->info) + cursor__left(&dw->ranges) +
			cursor__left(&dw->rnglists)) / 2;

	unit__add_entries(dw, w->u, die, &w->r->ranges);
	if (unlikely(w->r->ranges.nr + (uint64_t)w->l->observed.bodies.nr > max))
		walk_error(w, "overlapping range lists with too many ranges");
}

/*
 * Test DW_AT_calling_convention (DWARF 5, 7.15) for arguments that are not passed as in C.
 * Conventions that only preserve more registers are not foreign.
 */
static bool is_foreign(uint64_t convention)
{
	switch (convention) {
	case 0:
	case DW_CC_normal:
	case DW_CC_program:
	case DW_CC_nocall:
	case DW_CC_LLVM_X86_64SysV:
	case DW_CC_LLVM_AAPCS:
	case DW_CC_LLVM_AAPCS_VFP:
	case DW_CC_LLVM_PreserveMost:
	case DW_CC_LLVM_PreserveAll:
		return false;
	default:
		return true;
	}
}

/*
 * Add facts for a proof, in addition to the parameters.  gcc passes the outer function's stack
 * frame to a nested function in a separate register.  Compiler-generated functions have no
 * prototype in the source.  clang may not record the target of each call: it only records
 * targets if it marks them as complete, and with link-time optimization, calls to another
 * unit may only record that a function is called.
 */
static void add_proof_facts(struct walk *w, const struct die *die, struct func_rec *func)
{
	bool described = die__has(die, AT_NAME) || die__has(die, AT_ORIGIN) ||
			 die__has(die, AT_SPECIFICATION);
	uint32_t *unknown = &w->r->unknown_calls;

	func->foreign = w->u->ms_abi || is_foreign(die__number(die, AT_CALLING_CONVENTION)) ||
			(func->body && die__has(die, AT_STATIC_LINK));
	if (func->body && die__number(die, AT_ARTIFICIAL))
		func->doubts |= DOUBT_NO_PROTOTYPE;
	if (w->u->clang && func->body && !die__has(die, AT_ALL_CALLS))
		*unknown = CALLS_UNKNOWN;
	else if (w->u->clang && !func->body && !described && *unknown != w->unit + 1)
		*unknown = *unknown ? CALLS_UNKNOWN : w->unit + 1;
}

/*
 * Add a function with a body; one without, if a symbol has its stem, because a body may refer to it
 * for name and types; and a declaration, if an assembler described a function with its name.
 */
static void walk_func(struct walk *w, const struct die *die, struct frame *frame)
{
	struct recs *r = w->r;
	struct func_rec func = { .unit = w->unit, .guest = w->guest };
	/* a declaration with an asm label declares the symbol */
	enum die_slot slot = die__number(die, AT_DECLARATION) && die__has(die, AT_LINKAGE_NAME) ?
			     AT_LINKAGE_NAME : AT_NAME;
	uint32_t name, ref = REF_VOID;
	struct referred declared;

	if (is_unneeded(w, die))
		return;
	/* a string id, unlike the names of most recs: it outlives them */
	name = read_string(w, die, slot);
	func.range = r->ranges.nr;
	add_ranges(w, die);
	func.nr_ranges = r->ranges.nr - func.range;
	func.body = func.nr_ranges;
	func.doubts = die__has(die, AT_LOW_PC) ? 0 : DOUBT_PIECES;
	func.external = die__number(die, AT_EXTERNAL);
	func.declared = die__number(die, AT_DECLARATION);
	func.changed = die__number(die, AT_CALLING_CONVENTION) == DW_CC_nocall;
	/* clang does not record which functions are declared inline, and does not fold */
	func.inlined = die__number(die, AT_INLINE) == DW_INL_declared_inlined ||
		       (w->u->clang && die__number(die, AT_INLINE) == DW_INL_inlined);
	if (w->l->opts->prove)
		add_proof_facts(w, die, &func);
	func.decl_unit = w->unit;
	func.decl_file = die__number(die, AT_DECL_FILE);
	func.decl_line = die__number(die, AT_DECL_LINE);
	if (!name && die__has(die, AT_SPECIFICATION)) {
		/* declared in a block and defined later: the declaration has the name */
		if (decode_referred(w, die, AT_SPECIFICATION, DW_TAG_subprogram, &declared)) {
			func.external |= die__number(&declared.die, AT_EXTERNAL);
			name = read_string(&declared.walk, &declared.die, AT_NAME);
			ref = read_ref(&declared.walk, &declared.die, AT_TYPE);
		}
	}
	if (!func.body &&
	    !(name && is_needed(w, w->l->store.strings.array[name].hash, func.declared)))
		return;
	func.rec = new_die_rec(w, BTF_KIND_FUNC, die, name);
	func.origin = read_ref(w, die, AT_ORIGIN);
	if (ref)
		r->array[func.rec].ref = ref;
	*frame = (struct frame){ .kind = FRAME_FUNC, .index = func.rec, .body = func.body,
				 .component = r->funcs.nr,
				 .takes = KIND_BIT(FUNC) | TAKES_ANNOTATIONS };
	push(&r->funcs, func);
}

/*
 * Test for an address of discarded data: GNU ld writes 0, or 1 in some sections, lld -1 or -2.
 * In a relocatable file, the relocation is missing.
 */
static bool is_tombstone(const struct walk *w, uint64_t address)
{
	uint64_t max = w->u->address_size == 4 ? UINT32_MAX : UINT64_MAX;

	return !w->dw->relocator && (address <= 1 || address == max || address == max - 1);
}

enum var_place {
	VAR_ELSEWHERE,		/* not in static memory, or optimized out */
	VAR_AT_ADDRESS,
	VAR_AT_UNKNOWN,		/* in several pieces, or at a location that is not understood */
};

/* Evaluate an expression, see var_place(). */
static inline __attribute__((always_inline))
enum var_place eval_place(const struct walk *w, struct cursor expr, struct variable *var)
{
	struct expr_value value;

	/* nearly all are one operation */
	if (likely(cursor__left(&expr) == 1U + w->u->address_size && *expr.p == DW_OP_addr)) {
		cursor__skip(&expr, 1);
		var->address = cursor__uint(&expr, w->u->address_size);
		var->maybe_dead = is_tombstone(w, var->address);
		return VAR_AT_ADDRESS;
	}
	if (expr__eval(w->dw, w->u, expr, &value))
		return VAR_AT_UNKNOWN;
	if (!expr__address(w->dw, w->u, &value, &var->address))
		return value.kind == EXPR_UNKNOWN || value.kind == EXPR_PIECES ?
		       VAR_AT_UNKNOWN : VAR_ELSEWHERE;
	var->maybe_dead = is_tombstone(w, value.base == EXPR_BASE_IMAGE ? value.address :
									  value.offset);
	return VAR_AT_ADDRESS;
}

/* var_place() for a list: each location in memory must be the same. */
static __attribute__((noinline))
enum var_place list_place(const struct walk *w, const struct die *die, struct variable *var)
{
	enum var_place ret = VAR_ELSEWHERE, place;
	struct variable other = *var;
	struct code_range range;
	struct cursor expr;
	struct list list;

	if (!list__begin(&list, w->dw, w->u, die, AT_LOCATION))
		return VAR_AT_UNKNOWN;
	while (list__next(&list, &range, &expr)) {
		place = eval_place(w, expr, &other);
		if (place == VAR_AT_UNKNOWN || (place && ret && other.address != var->address))
			return VAR_AT_UNKNOWN;
		if (place) {
			*var = other;
			ret = place;
		}
	}
	return ret;
}

/* Find out where a variable is. */
static enum var_place var_place(const struct walk *w, const struct die *die, struct variable *var)
{
	if (!die__has(die, AT_LOCATION))
		return VAR_ELSEWHERE;
	return likely(die->class[AT_LOCATION] == VALUE_BLOCK) ?
	       eval_place(w, dwarf__block(w->dw, die, AT_LOCATION), var) : list_place(w, die, var);
}

/* Test for a variable in a per-CPU section; there may be several. */
static bool is_percpu(const struct walk *w, const struct variable *var)
{
	const struct image *img = w->dw->img;

	if (w->dw->relocator)
		return img->sections[var->section].percpu;
	for_each(i, &img->percpu)
		if (var->address - img->sections[*i].address < img->sections[*i].size)
			return true;
	return false;
}

/* A variable's DIE may complete a declaration, which may be in another unit (gcc's LTO). */
#define MAX_COMPLETED	2

static void walk_var(struct walk *w, const struct die *die, struct frame *frame)
{
	const struct load_options *opts = w->l->opts;
	struct recs *r = w->r;
	struct variable var = { .unit = w->unit, .desc = offset_in_group(w, w->off) };
	struct referred completed;
	enum var_place place;
	enum die_slot slot;
	bool lost = false;
	uint32_t ref = 0;

	if (w->guest || die__number(die, AT_ARTIFICIAL))
		return;
	place = var_place(w, die, &var);
	if (!place)
		return;
	var.unknown = place == VAR_AT_UNKNOWN;
	if (w->dw->relocator && !var.unknown &&
	    !relocator__place(w->dw->relocator, var.address, &var.section, &var.address))
		return;
	if (!opts->global_vars && !(opts->percpu && (var.unknown || is_percpu(w, &var))))
		return;
	for (unsigned int n = 0;; n++) {
		var.external |= die__number(die, AT_EXTERNAL);
		var.symbol_name = var.symbol_name ?: read_string(w, die, AT_LINKAGE_NAME);
		ref = ref ?: read_ref(w, die, AT_TYPE);
		slot = die__has(die, AT_ORIGIN) ? AT_ORIGIN : AT_SPECIFICATION;
		if (die__has(die, AT_NAME) || n == MAX_COMPLETED || !die__has(die, slot))
			break;
		lost = !decode_referred(w, die, slot, DW_TAG_variable, &completed);
		if (lost)
			break;
		die = &completed.die;
		w = &completed.walk;
	}
	var.name = read_string(w, die, AT_NAME);
	var.symbol_name = var.symbol_name ?: var.name;
	/* clang's variables of string literals have no name */
	if (!var.name && !lost)
		return;
	*frame = (struct frame){ .kind = FRAME_VAR, .takes = TAKES_ANNOTATIONS,
				 .index = r->vars.nr };
	push(&r->vars, (struct var_rec){ var, ref });
}

/* Test for one of the targets that the kernel accepts: a declared struct is another kind of type. */
static bool takes_decl_tag(const struct recs *r, const struct frame *owner)
{
	const struct rec *rec = &r->array[owner->index];

	return owner->kind == FRAME_VAR || rec->kind == BTF_KIND_FUNC ||
	       (kind__is_struct(rec->kind) && !(rec->flags & TYPE_FORWARD)) ||
	       (rec->kind == BTF_KIND_TYPEDEF && owner->kind == FRAME_TYPE);
}

/*
 * Add one annotation: a btf_type_tag is inserted between the pointer, or another tag, and the
 * type it refers to; a btf_decl_tag is attached to its owner.
 *
 * Return: the rec of a type tag, 0 for others.
 */
static uint32_t add_annotation(struct walk *w, const struct frame *owner, const struct die *die,
			       struct walk *names)
{
	uint32_t name = read_string(names, die, AT_NAME);
	uint32_t value = read_string(names, die, AT_CONST_VALUE), i;
	struct rec tag = { .kind = BTF_KIND_TYPE_TAG, .name = value };
	const struct string *strings = w->l->store.strings.array;
	struct recs *r = w->r;

	if (!strcmp(strings[name].s, "btf_type_tag")) {
		const struct rec *rec = &r->array[owner->index];

		/* as with pahole, only pointers have them */
		if (!w->l->opts->type_tags || owner->kind != FRAME_TYPE ||
		    (rec->kind != BTF_KIND_PTR && rec->kind != BTF_KIND_TYPE_TAG))
			return 0;
		tag.ref = rec->ref;
		i = recs__add(r, tag);
		r->array[owner->index].ref = REF_INDEX | i;
		return i;
	}
	if (strcmp(strings[name].s, "btf_decl_tag") || !w->l->opts->decl_tags ||
	    !takes_decl_tag(r, owner))
		return 0;
	push(&r->tags, (struct tag_rec){
		.unit = w->unit, .target = owner->index, .value = value,
		.on = owner->kind == FRAME_VAR ? TAG_ON_VAR :
		      r->array[owner->index].kind == BTF_KIND_FUNC ? TAG_ON_FUNC : TAG_ON_TYPE,
		.component = owner->kind == FRAME_ITEM ? (int32_t)owner->component : -1,
		.item = owner->kind == FRAME_ITEM ? r->array[owner->index].last : 0,
	});
	return 0;
}

/*
 * The first tag is nearest to the pointer.  Owners share chains, and chains share their ends: the cost
 * is bounded by the bytes of the unit.  A chain without an end has no tags.
 */
static void walk_annotations(struct walk *w, const struct die *die, const struct frame *frame)
{
	struct referred at = { .die = *die, .walk = *w };
	struct frame owner = *frame;
	struct recs *r = w->r;
	uint32_t nr_tags = r->tags.nr, nr_recs = r->nr, n = 0, ref, i;

	/* pahole 1.32 ignores chains of variables */
	if (frame->kind == FRAME_NONE || frame->kind == FRAME_VAR)
		return;
	ref = r->array[frame->index].ref;
	while (die__has(&at.die, AT_ANNOTATION)) {
		if (n++ == MAX_CHAIN || ++w->annotations > w->len) {
			recs__odd(r);
			r->array[frame->index].ref = ref;
			r->nr = nr_recs;
			r->tags.nr = nr_tags;
			return;
		}
		if (!decode_referred(&at.walk, &at.die, AT_ANNOTATION, DW_TAG_GNU_annotation, &at))
			return;
		i = add_annotation(w, &owner, &at.die, &at.walk);
		if (i)
			owner.index = i;
	}
}

/* --- the loop ---------------------------------------------------------------------- */

/* Record a call by name; a reference out of the group is not to a function in it. */
static void walk_call(struct walk *w, const struct die *die)
{
	uint64_t at = die->value[AT_ORIGIN];
	struct recs *r = w->r;

	if (w->guest)
		return;
	if (die->class[AT_ORIGIN] == VALUE_REF_ADDR)
		at = group__offset(&r->group, at);
	else if (die->class[AT_ORIGIN] == VALUE_REF && at < w->len)
		at += w->unit_offset;
	else
		return;
	push(&r->calls, at);
}

static inline __attribute__((always_inline))
void walk_decoded(struct walk *w, const struct abbrev *a, const struct die *die,
		  struct frame *parent, struct frame *frame)
{
	if (a->use == USE_TYPE)
		return a->parents & parent->takes ? walk_dimension(w, parent, a->tag, die, frame) :
						    walk_type(w, a->kind, a->tag, die, frame);
	switch (a->tag) {
	case DW_TAG_member:
		return walk_member(w, parent, die, frame);
	case DW_TAG_enumerator:
		return walk_enumerator(w, parent, die);
	case DW_TAG_formal_parameter:
		return walk_param(w, parent, die, frame);
	case DW_TAG_unspecified_parameters:
		w->r->array[parent->index].flags |= TYPE_VARARGS;
		break;
	case DW_TAG_subprogram:
		return walk_func(w, die, frame);
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		return walk_call(w, die);
	case DW_TAG_variable:
		return walk_var(w, die, frame);
	default: /* DW_TAG_LLVM_annotation; the first one is nearest to the pointee */
		add_annotation(w, parent, die, w);
	}
}

/* Handle one relevant DIE. */
static void walk_die(struct walk *w, const struct abbrev *a, struct cursor *c,
		     struct frame *parent, struct frame *frame)
{
	struct die die;

	abbrev__read(&w->l->abbrevs, a, c, &die);
	if (unlikely(cursor__failed(c)))
		return walk_error(w, "a DIE that is cut off");
	walk_decoded(w, a, &die, parent, frame);
	if (unlikely(die__has(&die, AT_ANNOTATION)))
		walk_annotations(w, &die, frame);
}

/* Test whether a DIE with this parent must be decoded; load/dw_tags.c classifies abbreviations. */
static inline bool is_wanted(const struct walk *w, const struct abbrev *a,
			     const struct frame *parent)
{
	switch (a->use) {
	case USE_TYPE:
	case USE_FUNC:
		return true;
	case USE_DECLARATION:
		return w->l->assembler->nr;
	case USE_CALL:
		/* only clang omits siblings, and its changes to functions that are called
		 * by name matter (load/signature.c)
		 */
		return w->u->clang && w->l->opts->prove;
	case USE_VAR:
		return parent == &w->l->frames[1];
	case USE_ITEM:
		return a->parents & parent->takes;
	default:
		return false;
	}
}

/*
 * Skip a DIE and its descendants.  Trust the compiler's DW_AT_sibling: there are no
 * types inside an inlined function or a call.
 */
static void jump_over(struct walk *w, const struct abbrev *a, struct cursor *c)
{
	struct die die;

	abbrev__read(&w->l->abbrevs, a, c, &die);
	unit__skip_to_sibling(w->u, &die, c);
	if (unlikely(cursor__failed(c)))
		walk_error(w, "a DIE that is cut off, or whose sibling does not follow it in the unit");
}

/* walk_brief() for the other forms.  It is here so that the usual one needs no test. */
static inline __attribute__((always_inline))
void walk_other(struct walk *w, const struct abbrev *a, struct cursor *c, struct frame *parent,
		const enum brief_form form)
{
	const uint8_t *start = w->begin + w->off;
	struct frame *open = parent;
	bool done;

	switch (a->other_way) {
	case BRIEF_TYPE:
		done = brief_any_type(w, a, start, c, parent + 1, form);
		break;
	case BRIEF_MEMBER:
		done = brief_items(w, a, start, c, &open, BRIEF_MEMBER, form);
		break;
	case BRIEF_ENUMERATOR:
		done = brief_items(w, a, start, c, &open, BRIEF_ENUMERATOR, form);
		break;
	default: /* BRIEF_PARAMETER */
		done = brief_items(w, a, start, c, &open, BRIEF_PARAMETER, form);
	}
	/* walk_unit() reads the end of the parent, which is one byte */
	c->p -= open != parent;
	if (!done)
		walk_die(w, a, c, parent, parent + 1);
}

static __attribute__((noinline))
void walk_swapped(struct walk *w, const struct abbrev *a, struct cursor *c, struct frame *parent)
{
	walk_other(w, a, c, parent, BRIEF_SWAPPED);
}

static __attribute__((noinline))
void walk_indexed(struct walk *w, const struct abbrev *a, struct cursor *c, struct frame *parent)
{
	walk_other(w, a, c, parent, BRIEF_INDEXED);
}

/* Read or skip a DIE that is not brief. */
static __attribute__((noinline))
void walk_slow(struct walk *w, const struct abbrev *a, struct cursor *c, struct frame *parent)
{
	parent[1].kind = FRAME_NONE;
	parent[1].takes = 0;
	if (is_wanted(w, a, parent))
		return !a->other_way ? walk_die(w, a, c, parent, parent + 1) :
		       a->brief.name_mask ? walk_indexed(w, a, c, parent) :
					    walk_swapped(w, a, c, parent);
	abbrev__skip(&w->l->abbrevs, a, c);
	if (cursor__failed(c))
		walk_error(w, "a DIE that is cut off");
}

/* Not a part of read_group_unit(), whose variables would take registers from the loop. */
static __attribute__((noinline))
void walk_unit(struct loader *l, struct unit *u, const struct group_unit *gu, bool guest)
{
	struct walk w = { .l = l, .r = &l->recs, .dw = l->dw, .unit = gu->unit,
			  .guest = guest, .by_offset = l->by_offset ? NAME_OFFSET : 0 };
	struct cursor c = unit__cursor(l->dw, u, u->dies), at = c, names = l->dw->str_offsets;
	struct frame *frame = l->frames ?: xmalloc((MAX_DEPTH + 1) * sizeof(*frame));
	const uint8_t *start = c.p;

	/* the others are set when they are opened */
	*frame = (struct frame){ .kind = FRAME_NONE };
	l->frames = frame;
	w.begin = c.begin;
	w.limit = c.end - sizeof(uint32_t);
	enter_unit(&w, u, gu->offset);
	if (u->offset_size == sizeof(uint32_t)) {
		cursor__skip(&names, u->str_offsets_base);
		w.names = names.p;
		w.nr_names = MIN(cursor__left(&names) / sizeof(uint32_t), UINT32_MAX);
	}
	/* @at stays in registers, because its address is not taken */
	while (cursor__left(&at)) {
		const struct abbrev *a;
		uint64_t code;

		start = at.p;
		code = cursor__uleb(&at);
		if (!code) {
			/* bytes after the unit's tree are padding */
			if (frame == l->frames || --frame == l->frames)
				break;
			continue;
		}
		a = abbrevs__find(&l->abbrevs, code);
		if (unlikely(!a)) {
			l->err = unit__error(l->dw, u, start - c.begin, "abbreviation %" PRIu64
					     " is not in the table at 0x%" PRIx64, code,
					     u->abbrevs);
			return;
		}
		if (!a->way || !walk_brief(&w, a, start, &at, &frame)) {
			w.off = start - c.begin;
			c.p = at.p;
			if (a->use == USE_TREE) {
				jump_over(&w, a, &c);
				at.p = c.p;
				if (unlikely(l->err))
					return;
				continue;
			}
			walk_slow(&w, a, &c, frame);
			at.p = c.p;
			if (unlikely(l->err))
				return;
		}
		if (!a->children) {
			if (frame == l->frames)
				break;
			continue;
		}
		if (unlikely(++frame == l->frames + MAX_DEPTH)) {
			w.off = start - c.begin;
			return walk_error(&w, "DIEs are nested deeper than 65536");
		}
	}
	w.off = start - c.begin;
	if (cursor__failed(&at))
		walk_error(&w, "a DIE that is cut off");
}

/* --- a group ----------------------------------------------------------------------- */

static bool is_among(const struct languages *languages, uint32_t language)
{
	for (uint32_t i = 0; i < languages->nr; i++)
		if (languages->numbers[i] == language)
			return true;
	return false;
}

static bool is_excluded(const struct load_options *opts, uint32_t language)
{
	return is_among(&opts->excluded, language) || (opts->only.nr && !is_among(&opts->only, language));
}

/*
 * A unit whose language is excluded is read as a guest if other units of the group may refer to
 * its types.
 */
static void read_group_unit(struct loader *l, const struct group_unit *gu, bool guest)
{
	struct unit *u = &l->dw->units[gu->unit], copy;
	struct recs *r = &l->recs;
	uint32_t first = r->nr;
	bool excluded;

	if (guest) {
		copy = unit__unread(u);
		u = &copy;
	}
	l->err = unit__read(l->dw, u, &l->abbrevs);
	if (l->err)
		return;
	excluded = is_excluded(l->opts, u->language);
	if (!guest)
		u->skip = excluded;
	if (!guest && excluded && r->group.nr_own == 1)
		return;
	walk_unit(l, u, gu, guest || excluded);
	if (excluded)
		push(&r->excluded, (struct rec_range){ first, r->nr - first });
}

int loader__read(struct loader *l, uint32_t first, uint32_t nr)
{
	struct recs *r = &l->recs;

	r->nr = r->items.nr = r->named.nr = r->arrays.nr = r->aliases.nr = r->fresh.nr = 0;
	r->dimensions.nr = r->strides.nr = 0;
	r->funcs.nr = r->ranges.nr = r->calls.nr = r->vars.nr = r->tags.nr = r->excluded.nr = 0;
	push(r, (struct rec){});
	push(r, (struct rec){ .kind = REC_ALIAS, .misfit = MISFIT_REFERENCE });
	push(&r->items, (struct item){});
	r->from_end = false;
	r->unknown_calls = 0;
	r->group.dw = l->dw;
	l->err = 0;
	group__begin(&r->group, first, nr);
	if (r->group.size >= REF_INDEX)
		return unit__error(l->dw, &l->dw->units[first], l->dw->units[first].start,
				   "a unit, or units that refer to each other, of more than 2 GiB");
	recs__make_room(r);
	/* guests may add guests, and move the members */
	for (uint32_t i = 0; !l->err && i < r->group.nr; i++) {
		const struct group_unit gu = r->group.array[i];

		read_group_unit(l, &gu, i >= nr);
	}
	return l->err;
}
