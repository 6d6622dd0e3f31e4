// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "btf/sections.h"
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

void btf_sections__join(const struct btf_sections *sections, bool big_endian, void **bytes,
			size_t *size)
{
	bool swap = big_endian == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	struct layout_header hdr = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sections->layout_len ? sizeof(hdr) : BTF_HEADER_MIN,
		.type_len = sections->types_len,
		.str_off = sections->types_len + sections->layout_len,
		.str_len = sections->strs_len,
		.layout_off = sections->types_len,
		.layout_len = sections->layout_len,
	};
	size_t hdr_len = hdr.hdr_len;
	uint8_t *buf, *p;

	*size = hdr_len + (size_t)sections->types_len + sections->layout_len + sections->strs_len;
	*bytes = buf = xrealloc(sections->types, *size, 1);
	p = memmove(buf + hdr_len, buf, sections->types_len);
	p += sections->types_len;
	if (sections->layout_len)
		memcpy(p, sections->layout, sections->layout_len);
	if (swap)
		btf_swap__layout((void *)p, sections->layout_len);
	p += sections->layout_len;
	if (sections->strs_len)
		memcpy(p, sections->strs, sections->strs_len);
	if (swap)
		hdr.magic = __builtin_bswap16(hdr.magic);
	memcpy(buf, &hdr, hdr_len);
	/* magic, version and flags share the first word; the rest consists of words */
	if (swap)
		btf_swap__words(buf + offsetof(struct layout_header, hdr_len),
			   hdr_len - offsetof(struct layout_header, hdr_len) +
			   sections->types_len);
}
