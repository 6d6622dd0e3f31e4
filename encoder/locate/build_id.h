/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Build ids identify a build of a kernel.
 *
 * A linker puts a hash of the image into a note (NT_GNU_BUILD_ID).  The running
 * kernel shows its notes in /sys/kernel/notes.
 */
#ifndef ABTF_LOCATE_BUILD_ID_H
#define ABTF_LOCATE_BUILD_ID_H

#include "image/identity.h"

#define BUILD_ID_HEX	(2 * BUILD_ID_MAX + 1)

/**
 * struct build_id - a build id
 * @size:	in bytes; 0: there is no build id
 */
struct build_id {
	uint8_t	bytes[BUILD_ID_MAX];
	size_t	size;
};

/** build_id__parse() - Parse hex digits. Return: 0, or -EINVAL after a message. */
int build_id__parse(const char *hex, struct build_id *ret);

/**
 * build_id__read_notes() - find the build id in a file like /sys/kernel/notes
 *
 * Return: 0, or a negative errno after a message.
 */
int build_id__read_notes(const char *path, struct build_id *ret);

/** build_id__of() - Get the build id of an image. Return: false if there is no build id. */
bool build_id__of(const struct image *img, struct build_id *ret);

bool build_id__equal(const struct build_id *a, const struct build_id *b);

/** build_id__hex() - Print the build id to @buf. Return: @buf. */
const char *build_id__hex(const struct build_id *id, char buf[BUILD_ID_HEX]);

#endif /* ABTF_LOCATE_BUILD_ID_H */
