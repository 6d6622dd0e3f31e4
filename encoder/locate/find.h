/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the image with debug information of a kernel on this machine.
 *
 * Given a build id, search the directories in which distributions install such images, then
 * query debuginfod servers.  The result has that build id and .debug_info.
 */
#ifndef ABTF_LOCATE_FIND_H
#define ABTF_LOCATE_FIND_H

#include "locate/build_id.h"

/**
 * find_image() - find the vmlinux with a build id
 * @id:		of the image
 * @sysroot:	look below this directory, "" for all of the machine
 * @ret:	set to its path, malloc()ed
 *
 * Return: 0; -ENOENT after a message that says what to do; another negative errno
 * after a message.
 */
int find_image(const struct build_id *id, const char *sysroot, char **ret);

/**
 * find_module() - find the file with debug information of a module of the running kernel
 * @name:	of the module, as in /sys/module
 *
 * If the module is loaded, the file has its build id.  Otherwise it is found by the release
 * of the kernel and by name.
 *
 * Return: as find_image().
 */
int find_module(const char *name, const char *sysroot, char **ret);

#endif /* ABTF_LOCATE_FIND_H */
