/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where finished BTF goes: a file of its own, a small ELF file, or the image's
 * .BTF section.
 *
 * All three are written beside the target under a temporary name and renamed
 * over it, so that whatever becomes of the program the target is either the old
 * file or the new one.  (What a power failure leaves is up to the file system, as
 * for the files of a linker: nothing is synced.  What SIGKILL leaves is the temporary
 * file: one without a name, O_TMPFILE, could not take the place of a target that
 * is there without getting one first.)
 *
 * Mode, owner and (for in-place) the rest of the file are kept, and extended
 * attributes as far as the file system lets us.  Not kept is that several hard links
 * lead to one file.
 *
 * A target that is no regular file (a pipe, /dev/null, an open descriptor such
 * as /dev/stdout) is written, never replaced.
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
 * output__elf() - write a small ELF file with .BTF and the image's build id
 * @path:	the target
 * @img:	gives class, byte order, machine and .note.gnu.build-id
 *
 * Return: as output__file().
 */
int output__elf(const char *path, const struct image *img, const void *bytes, size_t size);

/**
 * output__in_place() - put BTF into the image's .BTF section, and what belongs to it
 * @path:	the image's file, replaced atomically
 * @img:	the same file, opened
 * @new:	what it is to have, see elf_edit__set_btf()
 *
 * A .BTF section that is not allocated is replaced, and added if there is
 * none.  An allocated one is never moved, grown or shrunk: the bytes must fit,
 * and the string section is stretched with zeroes over what is left, so its
 * length is not always that of @bytes'.
 *
 * Return: as output__file(); -ENOSPC after a message that suggests -o if the
 * bytes do not fit.
 */
int output__in_place(const char *path, const struct image *img, const struct btf_sections *new);

#endif /* ABTF_BTF_OUTPUT_H */
