/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a command that only reads is given: a file of BTF, or an image.
 *
 * An image that has DWARF but no BTF with addresses is encoded, as `abtf encode`
 * would do it, in memory: nobody has to write to a debug image to look at it.
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
 * @base:	what @btf stands on, or NULL
 * @encoding:	what @btf was made by, if that was in memory; else NULL
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
 * @image:	the image that detached BTF is of, or NULL
 * @base:	what split BTF stands on, a path; or NULL
 *
 * Return: 0, or a negative errno after a message.  To be closed also after an error.
 */
int input__open(struct input *in, const char *path, const char *image, const char *base);

/** input__symbols() - Return: the image's symbols, NULL if they were not read. */
const struct symbols *input__symbols(const struct input *in);

void input__close(struct input *in);

#endif /* ABTF_INSPECT_INPUT_H */
