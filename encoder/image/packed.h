/* SPDX-License-Identifier: GPL-2.0-only */
/* Recognize files that contain a kernel but are not ELF files, and print what to do. */
#ifndef ABTF_IMAGE_PACKED_H
#define ABTF_IMAGE_PACKED_H

#include <stddef.h>
#include <stdint.h>

/* Bytes needed to recognize a file: up to "HdrS" of Documentation/arch/x86/boot.rst. */
#define PACKED_HEAD	0x206

/**
 * packed__refuse() - reject compressed files and boot images
 * @head:	its first bytes
 * @size:	their number, PACKED_HEAD unless the file is shorter
 *
 * Return: -EINVAL after a message if it is one, otherwise 0.
 */
int packed__refuse(const char *path, const uint8_t *head, size_t size);

#endif /* ABTF_IMAGE_PACKED_H */
