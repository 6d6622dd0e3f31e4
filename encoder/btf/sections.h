/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF as a header and sections, one of which may be the layout of kinds: how many bytes
 * follow a type, by its kind.
 *
 * BTF may contain this table as a separate section between types and strings, so
 * that readers can skip kinds that they do not know (Linux 7.2:
 * include/uapi/linux/btf.h, struct btf_layout; libbpf 1.8: btf.c, layouts[]).
 * It is defined here because the system's linux/btf.h may be older.
 *
 * The table cannot describe a FUNC with a record, whose length depends on kind_flag.
 * So BTF with records never has this section, see format.md.
 */
#ifndef ABTF_BTF_SECTIONS_H
#define ABTF_BTF_SECTIONS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "types/kind.h"

/**
 * struct kind_layout - an entry of the section; its number is the kind
 * @info_sz:	bytes that follow every struct btf_type of the kind
 * @elem_sz:	bytes of each of its vlen elements, which follow those
 * @flags:	no flag is known
 */
struct kind_layout {
	__u8	info_sz;
	__u8	elem_sz;
	__u16	flags;
};

_Static_assert(sizeof(struct kind_layout) == 4, "an entry is 4 bytes");

/** kind_layout() - Return: the entry of a kind; of a FUNC without its record. */
static inline struct kind_layout kind_layout(unsigned int kind)
{
	return (struct kind_layout){ .info_sz = btf_kinds[kind].words * 4,
				     .elem_sz = btf_kinds[kind].element_words * 4 };
}

/**
 * struct layout_header - the header of BTF, as of Linux 7.2
 *
 * Older headers end before @layout_off, as do ours without a layout section.
 * All offsets are relative to the end of the header, which is @hdr_len bytes long.
 */
struct layout_header {
	__u16	magic;
	__u8	version;
	__u8	flags;
	__u32	hdr_len;
	__u32	type_off;
	__u32	type_len;
	__u32	str_off;
	__u32	str_len;
	__u32	layout_off;
	__u32	layout_len;
};

/* Size of a header without the fields for a layout section. */
#define BTF_HEADER_MIN	offsetof(struct layout_header, layout_off)

_Static_assert(BTF_HEADER_MIN == 24, "the header of old");

/**
 * struct btf_sections - the sections of BTF, in native byte order
 * @types:	malloc()ed
 * @layout:	a layout section; @layout_len bytes, 0 for none
 */
struct btf_sections {
	void		*types;
	const void	*layout;
	const void	*strs;
	uint32_t	types_len;
	uint32_t	layout_len;
	uint32_t	strs_len;
};

/**
 * btf_sections__join() - concatenate a header and the sections
 * @big_endian:	byte order to write
 * @bytes:	set to the buffer of the types, which is resized: header, types, layout, strings
 * @size:	its bytes
 *
 * The header has BTF_HEADER_MIN bytes without a layout section.
 */
void btf_sections__join(const struct btf_sections *sections, bool big_endian, void **bytes,
			size_t *size);

/* Swap the bytes of all 32-bit words, and those of a layout section's entries. */
void btf_swap__words(void *bytes, size_t size);
void btf_swap__layout(struct kind_layout *layout, size_t size);

#endif /* ABTF_BTF_SECTIONS_H */
