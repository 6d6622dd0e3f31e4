/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that contain a kernel or a module, but are not ELF: compressed ones, and boot images.
 *
 * Decompressed bytes are limited, because a small file can decompress to more than all memory.
 */
#ifndef ABTF_IMAGE_PACKED_H
#define ABTF_IMAGE_PACKED_H

#include <stddef.h>
#include <stdint.h>

/* Bytes needed to recognize a file: up to "HdrS" of Documentation/arch/x86/boot.rst. */
#define PACKED_HEAD	0x206

struct unpacker;

/**
 * struct packed_format - a kind of such files
 * @name:	"xz", or NULL for boot images
 * @unpack:	a command that decompresses a file
 * @run:	decompress a stream; NULL: not supported
 */
struct packed_format {
	size_t		at;
	const char	*magic;
	size_t		len;
	const char	*name;
	const char	*unpack;
	const char	*(*run)(struct unpacker *u);
};

/* What names of compressed files end in; the first is for the others. */
#define NR_PACKED_SUFFIXES	8
extern const char *const packed_suffixes[NR_PACKED_SUFFIXES];

/** packed_suffix() - Return: where one of them begins in a path; its end if there is none. */
const char *packed_suffix(const char *path);

/** packed_format__find() - Return: the format, given the first bytes of a file, or NULL. */
const struct packed_format *packed_format__find(const uint8_t *head, size_t size);

/** packed_format__reject() - Return: -EINVAL, after a message that says how to unpack the file. */
int packed_format__reject(const struct packed_format *f, const char *path);

/**
 * packed_format__unpack() - decompress a whole file
 * @limit:	reject a file that takes more bytes
 * @ret:	the bytes, @size, from mmap()
 *
 * Return: 0, or a negative errno after a message.
 */
int packed_format__unpack(const struct packed_format *f, const char *path, const uint8_t *bytes,
			  size_t nr, uint64_t limit, uint8_t **ret, size_t *size);

#endif /* ABTF_IMAGE_PACKED_H */
