/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Relocate the debug sections of relocatable files (ET_REL: modules and objects).
 *
 * All sections of such a file start at address 0, so an offset does not identify
 * the section.  Relocate as if each allocated section had its own address range, far
 * from all others.  An address in DWARF then identifies section and offset, which
 * is how functions of such a file are identified.
 *
 * Only copies of the bytes of sections are changed, before threads start.  They are
 * immutable afterwards.
 */
#ifndef ABTF_IMAGE_RELOCATE_H
#define ABTF_IMAGE_RELOCATE_H

#include "image/image.h"

struct relocator;

/**
 * relocator__new() - assign addresses to sections, and read the values of all symbols
 * @img:	an ET_REL image
 *
 * Return: 0, or a negative errno after a message.
 */
int relocator__new(const struct image *img, struct relocator **ret);

void relocator__free(struct relocator *r);

/* for __cleanup() */
static inline void free_relocator(struct relocator **r)
{
	relocator__free(*r);
}

/**
 * relocator__apply() - load a section and apply its relocations
 *
 * Supports the relocations that compilers and assemblers use in debug sections:
 * absolute ones of 4 and 8 bytes, with addends in the entry (RELA) or in the field
 * (REL), and on RISC-V differences of labels.  Any other type is an error, and is
 * named in the message.  A second call for the same section does nothing.
 *
 * objcopy --only-keep-debug keeps RELA relocations of sections without bytes.  If the
 * relocations can replace all bytes, the bytes are zeros before.
 *
 * Return: 0, or a negative errno after a message.
 */
int relocator__apply(struct relocator *r, struct section *sec);

/**
 * relocator__place() - find the section and offset of an address
 *
 * Return: false if it is not in an allocated section.
 */
bool relocator__place(const struct relocator *r, uint64_t address, uint32_t *section,
		      uint64_t *offset);

/** relocator__address() - Return: the address of a place in a section; 0 if it is not allocated. */
uint64_t relocator__address(const struct relocator *r, uint32_t section, uint64_t offset);

/**
 * relocator__is_fentry() - test whether the field at an address refers to __fentry__
 *
 * Finds relocations that are sorted by offset, as assemblers and linkers write them.
 */
bool relocator__is_fentry(const struct relocator *r, uint64_t address);

/**
 * relocator__for_each() - go through the relocations of a section without applying them
 * @fn:		called with the offset in the section, and symbol plus addend
 *
 * Return: 0, or a negative errno after a message.
 */
int relocator__for_each(const struct relocator *r, const struct section *sec,
			void (*fn)(uint64_t offset, uint64_t value, void *arg), void *arg);

/** struct reloc - one relocation; @symbol: number of its symbol */
struct reloc {
	uint64_t	offset;
	uint64_t	addend;
	uint32_t	symbol;
	uint32_t	type;
};

/** reloc__read() - Read the next relocation of a section; @rela: with an addend. */
static inline struct reloc reloc__read(const struct image *img, struct cursor *c, bool rela)
{
	struct reloc e = {};
	uint64_t info;

	if (img->is_64) {
		e.offset = cursor__u64(c);
		info = cursor__u64(c);
		e.addend = rela ? cursor__u64(c) : 0;
		e.symbol = info >> 32;
		e.type = info;
	} else {
		e.offset = cursor__u32(c);
		info = cursor__u32(c);
		e.addend = rela ? (uint64_t)(int32_t)cursor__u32(c) : 0;
		e.symbol = info >> 8;
		e.type = info & 0xff;
	}
	return e;
}

/**
 * image__reloc_type() - get the type of 64-bit absolute relocations
 *
 * Return: R_X86_64_64 or its equivalent; 0 for unknown and for 32-bit
 * architectures, and for BPF programs.
 */
uint32_t image__reloc_type(const struct image *img);

#endif /* ABTF_IMAGE_RELOCATE_H */
