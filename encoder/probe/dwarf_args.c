// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/expr.h"
#include "dwarf/frame.h"
#include "probe/abi.h"
#include "probe/dwarf_args.h"
#include "util/memory.h"
#include "util/msg.h"

/* Limits for chains of entries, and for their depth. */
#define MAX_HOPS	64
#define MAX_DEPTH	4096

/** struct open_unit - a unit, and its abbreviations */
struct open_unit {
	struct unit	*unit;
	struct abbrevs	abbrevs;
};

/** struct dwarf_body - @die: offset of a subprogram's entry; @address: where its code starts */
struct dwarf_body {
	uint64_t	address;
	uint64_t	die;
};

/** struct unit_bodies - the functions of a unit: @nr, starting at number @first; @is_read */
struct unit_bodies {
	uint32_t	first, nr;
	bool		is_read;
};

/**
 * struct unit_code - contiguous code of a unit
 * @deepest:	the highest @end of it and those before it
 */
struct unit_code {
	uint64_t	start, end;
	uint64_t	deepest;
	uint32_t	unit;
};

/**
 * struct dwarf_args - the DWARF of an image
 * @near, @far:	the units of the function, and of another entry
 * @by_name:	ids of @btf with names, by kind and name
 * @code:	of all units, by address, once it was needed
 * @of_unit:	for each unit, which of @bodies are its functions, by address
 * @frames:	once they were needed
 */
struct dwarf_args {
	struct dwarf		*dw;
	const struct btf_data	*btf;
	struct open_unit	near, far;
	VECTOR(uint32_t)	by_name;
	VECTOR(struct unit_code) code;
	VECTOR(struct dwarf_body) bodies;
	struct unit_bodies	*of_unit;
	struct frames		*frames;
};

/* --- entries ------------------------------------------------------------------------ */

/**
 * struct read_die - an entry that was read
 * @after:	its children, or the next entry
 */
struct read_die {
	const struct open_unit	*in;
	const struct abbrev	*abbrev;
	struct cursor		after;
	struct die		die;
};

static int open_unit_at(struct dwarf_args *d, struct open_unit *slot, uint64_t offset)
{
	uint32_t unit = dwarf__unit_at(d->dw, offset);

	if (unit >= d->dw->nr_units || offset < d->dw->units[unit].dies)
		return -ENOENT;
	slot->unit = &d->dw->units[unit];
	/* the limit is for reading all units */
	slot->abbrevs.work = 0;
	return unit__read(d->dw, slot->unit, &slot->abbrevs);
}

static bool has_offset(const struct open_unit *slot, uint64_t offset)
{
	return slot->unit && offset >= slot->unit->dies && offset < slot->unit->end;
}

/* Read an entry; it is valid until one in a third unit is read. */
static int read_entry(struct dwarf_args *d, uint64_t offset, struct read_die *ret)
{
	struct open_unit *slot = has_offset(&d->near, offset) ? &d->near : &d->far;
	int err = has_offset(slot, offset) ? 0 : open_unit_at(d, slot, offset);

	if (err)
		return err;
	ret->in = slot;
	ret->after = unit__cursor(d->dw, slot->unit, offset);
	ret->abbrev = abbrevs__find(&slot->abbrevs, cursor__uleb(&ret->after));
	if (!ret->abbrev)
		return -ENOENT;
	abbrev__read(&slot->abbrevs, ret->abbrev, &ret->after, &ret->die);
	return cursor__failed(&ret->after) ? -ENOENT : 0;
}

/* Skip an entry's attributes, with its children. */
static bool skip_tree(const struct open_unit *in, struct cursor *c)
{
	unsigned int depth = 0;

	do {
		uint64_t code = cursor__uleb(c);
		const struct abbrev *a = code ? abbrevs__find(&in->abbrevs, code) : NULL;

		if (code && !a)
			return false;
		if (!code) {
			if (!depth)
				return false;
			depth--;
			continue;
		}
		abbrev__skip(&in->abbrevs, a, c);
		depth += a->children;
		if (depth > MAX_DEPTH)
			return false;
	} while (depth && !cursor__failed(c));
	return !cursor__failed(c);
}

/**
 * struct children - the children of an entry, one after the other
 * @after:	the next child
 * @at, @tag:	of this child; @end: of its own children
 */
struct children {
	const struct open_unit	*in;
	struct cursor		after;
	uint64_t		at, end;
	enum dw_tag		tag;
};

static int begin_children(struct dwarf_args *d, uint64_t offset, struct children *ret)
{
	struct read_die e;
	int err = read_entry(d, offset, &e);

	*ret = (struct children){};
	if (!err && e.abbrev->children)
		*ret = (struct children){ .in = e.in, .after = e.after };
	return err;
}

/* Go to the next child.  Return: false if there is none, or it is malformed. */
static bool next_child(struct children *c)
{
	struct cursor child = c->after;
	uint64_t code = cursor__left(&child) ? cursor__uleb(&child) : 0;

	c->at = cursor__offset(&c->after);
	if (!code || !skip_tree(c->in, &c->after))
		return false;
	c->tag = abbrevs__find(&c->in->abbrevs, code)->tag;
	c->end = cursor__offset(&c->after);
	return true;
}

/* --- types --------------------------------------------------------------------------- */

static unsigned int kind_of(const struct btf_data *btf, uint32_t id)
{
	return BTF_INFO_KIND(btf_data__type(btf, id)->info);
}

static int compare_ids(const void *x, const void *y, void *arg)
{
	const struct btf_data *btf = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return cmp_int(kind_of(btf, a), kind_of(btf, b)) ?:
	       strcmp(btf_data__name(btf, a), btf_data__name(btf, b)) ?: cmp_int(a, b);
}

static void index_types(struct dwarf_args *d)
{
	for (uint32_t id = d->btf->first_id; id < btf_data__end_id(d->btf); id++)
		if (btf_kind__is_type(kind_of(d->btf, id)) && *btf_data__name(d->btf, id))
			push(&d->by_name, id);
	if (d->by_name.nr)
		qsort_r(d->by_name.array, d->by_name.nr, sizeof(*d->by_name.array), compare_ids,
			(void *)d->btf);
}

/* Return: the only type with this kind, name and size (0: any); 0 if there is none, or several. */
static uint32_t find_type(const struct dwarf_args *d, unsigned int kind, const char *name,
			  uint64_t size)
{
	const uint32_t *ids = d->by_name.array;
	uint32_t ret = 0, i;

	i = first_not_before(k, d->by_name.nr, (cmp_int(kind_of(d->btf, ids[k]), kind) ?:
						strcmp(btf_data__name(d->btf, ids[k]), name)) < 0);
	for (; i < d->by_name.nr && kind_of(d->btf, ids[i]) == kind &&
	       !strcmp(btf_data__name(d->btf, ids[i]), name); i++) {
		if (size && arg_type__size(arg_type__of(d->btf, ids[i])) != size)
			continue;
		if (ret)
			return 0;
		ret = ids[i];
	}
	return ret;
}

static unsigned int kind_of_tag(enum dw_tag tag)
{
	switch (tag) {
	case DW_TAG_base_type:
		return BTF_KIND_INT;
	case DW_TAG_typedef:
		return BTF_KIND_TYPEDEF;
	case DW_TAG_structure_type:
		return BTF_KIND_STRUCT;
	case DW_TAG_union_type:
		return BTF_KIND_UNION;
	case DW_TAG_enumeration_type:
		return BTF_KIND_ENUM;
	default:
		return BTF_KIND_UNKN;
	}
}

/*
 * Find the type of an entry in BTF.  If BTF does not have exactly one with its name, a pointer to
 * it is a "void *", and other types are unknown.
 */
static struct arg_type type_at(struct dwarf_args *d, uint64_t offset)
{
	struct arg_type type = { .btf = d->btf };

	for (int i = 0; i < MAX_HOPS && offset; i++) {
		unsigned int kind;
		struct read_die e;
		const char *name;
		uint32_t len;

		if (read_entry(d, offset, &e))
			break;
		name = unit__string(d->dw, e.in->unit, &e.die, AT_NAME, &len);
		kind = kind_of_tag(e.abbrev->tag);
		if (kind && name)
			type.id = find_type(d, kind, name, die__number(&e.die, AT_BYTE_SIZE));
		if (kind == BTF_KIND_ENUM && name && !type.id)
			type.id = find_type(d, BTF_KIND_ENUM64, name, 0);
		if (type.id || (kind && kind != BTF_KIND_TYPEDEF))
			return type.id || type.pointers ? type : (struct arg_type){};
		switch (e.abbrev->tag) {
		case DW_TAG_pointer_type:
			if (type.pointers == MAX_HOPS)
				return (struct arg_type){};
			type.pointers++;
			break;
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			break;
		default:
			return type.pointers ? type : (struct arg_type){};
		}
		offset = unit__target(e.in->unit, &e.die, AT_TYPE);
	}
	return type.pointers ? type : (struct arg_type){};
}

/* Get name and type of a variable, also from the entries that it refers to. */
static char *describe_param(struct dwarf_args *d, uint64_t die, struct arg_type *type)
{
	uint64_t type_die = 0;
	char *name = NULL;

	for (int i = 0; i < MAX_HOPS && die && (!name || !type_die); i++) {
		const char *text;
		struct read_die e;
		uint32_t len;

		if (read_entry(d, die, &e))
			break;
		text = unit__string(d->dw, e.in->unit, &e.die, AT_NAME, &len);
		if (!name && text)
			name = xstrdup(text);
		type_die = type_die ?: unit__target(e.in->unit, &e.die, AT_TYPE);
		die = unit__target(e.in->unit, &e.die, AT_ORIGIN) ?:
		      unit__target(e.in->unit, &e.die, AT_SPECIFICATION);
	}
	*type = type_at(d, type_die);
	return name ?: xstrdup("");
}

/* --- places -------------------------------------------------------------------------- */

/**
 * struct spot - an instruction
 * @body:	the entry of the function that contains it
 * @call:	the entry of the inlined call, or 0
 * @address:	as DWARF has it
 * @view:	of the instruction, if @is_start: the function, or inlined call, starts with it
 * @frame:	the expression of DW_AT_frame_base of the body, @body_unit
 * @cfa:	the canonical frame address there, if @has_cfa
 * @on_entry:	the same where the function is entered, relative to the stack pointer; if @has_abi
 */
struct spot {
	uint64_t		body, call;
	uint64_t		address;
	uint64_t		entry;
	uint64_t		view;
	struct cursor		frame;
	const struct unit	*body_unit;
	struct cfa		cfa, on_entry;
	uint16_t		machine;
	bool			has_abi;
	bool			is_start;
	bool			has_frame;
	bool			has_cfa;
};

static const char unknown_frame[] = "it is in the frame, whose address is not known here";

/* Find the canonical frame address; where a function is entered, each machine has its own. */
static void find_cfa(struct dwarf_args *d, struct spot *spot)
{
	if (!d->frames)
		d->frames = frames__open(d->dw);
	spot->has_abi = abi__frame_on_entry(spot->machine, &spot->on_entry.reg, &spot->on_entry.offset);
	spot->has_cfa = frames__find_cfa(d->frames, spot->address, &spot->cfa);
	if (spot->has_cfa || spot->address != spot->entry || !spot->has_abi)
		return;
	spot->has_cfa = true;
	spot->cfa = spot->on_entry;
}

/*
 * Test whether the function has set the register that its frame is relative to: a frame pointer,
 * or the stack pointer, which is relative to the whole frame.
 */
static bool has_set_frame(const struct spot *spot, uint32_t reg)
{
	if (!spot->has_cfa || spot->cfa.reg != reg || !spot->has_abi)
		return false;
	return reg != spot->on_entry.reg || spot->cfa.offset == spot->cfa.deepest;
}

/*
 * Test whether the function will still set a register that leads to its frame, so that a location
 * that DWARF has for all of the function does not hold yet.  On entry, these are all registers but
 * those of arguments.
 */
static bool will_set(const struct spot *spot, uint32_t reg)
{
	uint32_t sp = spot->on_entry.reg;

	if (!spot->has_abi || has_set_frame(spot, reg))
		return false;
	if (spot->address == spot->entry)
		return abi__arg_index(spot->machine, reg) < 0;
	return reg == sp && !(spot->has_cfa && spot->cfa.reg != sp);
}

/* Make a place relative to the frame relative to a register. */
static const char *find_frame(struct dwarf_args *d, const struct spot *spot, struct expr_value *v)
{
	struct expr_value frame;

	if (v->base == EXPR_BASE_FRAME) {
		if (!spot->has_frame ||
		    expr__eval(d->dw, spot->body_unit, spot->frame, &frame))
			return unknown_frame;
		if (frame.kind == EXPR_REGISTER)
			frame.base = EXPR_BASE_REGISTER;
		else if (frame.kind != EXPR_MEMORY)
			return unknown_frame;
		if (frame.base == EXPR_BASE_REGISTER ? !has_set_frame(spot, frame.reg) :
						       frame.base != EXPR_BASE_CFA)
			return unknown_frame;
		v->base = frame.base;
		v->reg = frame.reg;
		v->offset += frame.offset;
	}
	if (v->base == EXPR_BASE_CFA && spot->has_cfa) {
		v->base = EXPR_BASE_REGISTER;
		v->reg = spot->cfa.reg;
		v->offset += spot->cfa.offset;
	}
	return v->base == EXPR_BASE_REGISTER ? NULL : unknown_frame;
}

/*
 * Test for memory that a function gets from its caller: the frame is below the canonical frame
 * address, except for the back chain and saved registers of some machines, which contain no
 * arguments.
 */
static bool is_callers(const struct spot *spot, const struct expr_value *v)
{
	return spot->has_cfa && v->reg == spot->cfa.reg &&
	       (int64_t)(v->offset - spot->cfa.offset) >= 0;
}

/*
 * Test for memory that may be in the frame. After the entry, this is memory relative to any
 * register: frame pointer, stack pointer, and a third one if the function aligns its frame.
 */
static bool may_be_frame(const struct spot *spot, const struct expr_value *v)
{
	return spot->address != spot->entry || !spot->has_abi || v->reg == spot->on_entry.reg;
}

/* Test for a place that DWARF describes relative to the stack pointer itself. */
static bool is_stack(const struct spot *spot, const struct expr_value *v)
{
	return (v->kind == EXPR_MEMORY || v->kind == EXPR_COMPUTED) && v->base == EXPR_BASE_REGISTER &&
	       spot->has_abi && v->reg == spot->on_entry.reg;
}

static const char unknown_start[] = "it is in the frame, but DWARF does not record from which instruction on";

static const char unknown_set[] = "it is in a register, but DWARF does not record from which instruction on";

static const char unknown_bits[] = "DWARF does not record whether its upper bits are in the register";

static const char unknown_change[] = "DWARF may describe another value of it";

/*
 * Check a constant.  clang does not distinguish statements without code: where a function, or an
 * inlined call, starts, the constant may be assigned to the parameter there.  clang also computes
 * values from operands that it replaced by 0.
 */
static struct arg_place place_constant(const struct spot *spot, const struct unit *u,
				       struct arg_type type, int64_t value)
{
	if (u->clang && (spot->is_start || spot->address == spot->entry))
		return arg_place__none(unknown_change);
	if (arg_type__size(type) > sizeof(value))
		return arg_place__none("DWARF has only a part of the constant");
	return (struct arg_place){ .how = ARG_CONSTANT, .add = value };
}

/* Test for a place in registers in which a function gets no arguments: clang omits when it sets them. */
static bool is_set_later(const struct spot *spot, const struct arg_place *place)
{
	for (int i = 0; place->how == ARG_REGISTER && i < place->nr_regs; i++)
		if (abi__arg_index(spot->machine, place->regs[i]) < 0)
			return true;
	return false;
}

/*
 * @always:	the location is the only one that DWARF has.  The memory of a variable may be its
 *		location before the variable is stored.
 */
static struct arg_place place_value(struct dwarf_args *d, const struct spot *spot,
				    struct expr_value *v, bool always)
{
	struct arg_place place = { .nr_regs = 1 };
	bool is_direct = v->base == EXPR_BASE_REGISTER;
	const char *why;

	switch (v->kind) {
	case EXPR_CONSTANT:
		if (!v->is_value)
			return arg_place__none("it is at a fixed address");
		return (struct arg_place){ .how = ARG_CONSTANT, .add = v->offset };
	case EXPR_REGISTER:
		if (v->reg > UINT8_MAX || !abi__register(spot->machine, v->reg))
			return arg_place__none("it is in a register that probes cannot read");
		place.how = ARG_REGISTER;
		place.regs[0] = v->reg;
		return place;
	case EXPR_MEMORY:
	case EXPR_COMPUTED:
		if (v->base == EXPR_BASE_ENTRY)
			return arg_place__none("it is a value that a register had when the function was entered");
		if (v->base == EXPR_BASE_IMAGE)
			return arg_place__none("it is an address in the image");
		why = is_direct ? NULL : find_frame(d, spot, v);
		if (why)
			return arg_place__none(why);
		if (v->reg > UINT8_MAX || !abi__register(spot->machine, v->reg))
			return arg_place__none("it is in a register that probes cannot read");
		if (always && is_direct && will_set(spot, v->reg))
			return arg_place__none(unknown_frame);
		if (v->kind == EXPR_MEMORY && always && may_be_frame(spot, v) &&
		    !is_callers(spot, v))
			return arg_place__none(unknown_start);
		place.regs[0] = v->reg;
		place.how = v->kind == EXPR_MEMORY ? ARG_MEMORY : ARG_REGISTER;
		if (v->kind == EXPR_MEMORY) {
			place.nr_reads = 1;
			place.offsets[0] = v->offset;
		} else {
			place.add = v->offset;
		}
		return place;
	case EXPR_ADDRESS:
		return arg_place__none("it is at a fixed address in the image");
	case EXPR_ENTRY_VALUE:
		return arg_place__none("it is a value that a register had when the function was entered");
	case EXPR_PIECES:
		return arg_place__none("it is in pieces");
	case EXPR_EMPTY:
		return arg_place__none("it was optimized out");
	default:
		return arg_place__none("abtf does not understand DWARF's expression");
	}
}

/* A struct in registers, of which all but the last one contain eight bytes, or a constant */
static struct arg_place place_pieces(struct dwarf_args *d, const struct spot *spot,
				     const struct unit *u, struct cursor expr, uint64_t size)
{
	struct arg_place place = { .how = ARG_REGISTER };
	uint64_t left = size <= 64 ? 8 * size : 0;
	struct expr_value v;

	while (left) {
		if (place.nr_regs == MAX_ARG_REGISTERS || expr__next_piece(d->dw, u, &expr, &v) ||
		    v.bits != (left < 64 ? left : 64) || v.first_bit)
			break;
		left -= v.bits;
		if (v.kind == EXPR_CONSTANT && v.is_value && !place.nr_regs && !left &&
		    !cursor__left(&expr))
			return (struct arg_place){ .how = ARG_CONSTANT, .add = v.offset };
		if (v.kind != EXPR_REGISTER || v.reg > UINT8_MAX ||
		    !abi__register(spot->machine, v.reg))
			break;
		place.regs[place.nr_regs++] = v.reg;
		if (!left && !cursor__left(&expr))
			return place;
	}
	return arg_place__none("it is in pieces");
}

/*
 * Read the view numbers of a location's range, which gcc writes one pair for each, apart from the
 * list.  Return: false if they are cut off.
 */
static bool read_views(struct cursor *views, uint64_t *first, uint64_t *end)
{
	*first = *end = 0;
	if (!views->p)
		return true;
	*first = cursor__uleb(views);
	*end = cursor__uleb(views);
	return !cursor__failed(views);
}

/*
 * Test whether a location holds at an instruction.  Several statements may have no code, and are
 * views of the same instruction: where a function starts, the location is wanted that holds before
 * it changes its parameters.
 */
static bool holds_at(const struct spot *spot, const struct code_range *range, uint64_t first,
		     uint64_t end)
{
	if (!spot->is_start)
		return range->start <= spot->address && spot->address < range->end;
	return (range->start < spot->address ||
		(range->start == spot->address && first <= spot->view)) &&
	       (spot->address < range->end ||
		(spot->address == range->end && spot->view < end));
}

static const char bad_list[] = "DWARF's location list is malformed";
static const char no_location[] = "DWARF has no location of it at this instruction";

/**
 * struct location - where a variable is at an instruction
 * @always:	it is the only location that DWARF has
 * @from_entry:	it is for all instructions from the function's first one on
 */
struct location {
	struct cursor	expr;
	bool		always;
	bool		from_entry;
};

/* Find the location of a variable.  Return: NULL, or why there is none. */
static const char *find_location(struct dwarf_args *d, const struct spot *spot,
				 const struct read_die *e, struct location *ret)
{
	const struct unit *u = e->in->unit;
	const char *reason = no_location;
	struct cursor expr, views = {};
	struct code_range range;
	uint64_t first, end;
	struct list list;

	if (!die__has(&e->die, AT_LOCATION))
		return no_location;
	if (e->die.class[AT_LOCATION] == VALUE_BLOCK) {
		*ret = (struct location){ dwarf__block(d->dw, &e->die, AT_LOCATION), true,
					  spot->entry != UINT64_MAX };
		return NULL;
	}
	if (!list__begin(&list, d->dw, u, &e->die, AT_LOCATION))
		return bad_list;
	if (die__has(&e->die, AT_LOCATION_VIEWS)) {
		views = u->version < 5 ? d->dw->loc : d->dw->loclists;
		cursor__skip(&views, e->die.value[AT_LOCATION_VIEWS]);
	}
	while (list__next(&list, &range, &expr)) {
		if (!read_views(&views, &first, &end))
			return bad_list;
		if (!holds_at(spot, &range, first, end))
			continue;
		if (!reason)
			return "DWARF has several locations of it at this instruction";
		reason = NULL;
		*ret = (struct location){ expr, false, range.start == spot->entry };
	}
	return reason;
}

/* Test whether a variable has a location that is not a constant. */
static bool is_variable(struct dwarf_args *d, const struct read_die *e)
{
	struct code_range range;
	struct expr_value v;
	struct cursor expr;
	struct list list;

	if (list__begin(&list, d->dw, e->in->unit, &e->die, AT_LOCATION))
		while (list__next(&list, &range, &expr))
			if (expr__eval(d->dw, e->in->unit, expr, &v) || v.kind != EXPR_CONSTANT)
				return true;
	return false;
}

/* Test for a variable of which an extended value, of @size bytes, has the same location. */
static bool is_narrower(struct dwarf_args *d, const struct spot *spot, const struct read_die *e,
			uint64_t at, const struct expr_value *value, uint64_t size)
{
	struct arg_type type = {};
	struct location where;
	struct expr_value v;

	if (find_location(d, spot, e, &where))
		return false;
	do {
		if (expr__next_piece(d->dw, e->in->unit, &where.expr, &v))
			return false;
		if (v.kind != value->kind || v.base != value->base || v.reg != value->reg ||
		    v.offset != value->offset)
			continue;
		if (!v.is_piece) {
			free(describe_param(d, at, &type));
			v.bits = type.btf ? 8 * arg_type__size(type) : 0;
		}
		if (v.bits && v.bits < 8 * size)
			return true;
	} while (cursor__left(&where.expr));
	return false;
}

/*
 * Test whether a variable of the calling functions has the same location, but fewer bytes.  clang does
 * not describe that it extends a value, and omits to if nothing depends on the upper bits.
 */
static bool may_lack_bits(struct dwarf_args *d, const struct spot *spot,
			  const struct expr_value *value, uint64_t size)
{
	for (uint64_t scope = spot->body, next; scope; scope = next) {
		struct children c;
		struct read_die e;

		next = 0;
		begin_children(d, scope, &c);
		while (next_child(&c) && (c.at <= spot->call || scope == spot->call)) {
			if ((c.tag == DW_TAG_formal_parameter || c.tag == DW_TAG_variable) &&
			    !read_entry(d, c.at, &e) && is_narrower(d, spot, &e, c.at, value, size))
				return true;
			if (c.at <= spot->call && c.end > spot->call)
				next = c.at;
		}
	}
	return false;
}

static struct arg_place place_expr(struct dwarf_args *d, const struct spot *spot,
				   const struct unit *u, const struct location *where,
				   struct arg_type type)
{
	bool is_struct = kind__is_struct(arg_type__kind(type));
	struct arg_place place;
	struct expr_value v;

	if (expr__eval(d->dw, u, where->expr, &v))
		return arg_place__none("DWARF's expression is malformed");
	if (v.kind == EXPR_PIECES)
		place = place_pieces(d, spot, u, where->expr, arg_type__size(type));
	else if (v.is_piece)
		return arg_place__none("a part of it has no location");
	/* clang's offsets from the stack pointer are for the whole frame, also in a location list */
	else if (u->clang && is_stack(spot, &v) && will_set(spot, v.reg))
		return arg_place__none(unknown_frame);
	else
		place = place_value(d, spot, &v, where->always);
	/*
	 * gcc does not track values in several registers, nor volatile ones: their only location is the place
	 * that it chose.  Others have one if they are in the same place in all of a function.
	 */
	if (where->always && (u->untracked || (!u->clang && (spot->call || v.kind == EXPR_PIECES))) &&
	    place.how == ARG_REGISTER && v.kind != EXPR_COMPUTED)
		return arg_place__none(unknown_set);
	if (u->clang && where->from_entry && v.kind != EXPR_COMPUTED && is_set_later(spot, &place))
		return arg_place__none(unknown_set);
	/*
	 * gcc does not track all changes of a struct, or of several registers: calls may change those of an
	 * unused parameter, and where branches meet, it forgets a change that only one branch makes.  At an
	 * inlined call, clang may describe what it first assigns to a struct.
	 */
	if (spot->address != spot->entry && place.how != ARG_MEMORY && place.how != ARG_UNAVAILABLE &&
	    (u->clang ? spot->call && v.kind == EXPR_PIECES : is_struct || v.kind == EXPR_PIECES))
		return arg_place__none(unknown_change);
	/* a number of 16 bytes may be in two places, of which compilers describe the one in memory */
	if (place.how == ARG_MEMORY && !where->always && !is_struct && arg_type__size(type) > 8)
		return arg_place__none("DWARF may describe a part of it");
	/* clang may omit to store a struct that it passes, if the function does not use it */
	if (u->clang && is_struct && place.how == ARG_MEMORY && is_callers(spot, &v))
		return arg_place__none("clang may not have stored it");
	if (place.how == ARG_CONSTANT)
		return place_constant(spot, u, type, place.add);
	if (u->clang && spot->call && place.how != ARG_UNAVAILABLE &&
	    may_lack_bits(d, spot, &v, arg_type__size(type)))
		return arg_place__none(unknown_bits);
	return place;
}

static const char doubt[] = "it may be another value: clang's DWARF lacks changes of bits that no code uses, and values that are replaced before any instruction";

/*
 * Test whether clang may have changed a value since it was passed.  A location since the entry of a
 * function is of the value that it got.
 */
static bool may_differ(const struct spot *spot, const struct unit *u, const struct location *where,
		       const struct arg_place *place)
{
	return u->clang && spot->address != spot->entry && !where->from_entry &&
	       (place->how == ARG_REGISTER || place->how == ARG_MEMORY);
}

static struct arg_place place_entry(struct dwarf_args *d, const struct spot *spot,
				    const struct read_die *e, struct arg_type type)
{
	const struct unit *u = e->in->unit;
	struct arg_place place;
	struct location where;
	const char *why;

	if (die__has(&e->die, AT_CONST_VALUE)) {
		if (e->die.class[AT_CONST_VALUE] != VALUE_UINT &&
		    e->die.class[AT_CONST_VALUE] != VALUE_SINT)
			return arg_place__none("it is a constant that is not a number");
		/* the function may assign it, and another value, which was optimized out, is passed */
		return spot->address == spot->entry ? arg_place__none(unknown_change) :
			place_constant(spot, u, type, e->die.value[AT_CONST_VALUE]);
	}
	why = find_location(d, spot, e, &where);
	if (why)
		return arg_place__none(why);
	place = place_expr(d, spot, u, &where, type);
	/* gcc merges equal code for a constant and for another value, and keeps one of the locations */
	if (place.how == ARG_CONSTANT && spot->call && !where.always && is_variable(d, e))
		return arg_place__none(unknown_change);
	if (may_differ(spot, u, &where, &place))
		place.reason = doubt;
	return place;
}

/* --- functions ------------------------------------------------------------------------ */

/** struct param_die - a parameter; @origin: of the abstract function, 0: none */
struct param_die {
	uint64_t	die;
	uint64_t	origin;
};

/** struct param_dies - parameters; @is_variable: "..." follows */
struct param_dies {
	VECTOR(struct param_die);
	bool		is_variable;
};

/* Find the parameters of the function at an offset. */
static int find_params(struct dwarf_args *d, uint64_t offset, struct param_dies *ret)
{
	struct children c;
	struct read_die e;
	int err = begin_children(d, offset, &c);

	while (next_child(&c)) {
		ret->is_variable |= c.tag == DW_TAG_unspecified_parameters;
		if (c.tag == DW_TAG_formal_parameter && ret->nr < MAX_ARG_PARAMS &&
		    !read_entry(d, c.at, &e))
			push(ret, (struct param_die){ c.at, unit__target(e.in->unit, &e.die, AT_ORIGIN) });
	}
	return err;
}

/* Test whether all registers of a parameter are before those of the next ones. */
static bool is_ordered(const struct arg_list *list, const struct arg_place *x,
		       const struct arg_place *y)
{
	if (x->how != ARG_REGISTER || y->how != ARG_REGISTER)
		return true;
	for (int i = 0; i < x->nr_regs; i++)
		for (int k = 0; k < y->nr_regs; k++)
			if (abi__arg_index(list->machine, x->regs[i]) >=
			    abi__arg_index(list->machine, y->regs[k]))
				return false;
	return true;
}

/*
 * Registers of arguments are in the order of the parameters, also in clones.  clang's location of one
 * that is not is where the function assigns it, from another parameter.
 */
static void omit_disordered(struct arg_list *list)
{
	struct args *params = &list->params;

	for_each(x, params)
		for (struct arg *y = x + 1; y < params->array + params->nr; y++)
			if (!is_ordered(list, &x->root_place, &y->root_place))
				x->place = y->place = arg_place__none(unknown_change);
	for_each(param, params)
		param->root_place = param->place;
}

static int add_params(struct dwarf_args *d, uint64_t die, const struct spot *spot,
		      struct arg_list *list)
{
	struct param_dies own = {}, all = {};
	bool is_entry = spot->address == spot->entry;
	uint64_t origin;
	struct read_die e;
	int err = read_entry(d, die, &e);

	if (err)
		return err;
	origin = unit__target(e.in->unit, &e.die, AT_ORIGIN);
	err = find_params(d, die, &own) ?: find_params(d, origin ?: die, &all);
	for_each(param, &all) {
		struct arg_place place = arg_place__none(no_location);
		struct arg_type type;
		uint32_t nr = 0;
		char *name __cleanup(free_pointer) = describe_param(d, param->die, &type);

		for_each(concrete, &own) {
			if (concrete->die != param->die && concrete->origin != param->die)
				continue;
			if (read_entry(d, concrete->die, &e))
				continue;
			place = nr++ ? arg_place__none("DWARF has several entries of it") :
				       place_entry(d, spot, &e, type);
		}
		if (place.how != ARG_UNAVAILABLE && !type.btf)
			place = arg_place__none("its type was not found in BTF");
		else if (place.how == ARG_REGISTER && arg_type__size(type) > 8 * place.nr_regs)
			place = arg_place__none("it is not in one register");
		arg_list__add(list, name, type, place);
	}
	if (is_entry)
		omit_disordered(list);
	if (all.is_variable)
		arg_list__add_variable(list);
	free(own.array);
	free(all.array);
	return err == -ENOENT ? 0 : err;
}

/* Return: an address as DWARF has it. */
static uint64_t dwarf_address(const struct dwarf_args *d, uint32_t section, uint64_t offset)
{
	return d->dw->relocator ? relocator__address(d->dw->relocator, section, offset) : offset;
}

/* @start: offset of the entry of the function, or inlined call, that starts there; 0: none does */
static int set_spot(struct dwarf_args *d, uint64_t body, uint64_t start, uint64_t address,
		    uint64_t entry, const struct arg_list *list, struct spot *ret)
{
	struct read_die e;
	int err = open_unit_at(d, &d->near, body) ?: read_entry(d, body, &e);

	if (err)
		return err;
	*ret = (struct spot){ .address = address, .entry = entry, .machine = list->machine,
			      .body_unit = e.in->unit };
	ret->has_frame = die__has(&e.die, AT_FRAME_BASE) &&
			 e.die.class[AT_FRAME_BASE] == VALUE_BLOCK;
	if (ret->has_frame)
		ret->frame = dwarf__block(d->dw, &e.die, AT_FRAME_BASE);
	find_cfa(d, ret);
	ret->is_start = start;
	err = start ? read_entry(d, start, &e) : 0;
	if (start && !err)
		ret->view = die__number(&e.die, AT_ENTRY_VIEW);
	return err;
}

int dwarf_args__at_call(struct dwarf_args *d, uint64_t die, uint64_t body, uint32_t section,
			uint64_t address, struct arg_list *list)
{
	struct spot spot;
	int err = set_spot(d, body, die, dwarf_address(d, section, address), UINT64_MAX, list,
			   &spot);

	spot.body = body;
	spot.call = die;
	return err ? 0 : add_params(d, die, &spot, list);
}

static int compare_bodies(const void *x, const void *y)
{
	const struct dwarf_body *a = x, *b = y;

	return cmp_int(a->address, b->address) ?: cmp_int(a->die, b->die);
}

/* Find the functions of a unit that have code. */
static void read_bodies(struct dwarf_args *d, uint32_t unit)
{
	struct unit_bodies *bodies = &d->of_unit[unit];
	struct code_ranges entries = {};
	struct children c;
	struct read_die e;

	if (bodies->is_read)
		return;
	*bodies = (struct unit_bodies){ .first = d->bodies.nr, .is_read = true };
	if (open_unit_at(d, &d->far, d->dw->units[unit].dies) ||
	    begin_children(d, d->dw->units[unit].dies, &c))
		return;
	while (next_child(&c)) {
		if (c.tag != DW_TAG_subprogram || read_entry(d, c.at, &e))
			continue;
		entries.nr = 0;
		unit__add_entries(d->dw, c.in->unit, &e.die, &entries);
		for_each(entry, &entries)
			push(&d->bodies, (struct dwarf_body){ entry->start, c.at });
	}
	free(entries.array);
	bodies->nr = d->bodies.nr - bodies->first;
	sort_array(d->bodies.array + bodies->first, bodies->nr, sizeof(*d->bodies.array),
		   compare_bodies);
}

static int compare_code(const void *x, const void *y)
{
	const struct unit_code *a = x, *b = y;

	return cmp_int(a->start, b->start) ?: cmp_int(a->end, b->end) ?: cmp_int(a->unit, b->unit);
}

/* Find which code is in which unit; the functions of most units need not be read. */
static void index_code(struct dwarf_args *d)
{
	struct code_ranges ranges = {};
	uint64_t deepest = 0;

	d->of_unit = xcalloc(d->dw->nr_units, sizeof(*d->of_unit));
	for (uint32_t unit = 0; unit < d->dw->nr_units; unit++) {
		struct read_die e;

		ranges.nr = 0;
		if (open_unit_at(d, &d->far, d->dw->units[unit].dies) ||
		    read_entry(d, d->dw->units[unit].dies, &e))
			continue;
		if (!unit__add_code(d->dw, e.in->unit, &e.die, &ranges)) {
			ranges.nr = 0;
			read_bodies(d, unit);
			for (uint32_t i = 0; i < d->of_unit[unit].nr; i++) {
				uint64_t at = d->bodies.array[d->of_unit[unit].first + i].address;

				push(&ranges, (struct code_range){ at, at + 1 });
			}
		}
		for_each(range, &ranges)
			push(&d->code, (struct unit_code){ range->start, range->end, 0, unit });
	}
	vector__sort(&d->code, compare_code);
	for_each(code, &d->code) {
		deepest = code->end > deepest ? code->end : deepest;
		code->deepest = deepest;
	}
	free(ranges.array);
}

/* Return: the entry of the only function that starts at an address, or 0. */
static uint64_t find_body(struct dwarf_args *d, uint64_t address)
{
	uint64_t ret = 0;
	uint32_t i, k;

	if (!d->of_unit)
		index_code(d);
	i = first_not_before(m, d->code.nr, d->code.array[m].start <= address);
	while (i-- && d->code.array[i].deepest > address) {
		const struct unit_bodies *of = &d->of_unit[d->code.array[i].unit];
		const struct dwarf_body *bodies;

		if (d->code.array[i].end <= address)
			continue;
		read_bodies(d, d->code.array[i].unit);
		bodies = d->bodies.array + of->first;
		k = first_not_before(m, of->nr, bodies[m].address < address);
		if (k == of->nr || bodies[k].address != address || bodies[k].die == ret)
			continue;
		if (ret || (k + 1 < of->nr && bodies[k + 1].address == address))
			return 0;
		ret = bodies[k].die;
	}
	return ret;
}

int dwarf_args__in_function(struct dwarf_args *d, uint32_t section, uint64_t start, uint64_t into,
			    bool is_cold, struct arg_list *list)
{
	uint64_t address = dwarf_address(d, section, start);
	uint64_t body = find_body(d, address);
	struct spot spot;

	if (!body || set_spot(d, body, into ? 0 : body, address + into,
			      is_cold ? UINT64_MAX : address, list, &spot))
		return 0;
	return add_params(d, body, &spot, list);
}

int dwarf_args__open(const struct image *img, const struct btf_data *btf, struct dwarf_args **ret)
{
	struct dwarf_args *d = xcalloc(1, sizeof(*d));
	int err = dwarf__open(img, &d->dw);

	d->btf = btf;
	d->near.abbrevs.views = d->far.abbrevs.views = true;
	*ret = NULL;
	if (err) {
		dwarf_args__close(d);
		return err;
	}
	index_types(d);
	*ret = d;
	return 0;
}

void dwarf_args__close(struct dwarf_args *d)
{
	if (!d)
		return;
	abbrevs__destroy(&d->near.abbrevs);
	abbrevs__destroy(&d->far.abbrevs);
	free(d->by_name.array);
	free(d->bodies.array);
	free(d->code.array);
	free(d->of_unit);
	frames__close(d->frames);
	dwarf__close(d->dw);
	free(d);
}
