// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "dwarf/expr.h"

/* --- operations (DWARF 5, 2.5 and 7.7.1) ----------------------------------------- */

/*
 * The operands of operations: 1, 2, 4 and 8 bytes, (a)ddress, (o)ffset, (r)eference, (u)nsigned
 * and (s)igned LEB128, a (b)lock whose length is unsigned, or one whose length is a byte (n).
 */
static const char *const operands[UINT8_MAX + 1] = {
	[DW_OP_addr] = "a",
	[DW_OP_const1u] = "1", [DW_OP_const1s] = "1", [DW_OP_const2u] = "2", [DW_OP_const2s] = "2",
	[DW_OP_const4u] = "4", [DW_OP_const4s] = "4", [DW_OP_const8u] = "8", [DW_OP_const8s] = "8",
	[DW_OP_constu] = "u", [DW_OP_consts] = "s", [DW_OP_addrx] = "u", [DW_OP_constx] = "u",
	[DW_OP_pick] = "1", [DW_OP_plus_uconst] = "u", [DW_OP_bra] = "2", [DW_OP_skip] = "2",
	[DW_OP_deref_size] = "1", [DW_OP_xderef_size] = "1",
	[DW_OP_regx] = "u", [DW_OP_breg0 ... DW_OP_breg31] = "s", [DW_OP_fbreg] = "s",
	[DW_OP_bregx] = "us", [DW_OP_piece] = "u", [DW_OP_bit_piece] = "uu",
	[DW_OP_call2] = "2", [DW_OP_call4] = "4", [DW_OP_call_ref] = "o",
	[DW_OP_implicit_value] = "b", [DW_OP_implicit_pointer] = "rs", [DW_OP_entry_value] = "b",
	[DW_OP_const_type] = "un", [DW_OP_regval_type] = "uu", [DW_OP_deref_type] = "1u",
	[DW_OP_xderef_type] = "1u", [DW_OP_convert] = "u", [DW_OP_reinterpret] = "u",
	[DW_OP_GNU_implicit_pointer] = "rs", [DW_OP_GNU_entry_value] = "b",
	[DW_OP_GNU_const_type] = "un", [DW_OP_GNU_regval_type] = "uu",
	[DW_OP_GNU_deref_type] = "1u", [DW_OP_GNU_convert] = "u", [DW_OP_GNU_reinterpret] = "u",
	[DW_OP_GNU_parameter_ref] = "4", [DW_OP_GNU_addr_index] = "u",
	[DW_OP_GNU_const_index] = "u", [DW_OP_GNU_variable_value] = "o",
};

static uint64_t read_operand(struct cursor *c, const struct unit *u, char kind,
			     struct expr_op *op)
{
	switch (kind) {
	case 'a':
		return cursor__uint(c, u->address_size);
	case 'o':
		return cursor__uint(c, u->offset_size);
	case 'r': /* in DWARF 2, references have the size of an address */
		return cursor__uint(c, u->version < 3 ? u->address_size : u->offset_size);
	case 'u':
		return cursor__uleb(c);
	case 's':
		return cursor__sleb(c);
	case 'b':
		op->block = cursor__sub(c, cursor__uleb(c));
		return 0;
	case 'n':
		op->block = cursor__sub(c, cursor__u8(c));
		return 0;
	default:
		return cursor__uint(c, kind - '0');
	}
}

bool expr__next(struct cursor *c, const struct unit *u, struct expr_op *op)
{
	const char *kinds;

	if (!cursor__left(c))
		return false;
	op->atom = cursor__u8(c);
	op->number = op->second = 0;
	kinds = operands[op->atom];
	if (kinds)
		op->number = read_operand(c, u, kinds[0], op);
	if (kinds && kinds[1])
		op->second = read_operand(c, u, kinds[1], op);
	return !cursor__failed(c);
}

/* --- evaluation --------------------------------------------------------------------- */

/* Compilers need less; longer expressions are unknown. */
#define MAX_STACK	16
#define MAX_OPS		1024

/**
 * struct evaluation - the state of evaluating one piece
 * @nr:		number of entries of @stack
 * @value:	the result
 * @done:	an operation that must be the last one has set the result
 * @underflow:	an operation lacks an operand
 */
struct evaluation {
	const struct dwarf	*dw;
	const struct unit	*u;
	unsigned int		nr;
	struct expr_value	stack[MAX_STACK];
	struct expr_value	value;
	bool			done;
	bool			underflow;
};

static bool push_value(struct evaluation *e, struct expr_value value)
{
	if (e->nr == MAX_STACK)
		return false;
	e->stack[e->nr++] = value;
	return true;
}

static bool push_constant(struct evaluation *e, uint64_t value)
{
	return push_value(e, (struct expr_value){ .offset = value });
}

static bool push_based(struct evaluation *e, enum expr_base base, uint64_t reg, uint64_t offset)
{
	return reg < NO_REGISTER &&
	       push_value(e, (struct expr_value){ .base = base, .reg = reg, .offset = offset });
}

/* Return: the entry below @depth others, or NULL. */
static struct expr_value *peek_value(struct evaluation *e, uint64_t depth)
{
	if (depth < e->nr)
		return &e->stack[e->nr - 1 - depth];
	e->underflow = true;
	return NULL;
}

/* Return: a constant with the unit's sign bit extended. */
static int64_t as_signed(const struct evaluation *e, uint64_t value)
{
	return e->u->address_size == 4 ? (int32_t)value : (int64_t)value;
}

static uint64_t as_unsigned(const struct unit *u, uint64_t value)
{
	return u->address_size == 4 ? (uint32_t)value : value;
}

/* An operation with two operands, of which the first gets the result. */
static bool combine_top(struct evaluation *e, uint8_t atom)
{
	struct expr_value *b = peek_value(e, 0), *a = peek_value(e, 1), swap;
	uint64_t x, y;

	if (!a || !b)
		return false;
	e->nr--;
	if (atom == DW_OP_plus && b->base != EXPR_BASE_NONE) {
		swap = *a;
		*a = *b;
		*b = swap;
	}
	/* a base only survives the addition of a constant */
	if (b->base != EXPR_BASE_NONE ||
	    (a->base != EXPR_BASE_NONE && atom != DW_OP_plus && atom != DW_OP_minus))
		return false;
	x = a->offset;
	y = b->offset;
	switch (atom) {
	case DW_OP_plus:
		a->offset += y;
		return true;
	case DW_OP_minus:
		a->offset -= y;
		return true;
	case DW_OP_mul:
		a->offset *= y;
		return true;
	case DW_OP_and:
		a->offset &= y;
		return true;
	case DW_OP_or:
		a->offset |= y;
		return true;
	case DW_OP_xor:
		a->offset ^= y;
		return true;
	default: /* shifts */
		y = as_unsigned(e->u, y);
		if (y >= 8U * e->u->address_size)
			return false;
		a->offset = atom == DW_OP_shl ? x << y :
			    atom == DW_OP_shr ? as_unsigned(e->u, x) >> y :
			    (uint64_t)(as_signed(e, x) >> y);
		return true;
	}
}

/* The contents of a register on entry; other entry values are unknown. */
static bool push_entry_value(struct evaluation *e, struct cursor expr)
{
	struct expr_op op;

	return expr__next(&expr, e->u, &op) && !cursor__left(&expr) &&
	       push_based(e, EXPR_BASE_ENTRY, expr_op__register(&op), 0);
}

static bool push_block(struct evaluation *e, struct cursor block)
{
	size_t size = cursor__left(&block);

	return (size == 1 || size == 2 || size == 4 || size == 8) &&
	       push_constant(e, cursor__uint(&block, size));
}

static bool push_address(struct evaluation *e, bool constant, uint64_t index)
{
	struct expr_value value = { .base = EXPR_BASE_IMAGE };

	if (!unit__address_at(e->dw, e->u, index, &value.address))
		return false;
	return constant ? push_constant(e, value.address) : push_value(e, value);
}

/* End with the top of the stack as the object's value. */
static bool set_value(struct evaluation *e)
{
	const struct expr_value *top = peek_value(e, 0);

	if (!top)
		return false;
	e->value = *top;
	e->value.is_value = e->done = true;
	return true;
}

/* Return: false for an operation that cannot be represented. */
static bool apply_op(struct evaluation *e, const struct expr_op *op)
{
	struct expr_value *top, value;

	if (e->done)
		return false;
	switch (op->atom) {
	case DW_OP_addr:
		return push_value(e, (struct expr_value){ .base = EXPR_BASE_IMAGE,
							  .address = op->number });
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return push_address(e, false, op->number);
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return push_address(e, true, op->number);
	case DW_OP_lit0 ... DW_OP_lit31:
		return push_constant(e, op->atom - DW_OP_lit0);
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push_constant(e, op->number);
	case DW_OP_const1s:
		return push_constant(e, (int8_t)op->number);
	case DW_OP_const2s:
		return push_constant(e, (int16_t)op->number);
	case DW_OP_const4s:
		return push_constant(e, (int32_t)op->number);
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		return push_block(e, op->block);
	case DW_OP_breg0 ... DW_OP_breg31:
		return push_based(e, EXPR_BASE_REGISTER, op->atom - DW_OP_breg0, op->number);
	case DW_OP_bregx:
		return push_based(e, EXPR_BASE_REGISTER, op->number, op->second);
	case DW_OP_fbreg:
		return push_based(e, EXPR_BASE_FRAME, 0, op->number);
	case DW_OP_call_frame_cfa:
		return push_based(e, EXPR_BASE_CFA, 0, 0);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return push_entry_value(e, op->block);
	case DW_OP_nop:
		return true;
	case DW_OP_dup:
	case DW_OP_over:
	case DW_OP_pick:
		top = peek_value(e, op->atom == DW_OP_over ? 1 : op->number);
		return top && push_value(e, *top);
	case DW_OP_drop:
		return peek_value(e, 0) && e->nr--;
	case DW_OP_swap:
		top = peek_value(e, 1);
		if (!top)
			return false;
		value = top[0];
		top[0] = top[1];
		top[1] = value;
		return true;
	case DW_OP_plus_uconst:
		top = peek_value(e, 0);
		if (top)
			top->offset += op->number;
		return top;
	case DW_OP_neg:
	case DW_OP_not:
		top = peek_value(e, 0);
		if (!top || top->base != EXPR_BASE_NONE)
			return false;
		top->offset = op->atom == DW_OP_neg ? -top->offset : ~top->offset;
		return true;
	case DW_OP_plus:
	case DW_OP_minus:
	case DW_OP_mul:
	case DW_OP_and:
	case DW_OP_or:
	case DW_OP_xor:
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		return combine_top(e, op->atom);
	case DW_OP_stack_value:
		return set_value(e);
	case DW_OP_implicit_value:
		return push_block(e, op->block) && set_value(e);
	case DW_OP_reg0 ... DW_OP_reg31:
	case DW_OP_regx:
		e->done = true;
		e->value = (struct expr_value){ .kind = EXPR_REGISTER,
						.reg = expr_op__register(op) };
		return e->value.reg != NO_REGISTER;
	default:
		return false;
	}
}

static enum expr_kind kind_of(const struct expr_value *value)
{
	switch (value->base) {
	case EXPR_BASE_NONE:
		return value->kind == EXPR_REGISTER ? EXPR_REGISTER : EXPR_CONSTANT;
	case EXPR_BASE_ENTRY:
		return EXPR_ENTRY_VALUE;
	case EXPR_BASE_IMAGE:
		return value->is_value ? EXPR_COMPUTED : EXPR_ADDRESS;
	default:
		return value->is_value ? EXPR_COMPUTED : EXPR_MEMORY;
	}
}

/* expr__next_piece(); @object: its address is on the stack. */
static int eval_piece(const struct dwarf *dw, const struct unit *u, struct cursor *expr,
		      bool object, struct expr_value *ret)
{
	struct expr_op op = {};
	struct evaluation e;
	unsigned int n = 0;
	bool known = true;

	/* the stack is large, and only entries that were pushed are read */
	e.dw = dw;
	e.u = u;
	e.nr = 0;
	e.done = e.underflow = false;
	if (object)
		e.stack[e.nr++] = (struct expr_value){ .base = EXPR_BASE_OBJECT };
	*ret = (struct expr_value){};
	while (expr__next(expr, u, &op)) {
		if (op.atom == DW_OP_piece || op.atom == DW_OP_bit_piece) {
			if (op.number > UINT32_MAX)
				cursor__fail(expr);
			ret->bits = op.atom == DW_OP_piece ? op.number * 8 : op.number;
			ret->first_bit = op.second;
			ret->is_piece = true;
			break;
		}
		/* read the others, too: the next piece follows them */
		if (!known)
			continue;
		known = n++ < MAX_OPS && apply_op(&e, &op);
		if (!known)
			ret->atom = op.atom;
	}
	if (cursor__failed(expr) || e.underflow) {
		ret->atom = known ? op.atom : ret->atom;
		return -EINVAL;
	}
	if (!known)
		return 0;
	if (!e.done && !e.nr) {
		ret->kind = EXPR_EMPTY;
		return 0;
	}
	if (!e.done)
		e.value = e.stack[e.nr - 1];
	e.value.is_piece = ret->is_piece;
	e.value.bits = ret->bits;
	e.value.first_bit = ret->first_bit;
	e.value.kind = kind_of(&e.value);
	*ret = e.value;
	return 0;
}

int expr__next_piece(const struct dwarf *dw, const struct unit *u, struct cursor *expr,
		     struct expr_value *ret)
{
	return eval_piece(dw, u, expr, false, ret);
}

int expr__eval(const struct dwarf *dw, const struct unit *u, struct cursor expr,
	       struct expr_value *ret)
{
	int err = expr__next_piece(dw, u, &expr, ret);

	if (!err && ret->is_piece)
		*ret = (struct expr_value){ .kind = EXPR_PIECES };
	return err;
}

bool expr__address(const struct dwarf *dw, const struct unit *u, const struct expr_value *value,
		   uint64_t *ret)
{
	*ret = as_unsigned(u, value->address + value->offset);
	/* in a relocatable file, a constant is not relative to a section */
	return value->kind == EXPR_ADDRESS ||
	       (value->kind == EXPR_CONSTANT && !value->is_value && !dw->relocator);
}

/* --- attributes --------------------------------------------------------------------- */

bool unit__unusual_constant(const struct dwarf *dw, const struct unit *u, const struct die *die,
			    enum die_slot slot, uint64_t *ret)
{
	struct expr_value value;

	if (die->class[slot] != VALUE_BLOCK ||
	    expr__eval(dw, u, dwarf__block(dw, die, slot), &value) || value.kind != EXPR_CONSTANT)
		return false;
	*ret = value.offset;
	return true;
}

bool unit__member_offset(const struct dwarf *dw, const struct unit *u, const struct die *die,
			 uint64_t *ret)
{
	struct expr_value value;
	struct cursor expr;

	if (!die__has(die, AT_MEMBER_LOCATION) || die->class[AT_MEMBER_LOCATION] != VALUE_BLOCK)
		return unit__constant(dw, u, die, AT_MEMBER_LOCATION, ret) ||
		       !die__has(die, AT_MEMBER_LOCATION);
	expr = dwarf__block(dw, die, AT_MEMBER_LOCATION);
	if (eval_piece(dw, u, &expr, true, &value) || value.base != EXPR_BASE_OBJECT ||
	    value.is_value || value.is_piece)
		return false;
	*ret = value.offset;
	return true;
}
