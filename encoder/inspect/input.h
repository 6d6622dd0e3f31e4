/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The input of a read-only command: a BTF file or an image.
 *
 * An image that has DWARF but no BTF with addresses is encoded in memory, as
 * `abtf encode` would do it, so that a debug image can be read without modifying it.
 * Functions with a shared name that ftrace cannot patch are included, because a
 * user who lists functions wants to see them.
 */
#ifndef ABTF_INSPECT_INPUT_H
#define ABTF_INSPECT_INPUT_H

#include "btf/read.h"

struct encoding;
struct symbols;

/**
 * struct input - an opened one
 * @path:	as given
 * @img:	the image, NULL if there is only BTF
 * @btf:	the functions
 * @base:	the base of @btf, or NULL
 * @encoding:	the encoding that produced @btf in memory, or NULL
 * @made:	all that belongs to it
 * @bytes:	raw BTF with addresses, @size bytes, if it is of an image; else NULL
 */
struct input {
	const char		*path;
	struct image		*img;
	struct btf_data		*btf;
	struct btf_data		*base;
	const struct encoding	*encoding;
	struct made		*made;
	const void		*bytes;
	size_t			size;
};

/**
 * input__open() - open it
 * @path:	an image or BTF
 * @image:	path of the image that detached BTF describes, or NULL
 * @base:	path of the base of split BTF, or NULL
 *
 * Return: 0, or a negative errno after a message.  To be closed also after an error.
 */
int input__open(struct input *in, const char *path, const char *image, const char *base);

/** input__symbols() - Return: the image's symbols, NULL if they were not read. */
const struct symbols *input__symbols(const struct input *in);

void input__close(struct input *in);

#endif /* ABTF_INSPECT_INPUT_H */
