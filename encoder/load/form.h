/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms of attributes (DWARF 5, 7.5.6), and a reader of values. */
#ifndef ABTF_LOAD_FORM_H
#define ABTF_LOAD_FORM_H

#include "load/die.h"
#include "util/bytes.h"

/* How to read a value. */
enum form_op {
	OP_END,
	OP_CONSTANT,	/* the value is in the declaration */
	OP_U8, OP_U16, OP_U24, OP_U32, OP_U64,
	OP_ULEB, OP_SLEB, OP_STRING,
	OP_BLOCK8, OP_BLOCK16, OP_BLOCK32, OP_BLOCK_ULEB, OP_DATA16,
	OP_INDIRECT,	/* the form precedes the value */
	OP_ADDRESS,	/* in the table of forms: like an address of the unit */
	OP_OFFSET,	/* like an offset in another section */
};

/** struct form - how to read the values of a form; @size: in bytes, if fixed */
struct form {
	uint8_t		op;
	uint8_t		class;
	uint8_t		size;
};

/**
 * form__find() - look a form up, for a unit with these sizes
 *
 * Return: false for a form that does not exist: its size is unknown, so nothing after it could
 * be read.
 */
bool form__find(uint64_t code, uint8_t version, uint8_t address_size, uint8_t offset_size,
		struct form *ret);

/* A block; its value is its offset. */
static inline uint64_t form__read_block(struct cursor *c, uint64_t size, uint32_t *len)
{
	uint64_t offset = cursor__offset(c);

	*len = size;
	if (unlikely(size > UINT32_MAX))
		cursor__fail(c);
	cursor__skip(c, size);
	return offset;
}

/**
 * form__read() - read a value; any operation except OP_END and OP_CONSTANT
 * @len:	bytes of a block
 *
 * Inlined, so that a local cursor lives in registers.
 */
static inline __attribute__((always_inline))
uint64_t form__read(struct cursor *c, uint8_t op, uint32_t *len)
{
	uint64_t offset;

	switch (op) {
	case OP_U8:
		return cursor__u8(c);
	case OP_U16:
		return cursor__u16(c);
	case OP_U24:
		return cursor__u24(c);
	case OP_U32:
		return cursor__u32(c);
	case OP_U64:
		return cursor__u64(c);
	case OP_ULEB:
		return cursor__uleb(c);
	case OP_SLEB:
		return cursor__sleb(c);
	case OP_STRING:
		offset = cursor__offset(c);
		cursor__string(c);
		return offset;
	case OP_BLOCK8:
		return form__read_block(c, cursor__u8(c), len);
	case OP_BLOCK16:
		return form__read_block(c, cursor__u16(c), len);
	case OP_BLOCK32:
		return form__read_block(c, cursor__u32(c), len);
	case OP_BLOCK_ULEB:
		return form__read_block(c, cursor__uleb(c), len);
	case OP_DATA16:
		return form__read_block(c, 16, len);
	default: /* OP_INDIRECT, which no compiler writes */
		cursor__fail(c);
		return 0;
	}
}

#endif /* ABTF_LOAD_FORM_H */
