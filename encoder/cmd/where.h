/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of all commands that read an image: how to find it, and its maximum size. */
#ifndef ABTF_CMD_WHERE_H
#define ABTF_CMD_WHERE_H

#include "cmd/cmd.h"
#include "inspect/kept.h"

extern const struct opt where_options[];

/**
 * struct where - which image to look for
 * @module:	the name of a module of the running kernel, or NULL
 * @id:		build id of the kernel, if one was found
 * @cached:	it may be cached: where__open() uses, or makes, its cache entry
 * @is_kept:	its cache entry was read, to @kept
 */
struct where {
	bool		running;
	const char	*build_id;
	const char	*notes;
	const char	*sysroot;
	char		*module;
	struct build_id	id;
	bool		cached;
	bool		is_kept;
	struct function_map kept;
};

/** where__is_used() - Test for options that search for an image. */
bool where__is_used(const struct where *where);

/**
 * where__identify() - determine the build id
 *
 * Return: 0, also without such options; or a negative errno after a message.
 */
int where__identify(struct where *where);

/**
 * where__find() - find the image, and put its path before the other arguments
 * @argv:	as of getopt(); the place before optind is taken
 * @accept_cached: if the kernel is cached, do without its image
 *
 * Return: 0, also without such options; or a negative errno after a message.
 */
int where__find(struct where *where, char **argv, bool accept_cached);

/** where__take_image() - Return: the image that where__find() has opened, once; or NULL. */
struct image *where__take_image(void);

/**
 * where__open_image() - open an image, or take the one that where__find() has opened
 * @path:	if it is the pointer that where__find() put into argv, this image is meant
 *
 * Return: as image__open().
 */
int where__open_image(const char *path, struct image **ret);

/**
 * where__read() - read the functions of the image that was found, or of other arguments
 * @in:		not opened if the kernel is cached
 * @path, @image, @base: as for input__open()
 *
 * Return: 0, or a negative errno after a message.  @in and @map must be closed and destroyed in
 * both cases.
 */
int where__read(const struct where *where, struct input *in, struct function_map *map,
		const char *path, const char *image, const char *base);

#endif /* ABTF_CMD_WHERE_H */
