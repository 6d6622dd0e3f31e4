/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of all commands that read an image: how to find it, and its maximum size. */
#ifndef ABTF_CMD_WHERE_H
#define ABTF_CMD_WHERE_H

#include "cmd/cmd.h"
#include "inspect/kept.h"

extern const struct opt where_options[];

/** struct where_source - one of several images: the build id, or a file of notes that has it */
struct where_source {
	const char	*build_id;
	const char	*notes;
};

/**
 * struct where - which image to look for
 * @sysroot:	search below this directory; "" for all of the machine
 * @module:	the name of a module, or NULL
 * @source:	the last of @sources
 * @several:	there may be several of them, and @running, too
 */
struct where {
	bool		running;
	const char	*sysroot;
	char		*module;
	struct where_source source;
	VECTOR(struct where_source) sources;
	bool		several;
};

/** where__destroy() - Free the list of sources. */
void where__destroy(struct where *where);

/** where__is_ambiguous() - Test for options that identify several images, unless they may. */
bool where__is_ambiguous(const struct where *where);

/** where__is_used() - Test for options that search for an image. */
bool where__is_used(const struct where *where);

/** where__is_running() - Test whether the image is of the running kernel or its modules. */
bool where__is_running(const struct where *where);

/**
 * where__identify() - determine the build id of the kernel or module
 *
 * Return: 0, or a negative errno after a message.
 */
int where__identify(const struct where *where, struct build_id *ret);

/**
 * where__open() - find and open the image
 * @where:	at least one of the options was used
 * @cached:	NULL; or gets the kernel's functions if they are cached, instead of the image
 * @ret:	the image, NULL if it is cached
 *
 * Return: 0, or a negative errno after a message.
 */
int where__open(const struct where *where, struct function_map *cached, struct image **ret);

/**
 * where__find() - find the image, and put its path before the other arguments
 * @argv:	as of getopt(); the place before optind is taken
 * @cached:	as for where__open()
 * @ret:	the image, to be closed by the caller; NULL without such options, or if it is cached
 *
 * Return: 0, or a negative errno after a message.
 */
int where__find(struct where *where, char **argv, struct function_map *cached,
		struct image **ret);

/**
 * where__read() - read the functions of the image that was found, or of another one
 * @path:	of the image or BTF
 * @img:	the image that where__find() opened, which @in closes; or NULL
 * @base:	path of the base of split BTF, or NULL
 * @in:		not opened if the kernel is cached
 * @map:	as set by where__find()
 *
 * The functions of a kernel that was found are cached.
 *
 * Return: 0, or a negative errno after a message.  @in and @map must be closed and destroyed in
 * both cases.
 */
int where__read(const struct where *where, const char *path, struct image *img, const char *base,
		struct input *in, struct function_map *map);

#endif /* ABTF_CMD_WHERE_H */
