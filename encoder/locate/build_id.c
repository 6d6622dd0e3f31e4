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

/* An ELF note (gABI, "Note Section"): sizes, type, name and description, padded to 4. */
static bool find_note(struct cursor c, struct build_id *ret)
{
	while (cursor__left(&c)) {
		uint64_t name_size = cursor__u32(&c);
		uint64_t size = cursor__u32(&c);
		uint32_t type = cursor__u32(&c);
		const uint8_t *name = c.p, *desc;

		cursor__skip(&c, name_size + (-name_size & 3));
		desc = c.p;
		if (!cursor__has(&c, size))
			return false;
		if (type == NT_GNU_BUILD_ID && name_size == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) && size &&
		    size <= BUILD_ID_MAX) {
			memcpy(ret->bytes, desc, size);
			ret->size = size;
			return true;
		}
		size += -size & 3;
		/* the last one need not be padded */
		cursor__skip(&c, size < cursor__left(&c) ? size : cursor__left(&c));
	}
	return false;
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
	return image__build_id(img, &note, &size) &&
	       find_note(cursor__new(note, size, img->swap), ret);
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
