/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ELF image, opened for reading: the mapped file and its sections.  The file may be
 * compressed (gzip, xz, zstd).
 *
 * Owns the mapping and the uncompressed bytes of sections.  Pointers into a section
 * are valid until image__close().  Immutable once opened, so threads share it
 * without locks.  Does not interpret DWARF or BTF.
 */
#ifndef ABTF_IMAGE_IMAGE_H
#define ABTF_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"
#include "util/grow.h"

/*
 * Maximum size of an uncompressed file and all its uncompressed sections; 0: depends on the
 * file's size.
 */
extern uint64_t image_max_uncompressed;

struct compressed_format;

enum section_compression {
	SECTION_PLAIN,		/* not compressed */
	SECTION_COMPRESSED,	/* SHF_COMPRESSED: starts with an Elf_Chdr */
	SECTION_ZLIB_GNU,	/* .zdebug_*: "ZLIB", size, zlib data */
};

/**
 * struct section - one section header with its size in bytes
 * @name:	from .shstrtab; ".zdebug_x" (zlib-gnu) is shown as ".debug_x"
 * @data:	the bytes, uncompressed; NULL for SHT_NOBITS, empty sections,
 *		and compressed ones not loaded yet (see image__load_section())
 * @size:	bytes in memory; for a compressed section the uncompressed size,
 *		after image__load_section()
 * @offset:	in the file
 * @file_size:	bytes in the file
 * @address:	sh_addr
 * @flags:	sh_flags
 * @type:	SHT_*
 * @link:	sh_link
 * @info:	sh_info
 * @index:	the section's index
 * @compression: of the bytes in the file
 * @owned:	uncompressed or relocated bytes that image__close() frees
 * @percpu:	it is called .data..percpu, and has per-CPU variables
 * @relocated:	its relocations were applied (see image/relocate.h)
 * @owned_name:	".debug_x" for a ".zdebug_x", also freed there
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
	bool		percpu;
	bool		relocated;
	void		*owned;
	char		*owned_name;
};

/** struct section_range - a range of addresses in one section, without @end */
struct section_range {
	uint64_t	start, end;
	uint32_t	section;
};

/**
 * struct image - an opened ELF file
 * @path:	as given, for messages
 * @map:	the whole file, read-only, uncompressed
 * @size:	bytes of @map
 * @compressed:	the compression of the file, or NULL
 * @max_uncompressed: limit for uncompressed bytes
 * @sections:	by section index; [0] is empty
 * @nr_sections: their number, may exceed SHN_LORESERVE
 * @percpu:	indexes of those with @percpu
 * @code:	the file with the bytes that this one lacks, or NULL; see image__attach()
 * @code_sections: by section of @code: the same section here, or 0
 * @running:	it is the running kernel's: the directory with the files of its machine, "" for
 *		this one; otherwise NULL
 * @machine:	EM_*
 * @type:	ET_*
 * @is_64:	ELFCLASS64
 * @swap:	byte order of the file and the host differ
 * @big_endian:	ELFDATA2MSB
 */
struct image {
	char		*path;
	const uint8_t	*map;
	size_t		size;
	const struct compressed_format *compressed;
	uint64_t	max_uncompressed;
	struct section	*sections;
	size_t		nr_sections;
	VECTOR(uint32_t) percpu;
	struct image	*code;
	uint32_t	*code_sections;
	const char	*running;
	uint16_t	machine;
	uint16_t	type;
	bool		is_64;
	bool		swap;
	bool		big_endian;
};

/**
 * image__open() - map an ELF file and read its section headers
 * @path:	the file
 * @ret:	the image
 *
 * Every header is checked against the file's size.  A compressed file is decompressed, but
 * no section is.
 *
 * Return: 0; -EINVAL after a message if this is not a well-formed ELF file, or
 * another negative errno after a message.
 */
int image__open(const char *path, struct image **ret);

void image__close(struct image *img);

/* for __cleanup() */
static inline void close_image(struct image **img)
{
	image__close(*img);
}

/**
 * image__lacks_code() - test whether sections with code have no bytes
 *
 * objcopy --only-keep-debug and eu-strip write files like that: the DWARF, and the headers of
 * all sections.
 */
bool image__lacks_code(const struct image *img);

/** image__has_only_data() - test for an image without sections for code, such as some modules */
bool image__has_only_data(const struct image *img);

/** image__same_build() - Compare build ids. Return: 1 or 0; -ENOENT if a file has no build id. */
int image__same_build(const struct image *a, const struct image *b);

/**
 * image__attach() - let a file with DWARF borrow the bytes that it lacks from the file with code
 * @other:	closed with @img
 *
 * Build ids must be equal.  Without build ids, the same sections must exist with the same
 * sizes.
 *
 * Return: 0; -ENOEXEC, without a message, if the files do not belong together, or @other has
 * no bytes that @img lacks.
 */
int image__attach(struct image *img, struct image *other);

/** image__with_code() - Return: the file whose relocations and symbols belong to the code. */
static inline const struct image *image__with_code(const struct image *img)
{
	return img->code ?: img;
}

/** image__own_section() - Return: a section of image__with_code(), as it is numbered in @img. */
static inline uint32_t image__own_section(const struct image *img, uint32_t section)
{
	return img->code ? img->code_sections[section] : section;
}

/** image__check_writable() - Return: -EINVAL after a message if the file is compressed, or 0. */
int image__check_writable(const struct image *img);

/**
 * image__is_elf() - test for the ELF magic, or for a file that image__open() decompresses
 *
 * Return: 1 or 0, or a negative errno after a message if it cannot be read, or is
 * known to be a boot image, or compressed in another way.
 */
int image__is_elf(const char *path);

/** image__section() - Return: the first section with the name, or NULL. */
struct section *image__section(const struct image *img, const char *name);

/** image__no_dwarf() - Return: why an image has no debug information, for a message. */
const char *image__no_dwarf(const struct image *img);

/**
 * image__has_bytes() - test for a section with bytes
 *
 * objcopy --only-keep-debug leaves no more than the header of other sections.
 */
bool image__has_bytes(const struct image *img, const char *name);

/** image__first_section() - Return: the first section of a type; @link: with it, or 0. */
const struct section *image__first_section(const struct image *img, uint32_t type, uint32_t link);

/* The size of a struct of elf.h in the class of an image: elf_sizeof(img, Shdr) */
#define elf_sizeof(img, type)	((img)->is_64 ? sizeof(Elf64_##type) : sizeof(Elf32_##type))

/** section__error() - Print an error about a section. Return: @err. */
#define section__error(err, img, sec, fmt, ...)					\
	msg_fail(err, "%s: section [%u] %.64s: " fmt, (img)->path, (sec)->index,	\
		 (sec)->name, ##__VA_ARGS__)

/** section__check_entries() - Return: -EINVAL after a message unless entries have @size bytes. */
int section__check_entries(const struct image *img, const struct section *sec, size_t size);

/**
 * image__load_section() - make a section's bytes available
 *
 * Uncompresses SHF_COMPRESSED (zlib, zstd) and .zdebug_* (zlib-gnu) sections;
 * others are in the mapping already.  Not thread-safe: call it before threads
 * start.
 *
 * Return: 0, or a negative errno after a message.
 */
int image__load_section(const struct image *img, struct section *sec);

/** image__cursor() - Return: a cursor over a loaded section. */
static inline struct cursor image__cursor(const struct image *img, const struct section *sec)
{
	return cursor__new(sec->data, sec->data ? sec->size : 0, img->swap);
}

/** image__word() - Read an address, or another word of the image's class. */
static inline uint64_t image__word(const struct image *img, struct cursor *c)
{
	return img->is_64 ? cursor__u64(c) : cursor__u32(c);
}

/** notes__build_id() - As image__build_id(), among the bytes of notes with this alignment. */
bool notes__build_id(struct cursor c, uint64_t align, const uint8_t **note, size_t *size);

/**
 * image__build_id() - the GNU build id note (NT_GNU_BUILD_ID)
 * @note:	the whole note, including header and name
 * @size:	its size in bytes
 *
 * Looks in the SHT_NOTE sections, or in "vmlinux"'s .notes.
 *
 * Return: true if there is one.
 */
bool image__build_id(const struct image *img, const uint8_t **note, size_t *size);

#endif /* ABTF_IMAGE_IMAGE_H */
