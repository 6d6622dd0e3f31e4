// SPDX-License-Identifier: GPL-2.0-only
/* The hot loop: one pass over a group's DIEs, a record for each of interest. */
#include <elf.h>
#include <inttypes.h>
#include <linux/btf.h>

#include "load/params.h"
#include "load/walk_brief.h"
#include "types/fit.h"
#include "util/dwarf.h"
#include "util/grow.h"

static uint8_t int_encoding(uint64_t dwarf)
{
	switch (dwarf) {
	case DW_ATE_boolean:
		return BTF_INT_BOOL;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		return BTF_INT_SIGNED;
	default:
		return 0;
	}
}

/*
 * The kernel takes INTs of 1, 2, 4, 8 and 16 bytes only.  Compilers write odd
 * ones for the steps of an optimised expression; those are no type of the
 * source, and get the name and size that pahole gives them.
 */
static int base_type(struct walk *w, struct rec *rec, const struct die *die)
{
	uint64_t encoding = die__number(die, AT_ENCODING);
	uint64_t size = die__number(die, AT_BYTE_SIZE);
	static const char fake[] = "__SANITIZED_FAKE_INT__";
	int64_t name;

	if (encoding == DW_ATE_float && w->l->opts->floats) {
		if (size != 2 && size != 4 && size != 8 && size != 12 && size != 16)
			rec->encoding = MISFIT_FLOAT;
		rec->kind = BTF_KIND_FLOAT;
		rec->size = size;
		return 0;
	}
	rec->encoding = int_encoding(encoding);
	if (!size || size > 16 || size & (size - 1) || !rec->name) {
		name = strings__add(&w->l->store.strings, fake, sizeof(fake) - 1);
		if (name < 0)
			return name;
		rec->name = name;
		size = 4;
	}
	rec->size = size;
	return 0;
}

static int sized_type(struct walk *w, struct rec *rec, const struct die *die)
{
	uint64_t size = die__number(die, AT_BYTE_SIZE);

	if (die__number(die, AT_DECLARATION)) {
		rec->flags |= TYPE_FORWARD;
		size = 0;
	}
	if (size > UINT32_MAX) {
		rec->encoding = MISFIT_SIZE;
		size = 0;
	}
	rec->size = size;
	if (rec->kind == BTF_KIND_ENUM) {
		/* pahole: an enum that does not say is as wide as an int */
		if (!size)
			rec->size = 4;
		if (size > 4 && w->l->opts->enum64)
			rec->kind = BTF_KIND_ENUM64;
		if (rec->size > 8 || rec->size & (rec->size - 1))
			rec->encoding = MISFIT_ENUM;
	}
	return 0;
}

static int walk_type(struct walk *w, uint8_t kind, uint32_t tag, const struct die *die,
		     struct frame *frame)
{
	int64_t i = walk__new_die_rec(w, kind, die, walk__name(w, die));
	struct rec *rec;
	int err = 0;

	if (unlikely(i < 0))
		return i;
	*frame = (struct frame){ .kind = FRAME_TYPE, .index = i };
	rec = &w->r->recs.array[i];
	switch (kind) {
	case BTF_KIND_INT:
		err = base_type(w, rec, die);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
		err = sized_type(w, rec, die);
		break;
	case REC_ALIAS:
		if (tag != DW_TAG_atomic_type && tag != DW_TAG_packed_type &&
		    tag != DW_TAG_shared_type && tag != DW_TAG_immutable_type)
			rec->ref = REF_VOID;
		break;
	case BTF_KIND_TYPEDEF:
		/* BTF wants a name, which is all that a typedef is */
		if (!rec->name)
			rec->kind = REC_ALIAS;
		break;
	case BTF_KIND_PTR:
	case BTF_KIND_ARRAY:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC_PROTO:
		/* the kernel wants these without a name */
		rec->name = 0;
		break;
	}
	/* sized_type() may have made an ENUM64 of it */
	frame->takes = KIND(rec->kind & 31) | TAKES_ANNOTATIONS;
	return err ?: name__settle(w->l, i);
}

/*
 * A member's place (DWARF 5, 5.7.6).  A bit-field has either the offset of its
 * first bit, or (DWARF 2 and 3) the storage unit's byte offset and size, with
 * bits counted from the most significant end of that unit.
 */
/* Where no member is: it is not constant, or a bit-field that BTF has no words for. */
#define NO_PLACE	UINT64_MAX

static int member_place(struct walk *w, const struct die *die, struct item *item)
{
	uint64_t bits = die__number(die, AT_BIT_SIZE), offset = 0, bytes;
	struct cursor expr;

	if (bits > UINT8_MAX) {
		item->value = NO_PLACE;
		return 0;
	}
	item->bits = bits;
	if (die__has(die, AT_DATA_BIT_OFFSET)) {
		item->value = die__number(die, AT_DATA_BIT_OFFSET);
		return 0;
	}
	if (die__has(die, AT_MEMBER_LOCATION) && die->class[AT_MEMBER_LOCATION] == VALUE_BLOCK) {
		/* DWARF 2: DW_OP_plus_uconst N */
		expr = w->dw->info;
		cursor__skip(&expr, die->value[AT_MEMBER_LOCATION]);
		expr = cursor__sub(&expr, die->len[AT_MEMBER_LOCATION]);
		if (cursor__u8(&expr) != DW_OP_plus_uconst) {
			item->value = NO_PLACE;
			return 0;
		}
		offset = cursor__uleb(&expr);
		if (cursor__failed(&expr))
			return walk__error(w, "a member whose offset is cut off");
	} else {
		offset = die__number(die, AT_MEMBER_LOCATION);
	}
	item->value = offset * 8;
	if (!bits)
		return 0;
	bytes = die__number(die, AT_BYTE_SIZE);
	if (die__has(die, AT_BIT_OFFSET)) {
		if (w->dw->img->big_endian)
			item->value += die__number(die, AT_BIT_OFFSET);
		else if (bytes)
			item->value += bytes * 8 - die__number(die, AT_BIT_OFFSET) - bits;
		else
			item->place = PLACE_FROM_END;
	}
	if (item->place == PLACE_FROM_END) {
		item->value -= die__number(die, AT_BIT_OFFSET) + bits;
		w->r->from_end = true;
	}
	return 0;
}

static int add_item(struct walk *w, const struct frame *parent, struct item item)
{
	return records__add_item(w->r, parent->index, item) < 0 ? -ENOMEM : 0;
}

static int walk_member(struct walk *w, const struct frame *parent, const struct die *die,
		       struct frame *frame)
{
	struct rec *rec = &w->r->recs.array[parent->index];
	struct item item = {};
	int64_t name, ref;

	/* static members of C++ are variables */
	if (die__number(die, AT_EXTERNAL) || die__number(die, AT_DECLARATION))
		return 0;
	name = walk__name(w, die);
	ref = walk__ref(w, die, AT_TYPE);
	if (unlikely(name < 0 || ref < 0))
		return name < 0 ? name : ref;
	item.name = name;
	item.ref = ref;
	*frame = (struct frame){ .kind = FRAME_ITEM, .takes = TAKES_ANNOTATIONS,
				 .index = parent->index, .component = rec->nr_items };
	/* offset and width share a word in BTF if any member is a bit-field */
	if (die__has(die, AT_BIT_SIZE))
		rec->flags |= TYPE_BITFIELDS;
	return member_place(w, die, &item) ?: add_item(w, parent, item);
}

static int walk_enumerator(struct walk *w, const struct frame *parent, const struct die *die)
{
	struct rec *rec = &w->r->recs.array[parent->index];
	uint64_t value = die__number(die, AT_CONST_VALUE);
	int64_t name = walk__name(w, die);

	if (unlikely(name < 0))
		return name;
	if (die__has(die, AT_CONST_VALUE) && die->class[AT_CONST_VALUE] == VALUE_SINT &&
	    (int64_t)value < 0 && w->l->opts->enum64)
		rec->flags |= TYPE_SIGNED;
	return add_item(w, parent, (struct item){ .name = name, .value = value });
}

/* A dimension of an array: its number of elements, 0 if that is not constant. */
static int walk_subrange(struct walk *w, const struct frame *parent, const struct die *die)
{
	uint64_t nr = 0;

	if (die__has(die, AT_COUNT))
		nr = die__number(die, AT_COUNT);
	else if (die__has(die, AT_UPPER_BOUND) && die->class[AT_UPPER_BOUND] != VALUE_BLOCK &&
		 die->class[AT_UPPER_BOUND] != VALUE_REF)
		nr = die__number(die, AT_UPPER_BOUND) - die__number(die, AT_LOWER_BOUND) + 1;
	return walk__dimension(w, parent->index, nr);
}

static int walk_param(struct walk *w, const struct frame *parent, const struct die *die,
		      struct frame *frame)
{
	struct func_rec *func = parent->body ? &w->r->funcs.array[parent->component] : NULL;
	struct rec *rec = &w->r->recs.array[parent->index];
	int64_t name, ref, origin;
	struct item item = {};

	/* BTF cannot represent parameters after "..."; gcc lists parameters there that a clone
	 * of the function no longer has
	 */
	if (rec->flags & TYPE_VARARGS) {
		if (func)
			func->doubts |= DOUBT_OPTIMIZED | DOUBT_REORDERED;
		return 0;
	}
	name = walk__name(w, die);
	ref = walk__ref(w, die, AT_TYPE);
	origin = walk__ref(w, die, AT_ORIGIN);
	if (unlikely(name < 0 || ref < 0 || origin < 0))
		return name < 0 ? name : ref < 0 ? ref : origin;
	item.name = name;
	item.ref = ref;
	item.origin = origin;
	item.die = walk__offset(w, w->off);
	if (func)
		item.facts = param__facts(w->dw, w->u, die, w->r->entries.array[func->entry].start,
					   w->l->opts->proven ? READER_PROOF :
					   w->l->opts->true_signature ? READER_PAHOLE_TRUE :
					   READER_PAHOLE);
	*frame = (struct frame){ .kind = FRAME_ITEM, .takes = TAKES_ANNOTATIONS,
				 .index = parent->index, .component = rec->nr_items };
	return add_item(w, parent, item);
}

/* A call by name; what leads out of the group is none of a function in it. */
static int walk_call(struct walk *w, const struct die *die)
{
	uint64_t at = die->value[AT_ORIGIN];
	struct records *r = w->r;

	if (w->guest)
		return 0;
	if (die->class[AT_ORIGIN] == VALUE_REF_ADDR)
		at = group__offset(&r->group, at);
	else if (die->class[AT_ORIGIN] == VALUE_REF && at < w->len)
		at += w->base;
	else
		return 0;
	return push(&r->calls, at);
}

static inline __attribute__((always_inline))
int walk_decoded(struct walk *w, const struct abbrev *a, const struct die *die,
		 const struct frame *parent, struct frame *frame)
{
	if (a->use == USE_TYPE)
		return walk_type(w, a->kind, a->tag, die, frame);
	switch (a->tag) {
	case DW_TAG_member:
		return walk_member(w, parent, die, frame);
	case DW_TAG_enumerator:
		return walk_enumerator(w, parent, die);
	case DW_TAG_subrange_type:
		return walk_subrange(w, parent, die);
	case DW_TAG_formal_parameter:
		return walk_param(w, parent, die, frame);
	case DW_TAG_unspecified_parameters:
		w->r->recs.array[parent->index].flags |= TYPE_VARARGS;
		return 0;
	case DW_TAG_subprogram:
		return walk__func(w, die, frame);
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		return walk_call(w, die);
	case DW_TAG_variable:
		return walk__var(w, die, frame);
	default: /* DW_TAG_LLVM_annotation */
		return walk__annotation(w, parent, die);
	}
}

/* Handle one DIE that is of interest. */
static int walk_die(struct walk *w, const struct abbrev *a, struct cursor *c,
		    const struct frame *parent, struct frame *frame)
{
	struct die die;
	int err;

	abbrev__take(&w->l->abbrevs, a, c, &die);
	if (unlikely(cursor__failed(c)))
		return walk__error(w, "a DIE that is cut off, or an attribute of DW_FORM_indirect");
	err = walk_decoded(w, a, &die, parent, frame);
	if (unlikely(die__has(&die, AT_ANNOTATION)) && !err)
		err = walk__annotations(w, &die, frame);
	return err;
}

/* Is a DIE worth decoding where it stands? */
static inline bool is_wanted(const struct walk *w, const struct abbrev *a,
			     const struct frame *parent)
{
	switch (a->use) {
	case USE_TYPE:
	case USE_FUNC:
		return true;
	case USE_DECLARATION:
		return w->l->assembler->by_hash.nr;
	case USE_CALL:
		/* who writes no siblings is clang, and what it may do to a function that
		 * it calls itself is of interest (load/signature.c)
		 */
		return w->u->clang && w->l->opts->proven;
	case USE_VAR:
		return parent == &w->l->frames[1];
	case USE_ITEM:
		return a->parents & parent->takes;
	default:
		return false;
	}
}

/*
 * Jump over a DIE and all below it.  The compiler's word is taken for where it
 * ends: inside of an expanded function or a call there are no types.
 */
static int jump_over(struct walk *w, const struct abbrev *a, struct cursor *c)
{
	uint64_t here, to;
	struct die die;

	abbrev__take(&w->l->abbrevs, a, c, &die);
	here = cursor__offset(c) - w->u->start;
	to = die.value[AT_SIBLING];
	if (unlikely(cursor__failed(c) || die.class[AT_SIBLING] != VALUE_REF || to < here))
		return walk__error(w, "a DIE that is cut off, or whose sibling is not behind it");
	cursor__skip(c, to - here);
	return cursor__failed(c) ? walk__error(w, "a sibling past the end of the unit") : 0;
}

/* Read or skip a DIE that is not brief. */
static __attribute__((noinline))
int walk_slow(struct walk *w, const struct abbrev *a, struct cursor *c, struct frame *parent)
{
	parent[1].kind = FRAME_NONE;
	parent[1].takes = 0;
	if (is_wanted(w, a, parent))
		return walk_die(w, a, c, parent, parent + 1);
	abbrev__skip(&w->l->abbrevs, a, c);
	return cursor__failed(c) ? walk__error(w, "a DIE that is cut off") : 0;
}

int walk__unit(struct loader *l, struct unit *u, const struct group_member *member, bool guest)
{
	struct walk w = { .l = l, .r = &l->records, .dw = l->dw, .unit = member->unit,
			  .guest = guest, .by_offset = l->by_offset ? NAME_OFFSET : 0 };
	struct cursor c = unit__cursor(l->dw, u, u->dies), at = c;
	struct frame *frame = l->frames;
	const uint8_t *start = c.p;
	int err;

	w.begin = c.begin;
	w.limit = c.end - sizeof(uint32_t);
	walk__enter(&w, u, member->base);
	/* @at stays in registers, as nothing else has its address */
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
		if (unlikely(!a))
			return unit__error(l->dw, u, start - c.begin, "abbreviation %" PRIu64
					   " is not in the table at 0x%" PRIx64, code, u->abbrevs);
		err = a->way ? walk__brief(&w, a, start, &at, &frame) : 0;
		if (!err) {
			w.off = start - c.begin;
			c.p = at.p;
			err = a->use == USE_TREE ? jump_over(&w, a, &c) : walk_slow(&w, a, &c, frame);
			at.p = c.p;
			if (!err && a->use == USE_TREE)
				continue;
		}
		if (unlikely(err < 0))
			return err;
		if (!a->children) {
			if (frame == l->frames)
				break;
			continue;
		}
		if (unlikely(++frame == l->frames + MAX_DEPTH)) {
			w.off = start - c.begin;
			return walk__error(&w, "DIEs are nested deeper than 4096");
		}
	}
	w.off = start - c.begin;
	return cursor__failed(&at) ? walk__error(&w, "a DIE that is cut off") : 0;
}
