/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of all commands that read an image: where it is found, and how large it may be. */
#ifndef ABTF_CMD_WHERE_H
#define ABTF_CMD_WHERE_H

#include <getopt.h>

#include "locate/build_id.h"

enum {
	OPT_RUNNING = 512, OPT_BUILD_ID, OPT_NOTES, OPT_SYSROOT, OPT_MAX_UNCOMPRESSED,
	OPT_MODULE,
};

/* for a command's table of options */
#define WHERE_OPTIONS						\
	{ "running",  no_argument,	 NULL, OPT_RUNNING },	\
	{ "build-id", required_argument, NULL, OPT_BUILD_ID },	\
	{ "notes",    required_argument, NULL, OPT_NOTES },	\
	{ "sysroot",  required_argument, NULL, OPT_SYSROOT },	\
	{ "module",   required_argument, NULL, OPT_MODULE },	\
	{ "max-uncompressed", required_argument, NULL, OPT_MAX_UNCOMPRESSED }

/* and for its help */
#define WHERE_HELP								\
	"      --running           in place of IMAGE: that of the running kernel\n"	\
	"      --module=NAME       with --running: the file of that module\n"		\
	"      --build-id=HEX      that with this build id\n"			\
	"      --notes=FILE        that with the build id in FILE, a copy of another\n"	\
	"                          machine's /sys/kernel/notes\n"		\
	"      --sysroot=DIR       look for all three below DIR\n"			\
	"      --max-uncompressed=MB  what compressed sections may take (default: 16\n"	\
	"                          times the file's size, at least 256)\n"

/**
 * struct where - what was asked for
 * @asked:	an image is to be looked for
 * @module:	the name of a module of the running kernel, or NULL
 */
struct where {
	bool		asked;
	const char	*build_id;
	const char	*notes;
	const char	*sysroot;
	const char	*module;
	struct build_id	id;
};

/** where__option() - Take one of these options. Return: false if it is none of them. */
bool where__option(struct where *where, int opt);

/**
 * where__identify() - find out the build id
 *
 * Return: 0, also if nothing was asked for; or a negative errno after a message.
 */
int where__identify(struct where *where);

/** where__name() - Put the build id before the other arguments, as where__find() the path. */
int where__name(struct where *where, char **argv);

/**
 * where__find() - find the image, and put its path before the other arguments
 * @argv:	as of getopt(); the place before optind is taken
 *
 * Return: 0, also if nothing was asked for; or a negative errno after a message.
 */
int where__find(struct where *where, char **argv);

#endif /* ABTF_CMD_WHERE_H */
