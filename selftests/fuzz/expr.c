// SPDX-License-Identifier: GPL-2.0-only
/*
 * DWARF expressions, and lists of locations and ranges.
 *
 * Four bytes select the unit's version, sizes and byte order, the length of the expression, and
 * where the lists start. The expression follows, then the bytes of all sections with lists and
 * addresses.
 *
 * A second evaluator knows the contents of all registers. Where both know the result, it must be
 * the same.
 */
#include <elf.h>
#include <string.h>

#include "dwarf/expr.h"
#include "fuzz.h"
#include "load/params.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	return 0;
}

/* --- a machine whose registers are known ---------------------------------------------- */

enum result {
	RESULT_SKIPPED,		/* not evaluated here */
	RESULT_MALFORMED,
	RESULT_EMPTY,
	RESULT_REGISTER,
	RESULT_MEMORY,		/* at the address */
	RESULT_VALUE,		/* not in memory */
};

struct known {
	const struct dwarf	*dw;
	const struct unit	*u;
	uint64_t		stack[64];
	unsigned int		nr;
};

/* The contents of a register, or another base; different for each of them. */
static uint64_t contents(enum expr_base base, uint64_t reg)
{
	return (reg * 64 + base + 1) * 0x9e3779b97f4a7c15;
}

static uint64_t truncated(const struct unit *u, uint64_t value)
{
	return u->address_size == 4 ? (uint32_t)value : value;
}

static enum result push_known(struct known *k, uint64_t value)
{
	if (k->nr == 64)
		return RESULT_SKIPPED;
	k->stack[k->nr++] = truncated(k->u, value);
	return RESULT_MEMORY;
}

static enum result push_bytes(struct known *k, struct cursor block)
{
	size_t size = cursor__left(&block);

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return RESULT_SKIPPED;
	return push_known(k, cursor__uint(&block, size));
}

static enum result push_entry(struct known *k, struct cursor block)
{
	struct expr_op op;

	if (!expr__next(&block, k->u, &op) || cursor__left(&block) ||
	    expr_op__register(&op) == NO_REGISTER)
		return RESULT_SKIPPED;
	return push_known(k, contents(EXPR_BASE_ENTRY, expr_op__register(&op)));
}

static enum result calculate(struct known *k, uint8_t atom)
{
	unsigned int width = 8 * k->u->address_size;
	uint64_t a, b;

	if (k->nr < 2)
		return RESULT_MALFORMED;
	b = k->stack[--k->nr];
	a = k->stack[--k->nr];
	if (atom == DW_OP_shl || atom == DW_OP_shr || atom == DW_OP_shra) {
		if (b >= width)
			return RESULT_SKIPPED;
		if (atom == DW_OP_shra && a >> (width - 1))
			return push_known(k, ~(~(width == 32 ? a | ~0ULL << 32 : a) >> b));
		return push_known(k, atom == DW_OP_shl ? a << b : a >> b);
	}
	return push_known(k, atom == DW_OP_plus ? a + b : atom == DW_OP_minus ? a - b :
			     atom == DW_OP_mul ? a * b : atom == DW_OP_and ? (a & b) :
			     atom == DW_OP_or ? (a | b) : a ^ b);
}

static enum result pick(struct known *k, uint64_t depth)
{
	return depth < k->nr ? push_known(k, k->stack[k->nr - 1 - depth]) : RESULT_MALFORMED;
}

static enum result execute(struct known *k, const struct expr_op *op)
{
	uint64_t *top = k->nr ? &k->stack[k->nr - 1] : NULL, swap;

	switch (op->atom) {
	case DW_OP_addr:
		return push_known(k, op->number);
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		return unit__address_at(k->dw, k->u, op->number, &swap) ? push_known(k, swap) :
									  RESULT_SKIPPED;
	case DW_OP_lit0 ... DW_OP_lit31:
		return push_known(k, op->atom - DW_OP_lit0);
	case DW_OP_const1u:
		return push_known(k, (uint8_t)op->number);
	case DW_OP_const1s:
		return push_known(k, (int8_t)op->number);
	case DW_OP_const2u:
		return push_known(k, (uint16_t)op->number);
	case DW_OP_const2s:
		return push_known(k, (int16_t)op->number);
	case DW_OP_const4u:
		return push_known(k, (uint32_t)op->number);
	case DW_OP_const4s:
		return push_known(k, (int32_t)op->number);
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push_known(k, op->number);
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		return push_bytes(k, op->block);
	case DW_OP_breg0 ... DW_OP_breg31:
		return push_known(k, contents(EXPR_BASE_REGISTER, op->atom - DW_OP_breg0) + op->number);
	case DW_OP_bregx:
		return push_known(k, contents(EXPR_BASE_REGISTER, op->number) + op->second);
	case DW_OP_fbreg:
		return push_known(k, contents(EXPR_BASE_FRAME, 0) + op->number);
	case DW_OP_call_frame_cfa:
		return push_known(k, contents(EXPR_BASE_CFA, 0));
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return push_entry(k, op->block);
	case DW_OP_nop:
		return RESULT_MEMORY;
	case DW_OP_dup:
		return pick(k, 0);
	case DW_OP_over:
		return pick(k, 1);
	case DW_OP_pick:
		return pick(k, op->number);
	case DW_OP_drop:
		if (!top)
			return RESULT_MALFORMED;
		k->nr--;
		return RESULT_MEMORY;
	case DW_OP_swap:
		if (k->nr < 2)
			return RESULT_MALFORMED;
		swap = top[0];
		top[0] = top[-1];
		top[-1] = swap;
		return RESULT_MEMORY;
	case DW_OP_plus_uconst:
		if (!top)
			return RESULT_MALFORMED;
		*top = truncated(k->u, *top + op->number);
		return RESULT_MEMORY;
	case DW_OP_neg:
	case DW_OP_not:
		if (!top)
			return RESULT_MALFORMED;
		*top = truncated(k->u, op->atom == DW_OP_neg ? -*top : ~*top);
		return RESULT_MEMORY;
	case DW_OP_plus:
	case DW_OP_minus:
	case DW_OP_mul:
	case DW_OP_and:
	case DW_OP_or:
	case DW_OP_xor:
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		return calculate(k, op->atom);
	case DW_OP_stack_value:
		return top ? RESULT_VALUE : RESULT_MALFORMED;
	case DW_OP_implicit_value:
		return push_bytes(k, op->block) == RESULT_SKIPPED ? RESULT_SKIPPED : RESULT_VALUE;
	case DW_OP_reg0 ... DW_OP_reg31:
		return push_known(k, op->atom - DW_OP_reg0) ? RESULT_REGISTER : RESULT_SKIPPED;
	case DW_OP_regx:
		return op->number < NO_REGISTER && push_known(k, op->number) ? RESULT_REGISTER :
									       RESULT_SKIPPED;
	default:
		return RESULT_SKIPPED;
	}
}

/* Evaluate an expression up to its end or the end of a piece. */
static enum result run(const struct dwarf *dw, const struct unit *u, struct cursor expr,
		       uint64_t *ret)
{
	struct known k = { .dw = dw, .u = u };
	enum result result = RESULT_MEMORY;
	struct expr_op op;

	while (expr__next(&expr, u, &op) && op.atom != DW_OP_piece && op.atom != DW_OP_bit_piece) {
		/* these results must be the last operation */
		if (result != RESULT_MEMORY)
			return RESULT_SKIPPED;
		result = execute(&k, &op);
		if (result == RESULT_SKIPPED || result == RESULT_MALFORMED)
			return result;
	}
	if (cursor__failed(&expr))
		return RESULT_MALFORMED;
	if (!k.nr)
		return RESULT_EMPTY;
	*ret = k.stack[k.nr - 1];
	return result;
}

/* --- comparing ----------------------------------------------------------------------- */

static void compare(const struct dwarf *dw, const struct unit *u, struct cursor expr, int err,
		    const struct expr_value *value)
{
	uint64_t known = 0, address, expected;
	enum result result = run(dw, u, expr, &known);

	MUST(!err || value->kind == EXPR_UNKNOWN);
	if (value->kind == EXPR_UNKNOWN)
		return;
	MUST(result != RESULT_MALFORMED);
	if (result == RESULT_SKIPPED)
		return;
	MUST((result == RESULT_EMPTY) == (value->kind == EXPR_EMPTY));
	MUST((result == RESULT_REGISTER) == (value->kind == EXPR_REGISTER));
	if (result == RESULT_EMPTY)
		return;
	if (result == RESULT_REGISTER) {
		/* it was truncated like an address */
		MUST(truncated(u, value->reg) == known);
		return;
	}
	MUST(value->is_value == (result == RESULT_VALUE));
	expected = value->base == EXPR_BASE_NONE ? 0 :
		   value->base == EXPR_BASE_IMAGE ? value->address :
		   contents(value->base, value->reg);
	MUST(truncated(u, expected + value->offset) == known);
	if (expr__address(dw, u, value, &address))
		MUST(address == known);
}

static void evaluate(const struct dwarf *dw, const struct unit *u, struct cursor expr)
{
	struct expr_value value, piece;
	struct cursor c = expr, before;
	int err = expr__eval(dw, u, expr, &value);

	if (value.kind == EXPR_PIECES)
		MUST(!err);
	else
		compare(dw, u, expr, err, &value);
	do {
		before = c;
		err = expr__next_piece(dw, u, &c, &piece);
		compare(dw, u, before, err, &piece);
		MUST(err || cursor__left(&c) < cursor__left(&before) || !cursor__left(&c));
		MUST(err || piece.is_piece || !cursor__left(&c));
	} while (!err && cursor__left(&c));
}

/* --- attributes ---------------------------------------------------------------------- */

static void read_attributes(const struct dwarf *dw, const struct unit *u, struct die *die,
			    uint8_t *class, uint64_t len)
{
	uint64_t number, offset;

	for (enum die_slot slot = 0; slot < NR_AT; slot++) {
		class[slot] = VALUE_BLOCK;
		die->value[slot] = 0;
		die->len[slot] = len;
		die->has = 1ULL << slot;
		unit__constant(dw, u, die, slot, &number);
	}
	class[AT_MEMBER_LOCATION] = VALUE_BLOCK;
	die->has = 1ULL << AT_MEMBER_LOCATION;
	unit__member_offset(dw, u, die, &offset);
}

static void read_list(const struct dwarf *dw, const struct unit *u, const struct die *die,
		      enum die_slot slot)
{
	struct code_range range;
	struct cursor expr;
	struct list list;
	size_t left;

	if (!list__begin(&list, dw, u, die, slot))
		return;
	left = cursor__left(&list.c);
	while (list__next(&list, &range, &expr)) {
		MUST(cursor__left(&list.c) < left);
		left = cursor__left(&list.c);
		if (slot == AT_LOCATION && !cursor__failed(&list.c))
			evaluate(dw, u, expr);
	}
}

static void read_lists(const struct dwarf *dw, const struct unit *u, struct die *die,
		       uint8_t *class, uint8_t how, uint64_t offset)
{
	struct code_ranges entries = {};

	class[AT_LOCATION] = class[AT_RANGES] = how;
	die->value[AT_LOCATION] = die->value[AT_RANGES] = offset;
	die->has = 1ULL << AT_LOCATION | 1ULL << AT_RANGES;
	read_list(dw, u, die, AT_LOCATION);
	read_list(dw, u, die, AT_RANGES);
	unit__add_entries(dw, u, die, &entries);
	free(entries.array);
	for (enum param_reader reader = READER_PROOF; reader <= READER_PAHOLE_TRUE; reader++)
		param__facts(dw, u, die, u->low_pc, reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image img = { .path = "fuzz", .machine = EM_X86_64, .is_64 = true };
	struct dwarf dw = { .img = &img };
	uint8_t class[NR_AT] = {}, *expr, *lists;
	struct die die = { .class = class };
	struct unit u = { .version = 2 };
	size_t len;

	if (size < 4)
		return 0;
	u.version += data[0] & 3;
	u.address_size = data[0] & 4 ? 4 : 8;
	u.offset_size = data[0] & 8 ? 8 : 4;
	img.swap = img.big_endian = data[0] & 16;
	img.is_64 = u.address_size == 8;
	u.clang = data[0] & 32 ? 19 : 0;
	u.low_pc = data[3];
	u.addr_base = u.offset_size == 8 ? 16 : 8;
	u.rnglists_base = u.loclists_base = u.addr_base + 4;
	len = data[1] < size - 4 ? data[1] : size - 4;
	/* of their exact sizes, so that reads past the end are found */
	expr = malloc(len);
	lists = malloc(size - 4 - len);
	MUST(expr && lists);
	memcpy(expr, data + 4, len);
	memcpy(lists, data + 4 + len, size - 4 - len);
	dw.info = cursor__new(expr, len, img.swap);
	dw.addr = cursor__new(lists, size - 4 - len, img.swap);
	dw.loc = dw.ranges = dw.loclists = dw.rnglists = dw.addr;
	evaluate(&dw, &u, dw.info);
	read_attributes(&dw, &u, &die, class, len);
	read_lists(&dw, &u, &die, class, data[0] & 64 ? VALUE_LISTX : VALUE_SEC_OFFSET, data[2]);
	free(lists);
	free(expr);
	return 0;
}
