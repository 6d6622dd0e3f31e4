// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "util/file.h"
#include "util/macros.h"
#include "util/memory.h"

/* initial buffer size: the cached functions of Debian's 6.12 have 18 MB, /proc/kallsyms 9 MB */
#define READ_CHUNK	(32UL << 20)

int file__read(const char *path, int flags, size_t max,
	       bool (*goes_on)(const uint8_t *bytes, size_t size), uint8_t **ret, size_t *size)
{
	int fd __cleanup(close_fd) = open(path, O_RDONLY | O_CLOEXEC | flags);
	size_t room = 0;
	ssize_t n;

	*ret = NULL;
	*size = 0;
	if (fd < 0)
		return -errno;
	do {
		if (*size == room) {
			room = room ? room * 2 : READ_CHUNK;
			*ret = xrealloc(*ret, room + 1, 1);
			memory__prefer_huge_pages(*ret, room);
		}
		n = read(fd, *ret + *size, (room < max ? room : max) - *size);
		if (n < 0 && errno != EINTR)
			return -errno;
		*size += n > 0 ? n : 0;
	} while (n && *size < max && (!goes_on || goes_on(*ret, *size)));
	(*ret)[*size] = 0;
	return 0;
}

int file__write(int fd, const void *bytes, size_t size)
{
	for (size_t done = 0; done < size; ) {
		ssize_t n = write(fd, (const uint8_t *)bytes + done, size - done);

		if (n > 0)
			done += n;
		else if (!n || errno != EINTR)
			return n ? -errno : -EIO;
	}
	return 0;
}
