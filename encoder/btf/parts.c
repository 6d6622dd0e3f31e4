// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "btf/parts.h"
#include "util/memory.h"

/* Every field of every kind consists of 32-bit words. */
void btf_swap__words(void *bytes, size_t size)
{
	uint32_t *words = bytes;

	for (size_t i = 0; i < size / sizeof(*words); i++)
		words[i] = __builtin_bswap32(words[i]);
}

/* In an entry of the layout section, only the flags are wider than a byte. */
void btf_swap__layout(struct kind_layout *layout, size_t size)
{
	for (size_t i = 0; i < size / sizeof(*layout); i++)
		layout[i].flags = __builtin_bswap16(layout[i].flags);
}

void btf_parts__join(const struct btf_parts *parts, bool big_endian, void **bytes, size_t *size)
{
	bool swap = big_endian == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	struct layout_header hdr = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = parts->layout_len ? sizeof(hdr) : BTF_HEADER_MIN,
		.type_len = parts->types_len,
		.str_off = parts->types_len + parts->layout_len,
		.str_len = parts->strs_len,
		.layout_off = parts->types_len,
		.layout_len = parts->layout_len,
	};
	size_t hdr_len = hdr.hdr_len;
	uint8_t *buf, *p;

	*size = hdr_len + (size_t)parts->types_len + parts->layout_len + parts->strs_len;
	*bytes = buf = xrealloc(parts->types, *size, 1);
	p = memmove(buf + hdr_len, buf, parts->types_len);
	p += parts->types_len;
	if (parts->layout_len)
		memcpy(p, parts->layout, parts->layout_len);
	if (swap)
		btf_swap__layout((void *)p, parts->layout_len);
	p += parts->layout_len;
	if (parts->strs_len)
		memcpy(p, parts->strs, parts->strs_len);
	if (swap)
		hdr.magic = __builtin_bswap16(hdr.magic);
	memcpy(buf, &hdr, hdr_len);
	/* magic, version and flags share the first word; the rest consists of words */
	if (swap)
		btf_swap__words(buf + offsetof(struct layout_header, hdr_len),
			   hdr_len - offsetof(struct layout_header, hdr_len) +
			   parts->types_len);
}
