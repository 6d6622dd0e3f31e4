/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the image with debug information of a kernel or module on this machine.
 *
 * Search the directories in which distributions install such images, by build id and by name,
 * follow the debuglink of a stripped image, then query debuginfod servers.  Files may be
 * compressed.  If the file with debug information has no code, the file with the code is
 * attached to it (see image__attach()), if it is found.
 *
 * If nothing is found, messages name files that are there, and why they cannot be used.
 */
#ifndef ABTF_LOCATE_FIND_H
#define ABTF_LOCATE_FIND_H

#include "locate/build_id.h"

/**
 * find_image() - find the vmlinux with a build id
 * @id:		of the image
 * @root:	look below this directory, "" for all of the machine; must outlive @ret
 * @running:	it is the running kernel's: compressed files are only opened, and files that cannot be used
 *		are only named, if their path has its release
 * @ret:	set to the image, which has debug information
 *
 * Return: 0; -ENOENT after a message that says what to do; another negative errno
 * after a message.
 */
int find_image(const struct build_id *id, const char *root, bool running, struct image **ret);

/**
 * find_module() - find the file with debug information of a module
 * @name:	of the module, as in /sys/module
 * @id:		its build id; if its size is 0, the module is one of the running kernel
 *
 * The file of a module that is loaded has its build id.  Otherwise it is found by the release of
 * the running kernel and by name.
 *
 * Return: as find_image().
 */
int find_module(const char *name, const struct build_id *id, const char *root,
		struct image **ret);

/**
 * find_code() - attach the code to an image that lacks it
 *
 * Search this machine, not debuginfod servers, for a file with the image's build id.  Without
 * such a file, nothing happens.
 */
void find_code(struct image *img);

#endif /* ABTF_LOCATE_FIND_H */
