/* SPDX-License-Identifier: GPL-2.0-only */
/* BTF as a header and sections: how bytes of one order become those of the other. */
#ifndef ABTF_BTF_PARTS_H
#define ABTF_BTF_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/layout.h"

/**
 * struct btf_parts - the sections of BTF, in native byte order
 * @layout:	a layout section, see layout.h; @layout_len bytes, 0 for none
 */
struct btf_parts {
	const void	*types;
	const void	*layout;
	const void	*strs;
	uint32_t	types_len;
	uint32_t	layout_len;
	uint32_t	strs_len;
};

/**
 * btf_parts__join() - concatenate a header and the parts
 * @big_endian:	byte order to write
 * @bytes:	where a malloc()ed buffer goes: header, types, layout, strings
 * @size:	its bytes
 *
 * The header has BTF_HEADER_MIN bytes without a layout section.
 */
void btf_parts__join(const struct btf_parts *parts, bool big_endian, void **bytes, size_t *size);

/* Swap the bytes of all 32-bit words, and those of a layout section's entries. */
void btf_swap__words(void *bytes, size_t size);
void btf_swap__layout(struct kind_layout *layout, size_t size);

#endif /* ABTF_BTF_PARTS_H */
