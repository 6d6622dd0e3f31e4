// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "locate/build_id.h"
#include "util/msg.h"

/* Notes of a kernel are some 500 bytes. */
#define MAX_NOTES	65536

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int build_id__parse(const char *hex, struct build_id *ret)
{
	size_t len = strlen(hex);
	bool good = len && !(len % 2) && len <= 2 * BUILD_ID_MAX;

	ret->size = len / 2;
	for (size_t i = 0; good && i < len; i++) {
		int digit = hex_digit(hex[i]);

		good = digit >= 0;
		if (good)
			ret->bytes[i / 2] = i % 2 ? ret->bytes[i / 2] << 4 | digit : digit;
	}
	if (good)
		return 0;
	return msg_fail(-EINVAL,
			"build id '%.140s': expected an even number of hex digits, %d at most", hex,
			2 * BUILD_ID_MAX);
}

/* What precedes the bytes in a note: sizes, type and "GNU" (gABI, "Note Section"). */
#define NOTE_HEAD	(3 * sizeof(uint32_t) + sizeof(ELF_NOTE_GNU))

static bool take_note(const uint8_t *note, size_t size, struct build_id *ret)
{
	ret->size = size > NOTE_HEAD && size - NOTE_HEAD <= BUILD_ID_MAX ? size - NOTE_HEAD : 0;
	if (ret->size)
		memcpy(ret->bytes, note + NOTE_HEAD, ret->size);
	return ret->size;
}

static bool find_note(struct cursor c, struct build_id *ret)
{
	const uint8_t *note;
	size_t size;

	return notes__build_id(c, 4, &note, &size) && take_note(note, size, ret);
}

int build_id__read_notes(const char *path, struct build_id *ret)
{
	static uint8_t bytes[MAX_NOTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = 0;
	size_t len = 0;
	ssize_t n = 0;

	ret->size = 0;
	do {
		n = fd < 0 ? -1 : read(fd, bytes + len, sizeof(bytes) - len);
		len += n > 0 ? n : 0;
	} while (n > 0);
	if (n < 0)
		err = -errno;
	if (fd >= 0)
		close(fd);
	if (err)
		return msg_fail(err, "%s: cannot read: %s", path, strerror(-err));
	/* it may be of a machine of the other byte order */
	if (find_note(cursor__new(bytes, len, false), ret) ||
	    find_note(cursor__new(bytes, len, true), ret))
		return 0;
	return msg_fail(-ENOENT, "%s: no build id among its notes", path);
}

bool build_id__of(const struct image *img, struct build_id *ret)
{
	const uint8_t *note;
	size_t size;

	ret->size = 0;
	return image__build_id(img, &note, &size) && take_note(note, size, ret);
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
