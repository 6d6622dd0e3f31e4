/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The input of a read-only command: a BTF file, an image, or a cached kernel.
 *
 * An image that has DWARF but no BTF with addresses is encoded in memory, as
 * `abtf encode` would do it, so that a debug image can be read without modifying it.
 * Functions with a shared name that ftrace cannot patch are included, because a
 * user who lists functions wants to see them.
 */
#ifndef ABTF_INSPECT_INPUT_H
#define ABTF_INSPECT_INPUT_H

#include "inspect/funcs.h"
#include "inspect/kept.h"

struct base;
struct encoding;

/**
 * struct input - an opened input
 * @path:	as given
 * @img:	the image, NULL if there is only BTF
 * @btf:	the functions
 * @funcs:	the same, sorted by name
 * @kept:	the cache entry that contains @btf, or NULL
 * @base:	the base of @btf, or NULL
 * @has_ids:	the ids are those of BTF in a file, not of BTF generated in memory
 * @encoding:	the encoding that produced @btf in memory, or NULL
 * @encoded_base: the base of @encoding, or NULL
 * @syms:	the image's symbols, NULL if they were not read; @own_syms: the same, if they
 *		are not those of @encoding
 * @decls:	own the names of files in @funcs
 * @left_out:	the numbers of listed and omitted functions, as text; NULL if unknown
 * @calls:	numbers of inlined calls, @nr_calls
 * @bytes:	raw BTF with addresses, @size bytes, if there is an image; otherwise NULL
 */
struct input {
	const char		*path;
	struct image		*img;
	struct btf_data		*btf;
	struct funcs		*funcs;
	struct kept		*kept;
	struct btf_data		*base;
	bool			has_ids;
	struct encoding		*encoding;
	struct base		*encoded_base;
	const struct symbols	*syms;
	struct symbols		*own_syms;
	struct decl		*decls;
	char			*left_out;
	uint32_t		*calls;
	uint32_t		nr_calls;
	const void		*bytes;
	size_t			size;
};

/**
 * input__open() - open an input
 * @path:	an image or BTF
 * @image:	path of the image that detached BTF describes, or NULL
 * @base:	path of the base of split BTF, or NULL
 *
 * Return: 0, or a negative errno after a message.  Must be closed in both cases.
 */
int input__open(struct input *in, const char *path, const char *image, const char *base);

/**
 * input__open_kernel() - open a kernel that was found by its build id
 * @path:	the image, which is opened and cached; with @kept, only used in messages
 * @kept:	its cache entry, or NULL; freed with the input
 *
 * Return: as input__open().
 */
int input__open_kernel(struct input *in, const char *path, const struct build_id *id,
		       struct kept *kept);

void input__close(struct input *in);

#endif /* ABTF_INSPECT_INPUT_H */
