// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "locate/build_id.h"
#include "util/file.h"
#include "util/msg.h"

int build_id__parse(const char *hex, struct build_id *ret)
{
	size_t len = strlen(hex);

	if (!len || len % 2 || len > 2 * BUILD_ID_MAX || hex[strspn(hex, "0123456789abcdefABCDEF")])
		return msg_fail(-EINVAL,
				"build id '%.140s': expected an even number of hex digits, %d at most",
				hex, 2 * BUILD_ID_MAX);
	ret->size = len / 2;
	for (size_t i = 0; i < ret->size; i++)
		sscanf(hex + 2 * i, "%2hhx", &ret->bytes[i]);
	return 0;
}

static bool copy_note(const uint8_t *note, size_t size, struct build_id *ret)
{
	ret->size = note__id_size(size);
	if (ret->size)
		memcpy(ret->bytes, note + NOTE_HEAD, ret->size);
	return ret->size;
}

/* Notes of a kernel are some 500 bytes. */
#define MAX_NOTES	65536

int build_id__read_notes(const char *path, struct build_id *ret)
{
	uint8_t *bytes __cleanup(free_pointer) = NULL;
	const uint8_t *note;
	size_t len, size;
	int err = file__read(path, O_NONBLOCK, MAX_NOTES, NULL, &bytes, &len);

	ret->size = 0;
	if (err)
		return msg_fail(err, "%s: cannot read: %s", path, strerror(-err));
	/* the kernel may have the other byte order */
	if ((notes__build_id(cursor__new(bytes, len, false), 4, &note, &size) ||
	     notes__build_id(cursor__new(bytes, len, true), 4, &note, &size)) &&
	    copy_note(note, size, ret))
		return 0;
	return msg_fail(-ENOENT, "%s: no build id among its notes", path);
}

bool build_id__of(const struct image *img, struct build_id *ret)
{
	const uint8_t *note;
	size_t size;

	ret->size = 0;
	return image__build_id(img, &note, &size) && copy_note(note, size, ret);
}

bool build_id__equal(const struct build_id *a, const struct build_id *b)
{
	return a->size && a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

const char *build_id__hex(const struct build_id *id, char buf[BUILD_ID_HEX])
{
	for (size_t i = 0; i < id->size; i++)
		sprintf(buf + 2 * i, "%02x", id->bytes[i]);
	buf[2 * id->size] = 0;
	return buf;
}
