/* SPDX-License-Identifier: GPL-2.0-only */
/* Which kernel or module a file is. */
#ifndef ABTF_IMAGE_IDENTITY_H
#define ABTF_IMAGE_IDENTITY_H

#include <jansson.h>

#include "image/image.h"

/* sha1 has 20 bytes, and ld --build-id=0x... accepts any number */
#define BUILD_ID_MAX	64

/* The bytes before the id in a note: sizes, type and "GNU" (gABI, "Note Section"). */
#define NOTE_HEAD	(3 * sizeof(uint32_t) + 4)

/** note__id_size() - Return: the size of the build id in a note with @size bytes, 0 if invalid. */
static inline size_t note__id_size(size_t size)
{
	return size > NOTE_HEAD && size - NOTE_HEAD <= BUILD_ID_MAX ? size - NOTE_HEAD : 0;
}

/**
 * module__name_of_file() - derive the name of a module from the name of its file
 * @path:	such as .../nf-tables.ko, nf_tables.ko.zst or nf_tables.ko.debug.xz
 *
 * Return: the name, malloc()ed; NULL if the file is not called like one.
 */
char *module__name_of_file(const char *path);

/** module__name() - Return: the name of a module, malloc()ed; NULL if it is not known. */
char *module__name(const struct image *img);

/** image__head() - Return: an object with the build id and the module, null if unknown. */
json_t *image__head(const struct image *img);

/** is_plain_text() - Test that text has only letters, digits and @others, and is not empty. */
bool is_plain_text(const char *s, size_t len, const char *others);

#endif /* ABTF_IMAGE_IDENTITY_H */
