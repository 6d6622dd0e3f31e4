/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where on this machine is the image with debug information of a kernel?
 *
 * Given a build id; looks where distributions put such images, then asks
 * debuginfod.  What is handed on has that build id, and DWARF or BTF.
 */
#ifndef ABTF_LOCATE_FIND_H
#define ABTF_LOCATE_FIND_H

#include "locate/build_id.h"

/**
 * find_image() - find it
 * @id:		of the image
 * @sysroot:	look below this folder, "" for all of the machine
 * @ret:	where its path goes, malloc()ed
 *
 * Return: 0; -ENOENT after a message that says what to do; another negative errno
 * after a message.
 */
int find_image(const struct build_id *id, const char *sysroot, char **ret);

/**
 * find_module() - find the file with debug information of a module of the running kernel
 * @name:	of the module, with '-' or '_'
 *
 * If the module is loaded, the file has its build id.  Otherwise it is found by the release
 * of the kernel and by name.
 *
 * Return: as find_image().
 */
int find_module(const char *name, const char *sysroot, char **ret);

#endif /* ABTF_LOCATE_FIND_H */
