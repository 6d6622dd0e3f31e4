/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two edits of ELF files that the output needs, in either class and byte
 * order: put a .BTF section, and what belongs to it, into a copy of an image, and
 * make a small ELF file around BTF.
 *
 * Nothing of an image is laid out anew: a byte that is not BTF, a section
 * header or the table of section names stays where it is.  libelf could do that with
 * ELF_F_LAYOUT, but would save little: what is long here are the rules of what goes where
 * (what an earlier call left, what is shared, allocated or in segments, which header is
 * free), which libelf leaves to the caller, and not the writing of headers.
 */
#ifndef ABTF_BTF_ELF_EDIT_H
#define ABTF_BTF_ELF_EDIT_H

#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

/**
 * struct btf_reloc - where BTF says the address of a function
 * @offset:	bytes from the start of the BTF to the record
 * @symbol:	the function's index in .symtab
 */
struct btf_reloc {
	uint32_t	offset;
	uint32_t	symbol;
};

/**
 * struct btf_sections - what an image is to have
 * @btf:	.BTF, @btf_size bytes
 * @base:	.BTF.base, @base_size bytes; NULL for none
 * @relocs:	entries of .rela.BTF, each with addend 0; without any there is
 *		no such section
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
 * @fd:		the copy, open for writing; changed, and of no use after an error
 * @img:	what it is a copy of
 *
 * An allocated section is written in place or not at all.  Any other is put at
 * the end of the file, with the section headers behind it, unless it fits where
 * an old one was.  What an earlier call put there is replaced, or removed if
 * @new has no such section, so the file does not grow from call to call, and the
 * same call twice gives the same bytes.
 *
 * Return: 0; -ENOSPC after a message if the bytes do not fit in an allocated
 * section; another negative errno after a message.
 */
int elf_edit__set_btf(int fd, const struct image *img, const struct btf_sections *new);

/**
 * elf_edit__wrap() - make an ELF file of .BTF and the image's build id
 * @img:	gives class, byte order, machine, e_flags and the build id note
 * @ret:	where a malloc()ed buffer goes
 * @ret_size:	its bytes
 *
 * Return: 0, or a negative errno after a message.
 */
int elf_edit__wrap(const struct image *img, const void *bytes, size_t size,
		   uint8_t **ret, size_t *ret_size);

#endif /* ABTF_BTF_ELF_EDIT_H */
