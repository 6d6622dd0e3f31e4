/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing the headers of ELF files of either class and byte order. */
#ifndef ABTF_BTF_ELF_FIELDS_H
#define ABTF_BTF_ELF_FIELDS_H

#include <elf.h>
#include <stddef.h>

#include "image/image.h"

/* BTF is read as 32-bit words, and the table of section headers holds 64-bit ones. */
#define BTF_ALIGN	4
#define TABLE_ALIGN	8

/* Where a header's field is, in the image's class. */
#define EHDR(img, field) \
	((img)->is_64 ? offsetof(Elf64_Ehdr, field) : offsetof(Elf32_Ehdr, field))
#define SHDR(img, field) \
	((img)->is_64 ? offsetof(Elf64_Shdr, field) : offsetof(Elf32_Shdr, field))

static inline size_t elf_ehdr_size(const struct image *img)
{
	return img->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
}

static inline size_t elf_shdr_size(const struct image *img)
{
	return img->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

static inline uint64_t align_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) & -align;
}

/* Write a number in the image's byte order; a word is an address, offset or size. */
void elf_store16(const struct image *img, uint8_t *p, uint16_t v);
void elf_store32(const struct image *img, uint8_t *p, uint32_t v);
void elf_store_word(const struct image *img, uint8_t *p, uint64_t v);

/* Write what a section header says of a section, but for its name. */
void elf_store_section(const struct image *img, uint8_t *shdr, const struct section *sec);

/* Write a range of a copy of an image.  Return: 0, or a negative errno after a message. */
int elf_write_at(int fd, const struct image *img, const void *bytes, size_t size,
		 uint64_t offset);

#endif /* ABTF_BTF_ELF_FIELDS_H */
