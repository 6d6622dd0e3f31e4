/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that contain a kernel or a module, but are not ELF: compressed ones, and boot images.
 *
 * Decompressed bytes are limited, because a small file can decompress to more than all memory.
 */
#ifndef ABTF_IMAGE_COMPRESSED_H
#define ABTF_IMAGE_COMPRESSED_H

#include <stddef.h>
#include <stdint.h>

/* Bytes needed to recognize a file: up to "HdrS" of Documentation/arch/x86/boot.rst. */
#define COMPRESSED_HEAD	0x206

struct unpacker;

/**
 * struct compressed_format - a kind of such files
 * @reason:	of boot images and bitcode, which have no @name: why they are rejected
 * @name:	"xz"
 * @unpack:	a command that decompresses a file
 * @run:	decompress a stream; NULL: not supported
 */
struct compressed_format {
	size_t		at;
	const char	*magic;
	size_t		len;
	const char	*reason;
	const char	*name;
	const char	*unpack;
	const char	*(*run)(struct unpacker *u);
};

/* What names of compressed files end in; the first is for the others. */
#define NR_COMPRESSED_SUFFIXES	8
extern const char *const compressed_suffixes[NR_COMPRESSED_SUFFIXES];

/** compressed_suffix() - Return: where one of them begins in a path; its end if there is none. */
const char *compressed_suffix(const char *path);

/** compressed_format__find() - Return: the format, given the first bytes of a file, or NULL. */
const struct compressed_format *compressed_format__find(const uint8_t *head, size_t size);

/** compressed_format__reject() - Return: -EINVAL, after a message with the reason, or how to unpack the file. */
int compressed_format__reject(const struct compressed_format *f, const char *path);

/**
 * compressed_format__unpack() - decompress a whole file
 * @limit:	reject a file that takes more bytes
 * @ret:	the bytes, @size, from mmap()
 *
 * Return: 0, or a negative errno after a message.
 */
int compressed_format__unpack(const struct compressed_format *f, const char *path, const uint8_t *bytes,
			  size_t nr, uint64_t limit, uint8_t **ret, size_t *size);

#endif /* ABTF_IMAGE_COMPRESSED_H */
