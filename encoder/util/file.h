/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading and writing of whole files. */
#ifndef ABTF_UTIL_FILE_H
#define ABTF_UTIL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More bytes than a file of BTF has. */
#define MAX_FILE	(1UL << 30)

/**
 * file__read() - read a file, which may be a pipe, a device or in /sys
 * @flags:	for open(2)
 * @max:	the rest of a larger file is not read
 * @goes_on:	called with the bytes read so far, returns whether to read on; may be NULL
 * @ret:	the bytes and a NUL; the caller frees it, after an error, too
 * @size:	without the NUL
 *
 * Return: 0, or a negative errno without a message.
 */
int file__read(const char *path, int flags, size_t max,
	       bool (*goes_on)(const uint8_t *bytes, size_t size), uint8_t **ret, size_t *size);

/** file__write() - Write all bytes. Return: 0, or a negative errno without a message. */
int file__write(int fd, const void *bytes, size_t size);

#endif /* ABTF_UTIL_FILE_H */
