/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that hold a kernel but are no ELF file: what they are, and what to do. */
#ifndef ABTF_IMAGE_PACKED_H
#define ABTF_IMAGE_PACKED_H

#include <stddef.h>
#include <stdint.h>

/* So many bytes say what a file is: up to "HdrS" of Documentation/arch/x86/boot.rst. */
#define PACKED_HEAD	0x206

/**
 * packed__refuse() - is this a compressed file or a boot image?
 * @head:	its first bytes
 * @size:	their number, PACKED_HEAD if there are so many
 *
 * Return: -EINVAL after a message if it is, else 0.
 */
int packed__refuse(const char *path, const uint8_t *head, size_t size);

#endif /* ABTF_IMAGE_PACKED_H */
