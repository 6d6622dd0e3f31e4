/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two edits of ELF files that the output needs, in either class and byte order: put
 * .BTF and related sections into a copy of an image, and make a small ELF file that
 * contains BTF.
 *
 * The image keeps its layout: except for BTF, section headers and the table of section
 * names, every byte stays where it is.  libelf could do that with ELF_F_LAYOUT, but would
 * save little code: writing headers is the small part, and libelf leaves the placement to
 * the caller (sections that an earlier call added, that are shared, allocated or in
 * segments; free headers).
 */
#ifndef ABTF_BTF_ELF_EDIT_H
#define ABTF_BTF_ELF_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/write.h"
#include "image/image.h"

/**
 * elf_edit__check() - test whether BTF can be put into an image, without contradicting the rest
 * @strip_signature: accept a module with a signature, which elf_edit__set_btf() removes
 *
 * .BTF.ext of a BPF object and relocations of .BTF refer to the current .BTF.  A signature does not
 * fit the new file, and the kernel only finds it at the end.
 *
 * Return: 0, or -EINVAL after a message that suggests another way.
 */
int elf_edit__check(const struct image *img, bool strip_signature);

/**
 * elf_edit__set_btf() - put BTF into a copy of an image
 * @fd:		the copy, open for writing; useless after an error
 * @img:	the original image, accepted by elf_edit__check()
 *
 * An allocated section is written in place or not at all.  Any other section is
 * appended to the file, followed by the section headers, unless it fits in the place
 * of its old version.  Sections from an earlier call are replaced, or removed if @new
 * does not have them, so the file does not grow with every call, and repeating a call
 * changes nothing.
 *
 * Return: 0; -ENOSPC after a message if the bytes do not fit in an allocated
 * section; another negative errno after a message.
 */
int elf_edit__set_btf(int fd, const struct image *img, const struct btf_bytes *new);

/**
 * elf_edit__wrap() - make an ELF file of .BTF and the image's build id
 * @img:	gives class, byte order, machine, e_flags and the build id note
 * @ret_size:	set to the size of the file
 *
 * Return: the malloc()ed file.
 */
uint8_t *elf_edit__wrap(const struct image *img, const void *bytes, size_t size, size_t *ret_size);

#endif /* ABTF_BTF_ELF_EDIT_H */
