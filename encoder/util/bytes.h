/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read LEB128, strings and numbers of unusual sizes with a cursor.
 * Include this header; cursor.h contains the cursor itself.
 */
#ifndef ABTF_UTIL_BYTES_H
#define ABTF_UTIL_BYTES_H

#include "util/cursor.h"

/*
 * The readers below are all inline, so that a cursor that is a local variable
 * never has its address taken and lives in registers.
 */

/**
 * cursor__uleb() - read an unsigned LEB128 (DWARF 5, 7.6)
 *
 * Bits beyond the 64th are dropped, as libdw does; a number without an end
 * fails the cursor.
 */
static inline uint64_t cursor__uleb(struct cursor *c)
{
	unsigned int shift = 0;
	uint64_t v = 0;

	if (likely(c->p < c->end && *c->p < 0x80))
		return *c->p++;
	while (cursor__has(c, 1)) {
		uint8_t byte = *c->p++;

		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
		shift += 7;
	}
	return 0;
}

/** cursor__sleb() - Read a signed LEB128; as cursor__uleb(). */
static inline int64_t cursor__sleb(struct cursor *c)
{
	unsigned int shift = 0;
	uint64_t v = 0;

	while (cursor__has(c, 1)) {
		uint8_t byte = *c->p++;

		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if (shift < 64 && (byte & 0x40))
			v |= ~0ULL << shift;
		return (int64_t)v;
	}
	return 0;
}

/**
 * cursor__string() - read a string that ends with a NUL
 *
 * Return: the string, in the cursor's own bytes; "" and a failed cursor if no
 * NUL comes before the end.
 */
static inline const char *cursor__string(struct cursor *c)
{
	const char *s = (const char *)c->p;
	const uint8_t *nul = cursor__left(c) ? memchr(c->p, 0, cursor__left(c)) : NULL;

	if (unlikely(!nul)) {
		cursor__fail(c);
		return "";
	}
	c->p = nul + 1;
	return s;
}

/** cursor__u24() - Read three bytes: DW_FORM_strx3 and DW_FORM_addrx3. */
static inline uint32_t cursor__u24(struct cursor *c)
{
	bool big = c->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	const uint8_t *p = c->p;

	if (unlikely(!cursor__has(c, 3)))
		return 0;
	c->p += 3;
	return big ? p[0] << 16 | p[1] << 8 | p[2] : p[2] << 16 | p[1] << 8 | p[0];
}

/** cursor__uint() - Read an unsigned value of @size bytes, 1, 2, 3, 4 or 8. */
static inline uint64_t cursor__uint(struct cursor *c, unsigned int size)
{
	switch (size) {
	case 1:
		return cursor__u8(c);
	case 2:
		return cursor__u16(c);
	case 3:
		return cursor__u24(c);
	case 4:
		return cursor__u32(c);
	case 8:
		return cursor__u64(c);
	default:
		cursor__fail(c);
		return 0;
	}
}

#endif /* ABTF_UTIL_BYTES_H */
