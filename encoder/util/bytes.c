// SPDX-License-Identifier: GPL-2.0-only
#include "util/bytes.h"

uint64_t cursor__uint(struct cursor *c, unsigned int size)
{
	uint64_t v = 0;

	switch (size) {
	case 1:
		return cursor__u8(c);
	case 2:
		return cursor__u16(c);
	case 4:
		return cursor__u32(c);
	case 8:
		return cursor__u64(c);
	case 3: /* DW_FORM_strx3 and addrx3 */
		if (!cursor__has(c, 3))
			return 0;
		memcpy(&v, c->p, 3);
		c->p += 3;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		return c->swap ? __builtin_bswap32((uint32_t)v) >> 8 : v;
#else
		v >>= 40;
		return c->swap ? __builtin_bswap32((uint32_t)v) >> 8 : v;
#endif
	default:
		cursor__fail(c);
		return 0;
	}
}

uint64_t cursor__uleb_long(struct cursor *c)
{
	uint64_t v = 0;
	unsigned int shift = 0;

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

int64_t cursor__sleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned int shift = 0;

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

const char *cursor__string(struct cursor *c)
{
	const char *s = (const char *)c->p;
	const uint8_t *nul = memchr(c->p, 0, cursor__left(c));

	if (!nul) {
		cursor__fail(c);
		return "";
	}
	c->p = nul + 1;
	return s;
}

struct cursor cursor__sub(struct cursor *c, uint64_t size)
{
	struct cursor sub = { .p = c->end, .end = c->end, .begin = c->end,
			      .swap = c->swap, .failed = true };

	if (!cursor__has(c, size))
		return sub;
	sub = cursor__new(c->p, size, c->swap);
	c->p += size;
	return sub;
}
