/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two edits of ELF files that the output needs, in either class and byte order: put
 * .BTF and related sections into a copy of an image, and make a small ELF file that
 * contains BTF.
 *
 * The image keeps its layout: except for BTF, section headers and the table of section
 * names, every byte stays where it is.  libelf could do that with ELF_F_LAYOUT, but would
 * save little code: writing headers is the small part, and libelf leaves the placement to
 * the caller (sections that an earlier call added, that are shared, allocated or in
 * segments; free headers).
 */
#ifndef ABTF_BTF_ELF_EDIT_H
#define ABTF_BTF_ELF_EDIT_H

#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

/**
 * struct btf_reloc - a relocation for a function's address
 * @offset:	bytes from the start of the BTF to the record
 * @symbol:	the function's index in .symtab
 */
struct btf_reloc {
	uint32_t	offset;
	uint32_t	symbol;
};

/**
 * struct btf_sections - the new sections of an image
 * @btf:	.BTF, @btf_size bytes
 * @base:	.BTF.base, @base_size bytes; NULL for none
 * @relocs:	entries of .rela.BTF, each with addend 0; without entries, there is no such
 *		section
 */
struct btf_sections {
	const void		*btf;
	size_t			btf_size;
	const void		*base;
	size_t			base_size;
	const struct btf_reloc	*relocs;
	uint32_t		nr_relocs;
};

/**
 * elf_edit__set_btf() - put BTF into a copy of an image
 * @fd:		the copy, open for writing; useless after an error
 * @img:	the original image
 *
 * An allocated section is written in place or not at all.  Any other section is
 * appended to the file, followed by the section headers, unless it fits in the place
 * of its old version.  Sections from an earlier call are replaced, or removed if @new
 * does not have them, so the file does not grow with every call, and repeating a call
 * changes nothing.
 *
 * Return: 0; -ENOSPC after a message if the bytes do not fit in an allocated
 * section; another negative errno after a message.
 */
int elf_edit__set_btf(int fd, const struct image *img, const struct btf_sections *new);

/**
 * elf_edit__wrap() - make an ELF file of .BTF and the image's build id
 * @img:	gives class, byte order, machine, e_flags and the build id note
 * @ret_size:	set to the size of the file
 *
 * Return: the malloc()ed file.
 */
uint8_t *elf_edit__wrap(const struct image *img, const void *bytes, size_t size, size_t *ret_size);

#endif /* ABTF_BTF_ELF_EDIT_H */
