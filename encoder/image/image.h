/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ELF image, opened for reading: the mapped file and its sections.
 *
 * Owns the mapping and every section's uncompressed bytes; whatever points
 * into a section stays valid until image__close().  Immutable once opened, so
 * threads share it without locks.  Knows nothing of DWARF or BTF.
 */
#ifndef ABTF_IMAGE_IMAGE_H
#define ABTF_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

enum section_compression {
	SECTION_PLAIN,		/* as it is */
	SECTION_COMPRESSED,	/* SHF_COMPRESSED: an Elf_Chdr says how */
	SECTION_ZLIB_GNU,	/* .zdebug_*: "ZLIB", size, zlib data */
};

/**
 * struct section - one section header with its bytes
 * @name:	from .shstrtab; ".zdebug_x" (zlib-gnu) is shown as ".debug_x"
 * @data:	the bytes, uncompressed; NULL for SHT_NOBITS, empty sections,
 *		and compressed ones not asked for yet (see image__load_section())
 * @size:	bytes in memory; for a compressed section the uncompressed size,
 *		once image__load_section() has found it out
 * @offset:	where it stands in the file
 * @file_size:	bytes it takes in the file
 * @address:	sh_addr
 * @flags:	sh_flags
 * @type:	SHT_*
 * @link:	sh_link
 * @info:	sh_info
 * @index:	the section's index
 * @compression: how the bytes stand in the file
 * @owned:	uncompressed or relocated bytes that image__close() frees
 * @relocated:	its relocations were applied (see image/relocate.h)
 * @owned_name:	a ".debug_x" made of a ".zdebug_x", freed there as well
 */
struct section {
	const char	*name;
	const uint8_t	*data;
	uint64_t	size;
	uint64_t	offset;
	uint64_t	file_size;
	uint64_t	address;
	uint64_t	flags;
	uint64_t	entry_size;
	uint64_t	align;
	uint32_t	type;
	uint32_t	link;
	uint32_t	info;
	uint32_t	index;
	enum section_compression compression;
	bool		relocated;
	void		*owned;
	char		*owned_name;
};

/**
 * struct image - an opened ELF file
 * @path:	as given, for messages
 * @map:	the whole file, read-only
 * @size:	bytes of the file
 * @sections:	by section index; [0] is the empty one
 * @nr_sections: their number, also beyond SHN_LORESERVE
 * @machine:	EM_*
 * @type:	ET_*
 * @is_64:	ELFCLASS64
 * @swap:	the file has the other byte order than the host
 * @big_endian:	ELFDATA2MSB
 */
struct image {
	const char	*path;
	const uint8_t	*map;
	size_t		size;
	struct section	*sections;
	size_t		nr_sections;
	uint16_t	machine;
	uint16_t	type;
	bool		is_64;
	bool		swap;
	bool		big_endian;
};

/**
 * image__open() - map an ELF file and read its section headers
 * @path:	the file; kept, not copied
 * @ret:	where the image goes
 *
 * Every header is checked against the file's size.  Nothing is decompressed.
 *
 * Return: 0; -EINVAL after a message if this is no well-formed ELF file, or
 * another negative errno after a message.
 */
int image__open(const char *path, struct image **ret);

void image__close(struct image *img);

/**
 * image__is_elf() - does a file start with the ELF magic?
 *
 * Return: 1 or 0, or a negative errno after a message if it cannot be read, or is
 * known to be a compressed file or a boot image.
 */
int image__is_elf(const char *path);

/**
 * image__forget() - give the pages of a part of the file back, before image__close() does
 *
 * What is read of it afterwards is mapped again.
 */
void image__forget(const struct image *img, const uint8_t *start, const uint8_t *end);

/** image__section() - Return: the first section of that name, or NULL. */
struct section *image__section(const struct image *img, const char *name);

/**
 * image__load_section() - make a section's bytes available
 *
 * Uncompresses SHF_COMPRESSED (zlib, zstd) and .zdebug_* (zlib-gnu) sections;
 * the others are in the mapping already.  Not thread-safe: called before the
 * threads start.
 *
 * Return: 0, or a negative errno after a message.
 */
int image__load_section(const struct image *img, struct section *sec);

/** image__cursor() - Return: a cursor over a loaded section. */
static inline struct cursor image__cursor(const struct image *img, const struct section *sec)
{
	return cursor__new(sec->data, sec->data ? sec->size : 0, img->swap);
}

/**
 * image__build_id() - the GNU build id note (NT_GNU_BUILD_ID)
 * @note:	the whole note, header and name included
 * @size:	its bytes
 *
 * Looks in the SHT_NOTE sections, or in "vmlinux"'s .notes.
 *
 * Return: true if there is one.
 */
bool image__build_id(const struct image *img, const uint8_t **note, size_t *size);

#endif /* ABTF_IMAGE_IMAGE_H */
