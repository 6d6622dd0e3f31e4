/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DWARF expressions (DWARF 5, 2.5 and 2.6): the operations, and their symbolic evaluation.
 *
 * Nothing is known about the contents of registers and memory, so the result is relative to
 * a register, to the frame, or to the address of a symbol.  It is linear: a base plus a constant.
 * Other results, such as the contents of memory, are unknown, and the result contains the
 * operation that the evaluator cannot represent.
 */
#ifndef ABTF_DWARF_EXPR_H
#define ABTF_DWARF_EXPR_H

#include "dwarf/unit.h"

/* --- operations -------------------------------------------------------------------- */

/**
 * struct expr_op - one operation
 * @number:	its first operand
 * @second:	its second operand
 * @block:	an operand that consists of bytes: an implicit value, a typed constant, or the
 *		expression of an entry value
 */
struct expr_op {
	uint8_t		atom;
	uint64_t	number;
	uint64_t	second;
	struct cursor	block;
};

/** expr__next() - Read an operation. Return: false at the end, or if it is cut off. */
bool expr__next(struct cursor *c, const struct unit *u, struct expr_op *op);

#define NO_REGISTER	UINT32_MAX

/** expr_op__register() - Return: the register that is an operation's location, or NO_REGISTER. */
static inline uint32_t expr_op__register(const struct expr_op *op)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return op->atom - DW_OP_reg0;
	return op->atom == DW_OP_regx && op->number < NO_REGISTER ? op->number : NO_REGISTER;
}

/* --- evaluation --------------------------------------------------------------------- */

enum expr_kind {
	EXPR_UNKNOWN,		/* @atom is not understood */
	EXPR_EMPTY,		/* no location: optimized out */
	EXPR_CONSTANT,		/* @offset; without @is_value, a location is memory there */
	EXPR_ADDRESS,		/* memory in the image at @address + @offset */
	EXPR_REGISTER,		/* the whole register @reg */
	EXPR_MEMORY,		/* at @base + @offset */
	EXPR_COMPUTED,		/* not in memory: the value is @base + @offset */
	EXPR_ENTRY_VALUE,	/* the contents of @reg on entry, plus @offset, see @is_value */
	EXPR_PIECES,		/* see expr__next_piece() */
};

enum expr_base {
	EXPR_BASE_NONE,
	EXPR_BASE_IMAGE,	/* @address */
	EXPR_BASE_REGISTER,	/* the contents of @reg */
	EXPR_BASE_FRAME,	/* DW_AT_frame_base of the function */
	EXPR_BASE_CFA,		/* the canonical frame address (6.4) */
	EXPR_BASE_ENTRY,	/* the contents of @reg when the function was entered */
	EXPR_BASE_OBJECT,	/* see unit__member_offset() */
};

/**
 * struct expr_value - the result of an expression, or of one of its pieces
 * @atom:	of an unknown result: the operation that cannot be represented
 * @is_value:	the object has this value, and is not in memory there
 * @reg:	DWARF number
 * @address:	operand of DW_OP_addr or the like: in a relocatable file, an address for
 *		relocator__place()
 * @offset:	modulo 2^64, and in a unit whose addresses have 4 bytes, modulo 2^32
 * @is_piece:	it is one of several pieces, or less than the object
 * @bits:	size of a piece in bits
 * @first_bit:	of a piece: number of bits before it in its location
 */
struct expr_value {
	enum expr_kind	kind;
	enum expr_base	base;
	uint8_t		atom;
	bool		is_value;
	bool		is_piece;
	uint32_t	reg;
	uint64_t	address;
	uint64_t	offset;
	uint64_t	bits;
	uint64_t	first_bit;
};

/**
 * expr__eval() - evaluate an expression
 *
 * Return: 0; or -EINVAL if it is malformed (the bytes are cut off, or an operation lacks an
 * operand), and then @ret is EXPR_UNKNOWN.  Prints no message.
 */
int expr__eval(const struct dwarf *dw, const struct unit *u, struct cursor expr,
	       struct expr_value *ret);

/**
 * expr__next_piece() - evaluate the next piece of an expression
 * @expr:	moved after the piece
 *
 * The last piece of an expression with EXPR_PIECES is followed by the end of @expr.
 *
 * Return: as expr__eval().
 */
int expr__next_piece(const struct dwarf *dw, const struct unit *u, struct cursor *expr,
		     struct expr_value *ret);

/**
 * expr__address() - get the address of an object in the image's memory
 *
 * The image is linked, or the result is for relocator__place().
 *
 * Return: false if the result is not a place in the image.
 */
bool expr__address(const struct dwarf *dw, const struct unit *u, const struct expr_value *value,
		   uint64_t *ret);

/* --- attributes --------------------------------------------------------------------- */

/* unit__constant() for other classes than constants of up to 8 bytes. */
bool unit__unusual_constant(const struct dwarf *dw, const struct unit *u, const struct die *die,
			    enum die_slot slot, uint64_t *ret);

/**
 * unit__constant() - get an attribute that is a number: a size, count, bound or offset
 * @ret:	0 if there is none
 *
 * The attribute is a constant of any form (DWARF 5, 7.5.5), or an expression whose result
 * is a constant (2.19).  A negative constant is sign-extended.
 *
 * Return: false if it is missing, does not fit in 64 bits, or depends on the program's state.
 */
static inline bool unit__constant(const struct dwarf *dw, const struct unit *u,
				  const struct die *die, enum die_slot slot, uint64_t *ret)
{
	*ret = 0;
	if (!die__has(die, slot))
		return false;
	if (unlikely(die->class[slot] > VALUE_SINT))
		return unit__unusual_constant(dw, u, die, slot, ret);
	*ret = die->value[slot];
	return true;
}

/**
 * unit__member_offset() - get the offset of a member in bytes (5.7.6)
 * @ret:	0 without the attribute
 *
 * In DWARF 2, it is an expression that adds the offset to the object's address.
 *
 * Return: false if the offset is not constant.
 */
bool unit__member_offset(const struct dwarf *dw, const struct unit *u, const struct die *die,
			 uint64_t *ret);

#endif /* ABTF_DWARF_EXPR_H */
