/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Write finished BTF to a separate file, to a small ELF file, or to the image's .BTF
 * section.
 *
 * In all three cases a temporary file in the target's directory is renamed over the
 * target, so that a program that dies leaves either the old or the new file.  (Nothing
 * is synced: as with a linker's output, the result of a power failure depends on the
 * file system.  After SIGKILL the temporary file remains: an unnamed one, O_TMPFILE,
 * would also need a name before it could replace an existing target.)
 *
 * Mode, owner and (for in-place) the rest of the file are kept, as are ACLs and other extended
 * attributes, except for those of the old content.  A warning names whatever is not kept, also
 * other hard links to the old file.
 *
 * A target that is not a regular file (a pipe, /dev/null, an open descriptor such as
 * /dev/stdout) is written to, never replaced.
 */
#ifndef ABTF_BTF_OUTPUT_H
#define ABTF_BTF_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "btf/elf_edit.h"
#include "image/image.h"

/**
 * output__is_same() - test whether two paths lead to one file, existing or not
 *
 * Files that are written but never replaced, such as /dev/null, a pipe or "-", are
 * different from all others.
 */
bool output__is_same(const char *a, const char *b);

/**
 * output__file() - write bytes to a file
 * @path:	the target; "-" is stdout
 *
 * A symbolic link is followed, so that its target is what is replaced.
 *
 * Return: 0, or a negative errno after a message.
 */
int output__file(const char *path, const void *bytes, size_t size);

/**
 * output__private() - write a file that only this user reads, as a cache
 * @path:	the target; replaced, never followed or written to, whatever it is
 *
 * Return: 0, or a negative errno after a message that only -v prints.
 */
int output__private(const char *path, const void *bytes, size_t size);

/**
 * output__replace() - write a file, as output__private(), for all users
 *
 * Return: as output__file().
 */
int output__replace(const char *path, const void *bytes, size_t size);

/**
 * output__make_directories() - create the parent directories of a file
 *
 * Return: 0, or a negative errno after a message.
 */
int output__make_directories(const char *path);

/**
 * output__elf() - write a small ELF file with .BTF and the image's build id
 * @path:	the target
 * @img:	gives class, byte order, machine and .note.gnu.build-id
 *
 * Return: as output__file().
 */
int output__elf(const char *path, const struct image *img, const void *bytes, size_t size);

/**
 * output__in_place() - put BTF and related sections into the image
 * @path:	the image's file, replaced atomically
 * @img:	the same file, opened
 * @new:	its new sections, see elf_edit__set_btf()
 *
 * A .BTF section that is not allocated is replaced, and added if there is
 * none.  An allocated one is never moved, grown or shrunk: the bytes must fit, and
 * the string section is padded with zeroes to fill the rest, so it may be longer than
 * the one in @new.
 *
 * Return: as output__file(); -ENOSPC after a message that suggests -o if the
 * bytes do not fit.
 */
int output__in_place(const char *path, const struct image *img, const struct btf_bytes *new);

#endif /* ABTF_BTF_OUTPUT_H */
