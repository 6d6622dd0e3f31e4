/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The input of a read-only command: a BTF file, or an image with BTF or DWARF.
 *
 * An image can be encoded in memory, so that a debug image can be read without modifying it.
 */
#ifndef ABTF_INSPECT_INPUT_H
#define ABTF_INSPECT_INPUT_H

#include "btf/read.h"
#include "encode.h"

struct funcs;

/**
 * struct input - an opened input
 * @path:	as given
 * @img:	the image, NULL if there is only BTF
 * @btf:	BTF of a file or of the image; NULL if the image lacks BTF, or BTF with addresses,
 *		and has DWARF
 * @base:	the base of @btf, or NULL
 * @threads:	for reading it; all cores, if nothing else is set
 * @encoding:	of the image in memory, after input__encode(), or NULL
 */
struct input {
	const char		*path;
	struct image		*img;
	struct btf_data		*btf;
	struct btf_data		*base;
	struct encoding		*encoding;
	unsigned int		threads;
};

/**
 * input__open() - open an input
 * @path:	an image or BTF
 * @img:	the image, if it is open already, which is closed with the input; otherwise NULL
 * @image:	path of the image that detached BTF describes, or NULL; may be @path
 * @base:	path of the base of split BTF, or NULL
 *
 * If an image lacks code, the file with its code is found by its build id.
 *
 * Return: 0, or a negative errno after a message.  Must be closed in both cases.
 */
int input__open(struct input *in, const char *path, struct image *img, const char *image,
		const char *base);

/** input__open_image() - Open an image without reading its BTF; return as input__open(). */
int input__open_image(struct input *in, const char *path, struct image *img);

/**
 * input__encode() - encode the image in memory, as `abtf encode` does
 * @for_map:	for the function map: also functions whose prototypes are not proven
 *
 * Functions with a shared name that ftrace cannot patch are included.
 *
 * Return: 0, or a negative errno after a message.
 */
int input__encode(struct input *in, bool for_map);

/**
 * input__read_funcs() - get the FUNCs of BTF; without BTF, encode the image
 * @ret:	must be freed before the input is closed
 *
 * Return: 0, or a negative errno after a message.
 */
int input__read_funcs(struct input *in, struct funcs **ret);

void input__close(struct input *in);

#endif /* ABTF_INSPECT_INPUT_H */
