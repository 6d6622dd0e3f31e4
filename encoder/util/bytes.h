/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one way to read untrusted bytes: a cursor that never leaves its range.
 *
 * A read past the end returns 0 and makes the cursor fail.  A failed cursor stays at its
 * end, and all later reads return 0, so callers can read a whole record and then check
 * cursor__failed() once.
 */
#ifndef ABTF_UTIL_BYTES_H
#define ABTF_UTIL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/macros.h"

/**
 * struct cursor - a position in a range of bytes
 * @p:		next byte to read
 * @end:	one past the last byte
 * @begin:	first byte; offsets in messages are relative to it
 * @swap:	multi-byte values have the other byte order than the host
 * @failed:	a read did not fit
 */
struct cursor {
	const uint8_t	*p;
	const uint8_t	*end;
	const uint8_t	*begin;
	bool		swap;
	bool		failed;
};

/*
 * The functions are all inline, so that a cursor that is a local variable
 * never has its address taken and lives in registers.
 */

static inline struct cursor cursor__new(const void *data, size_t size, bool swap)
{
	const uint8_t *p = data;

	return (struct cursor){ .p = p, .end = p + size, .begin = p, .swap = swap };
}

static inline size_t cursor__left(const struct cursor *c)
{
	return c->end - c->p;
}

static inline size_t cursor__offset(const struct cursor *c)
{
	return c->p - c->begin;
}

static inline bool cursor__failed(const struct cursor *c)
{
	return c->failed;
}

static inline void cursor__fail(struct cursor *c)
{
	c->failed = true;
	c->p = c->end;
}

static inline bool cursor__has(struct cursor *c, uint64_t n)
{
	if (likely(n <= cursor__left(c)))
		return true;
	cursor__fail(c);
	return false;
}

static inline void cursor__skip(struct cursor *c, uint64_t n)
{
	if (likely(cursor__has(c, n)))
		c->p += n;
}

static inline uint8_t cursor__u8(struct cursor *c)
{
	return likely(cursor__has(c, 1)) ? *c->p++ : 0;
}

static inline uint16_t cursor__u16(struct cursor *c)
{
	uint16_t v;

	if (unlikely(!cursor__has(c, sizeof(v))))
		return 0;
	memcpy(&v, c->p, sizeof(v));
	c->p += sizeof(v);
	return unlikely(c->swap) ? __builtin_bswap16(v) : v;
}

static inline uint32_t cursor__u32(struct cursor *c)
{
	uint32_t v;

	if (unlikely(!cursor__has(c, sizeof(v))))
		return 0;
	memcpy(&v, c->p, sizeof(v));
	c->p += sizeof(v);
	return unlikely(c->swap) ? __builtin_bswap32(v) : v;
}

static inline uint64_t cursor__u64(struct cursor *c)
{
	uint64_t v;

	if (unlikely(!cursor__has(c, sizeof(v))))
		return 0;
	memcpy(&v, c->p, sizeof(v));
	c->p += sizeof(v);
	return unlikely(c->swap) ? __builtin_bswap64(v) : v;
}

/**
 * cursor__sub() - split the next @size bytes off as a separate cursor
 *
 * Return: a cursor over them, with offsets relative to its own start; an empty failed
 * cursor if fewer than @size bytes are left.
 */
static inline struct cursor cursor__sub(struct cursor *c, uint64_t size)
{
	struct cursor sub = { .p = c->end, .end = c->end, .begin = c->end,
			      .swap = c->swap, .failed = true };

	if (!cursor__has(c, size))
		return sub;
	sub = cursor__new(c->p, size, c->swap);
	c->p += size;
	return sub;
}

/**
 * cursor__read_ahead() - read the rest of the bytes, once in order
 *
 * For bytes that will be read in random order: they will be in the cache.
 */
static inline void cursor__read_ahead(struct cursor c)
{
	for (; cursor__has(&c, 64); cursor__skip(&c, 64))
		*(const volatile uint8_t *)c.p;
}

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
