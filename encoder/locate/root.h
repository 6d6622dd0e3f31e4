/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths below another directory than "/": what a chroot would see there.
 *
 * Distributions link directories and images with absolute links, as /lib/modules/REL/build to
 * /usr/src/linux.  Below --sysroot, these must not lead to files of this machine.
 */
#ifndef ABTF_LOCATE_ROOT_H
#define ABTF_LOCATE_ROOT_H

/**
 * root__resolve() - resolve a path, and the links in all its parts, as if @root were "/"
 * @root:	"" for all of the machine
 *
 * If the last part is an absolute link to nothing below @root, but to a file of this machine, the
 * file is meant: somebody has linked images into @root instead of copying them.
 *
 * Return: a path on this machine without links below @root, which the caller frees; NULL with
 * errno if a part does not exist or cannot be read, ENOLINK if the last part is a link to nothing.
 */
char *root__resolve(const char *root, const char *path);

/**
 * root__match() - find files
 * @pattern:	a path whose parts may contain *
 * @fn:		called with each path below @root, unresolved, which need not exist if its last
 *		part has no *; also with each directory that must not be read
 */
void root__match(const char *root, const char *pattern, void (*fn)(const char *path, void *arg),
		 void *arg);

#endif /* ABTF_LOCATE_ROOT_H */
