// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "btf/read.h"
#include "fuzz.h"
#include "util/msg.h"

/* Format messages, so that their arguments are read, but do not print them. */
enum msg_level msg_level = MSG_VERBOSE;

void msg_print(enum msg_level level, const char *kind, const char *fmt, ...)
{
	char text[1000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
}

bool is_terminal(FILE *f)
{
	return false;
}

void msg_hold(char **text)
{
}

void msg_collect(void (*take)(enum msg_level level, const char *text))
{
}

void msg_progress(const char *what, size_t done, size_t total)
{
}

const char *memory_file(unsigned int slot, const void *bytes, size_t size, int *fd)
{
	static char paths[4][32];
	static int fds[4] = { -1, -1, -1, -1 };

	if (fds[slot] < 0)
		fds[slot] = memfd_create("fuzz", 0);
	MUST(fds[slot] >= 0 && !ftruncate(fds[slot], size));
	MUST(pwrite(fds[slot], bytes, size, 0) == (ssize_t)size);
	snprintf(paths[slot], sizeof(paths[slot]), "/proc/self/fd/%d", fds[slot]);
	if (fd)
		*fd = fds[slot];
	return paths[slot];
}

unsigned int good_objects(const uint8_t *data, size_t len, size_t size)
{
	struct btf_data *first = NULL, *second = NULL;
	unsigned int nr;

	btf_data__parse(data, len, "first", NULL, &first, NULL);
	if (first && len < size)
		btf_data__parse(data + len, size - len, "second", first, &second, NULL);
	nr = !!first + !!second;
	btf_data__free(second);
	btf_data__free(first);
	return nr;
}

uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8 ^ *seed << 13;
}

static const uint32_t interesting[] = {
	0, 1, 2, 4, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffffff,
	0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff,
};

void mutate_part(uint8_t *part, size_t size, uint32_t *seed)
{
	uint32_t r = next_random(seed), v = next_random(seed);
	size_t at, from, n;

	if (!size)
		return;
	at = next_random(seed) % size;
	from = next_random(seed) % size;
	n = 1 + next_random(seed) % (r & 1 ? 4 : 32);
	n = n < size - at ? n : size - at;
	n = n < size - from ? n : size - from;
	switch (r >> 8 & 7) {
	case 0:
		part[at] ^= 1 << (v & 7);
		break;
	case 1:
		part[at] += (int)(v % 9) - 4;
		break;
	case 2:
		part[at] = v;
		break;
	case 3:	/* a number or, below the size, a reference */
		v = r & 2 ? v % size : interesting[v % (sizeof(interesting) / sizeof(v))];
		memcpy(part + at, &v, n < 4 ? n : 4);
		break;
	case 4:
		memmove(part + at, part + from, n);
		break;
	case 5:	/* remove these, and the rest moves up */
		memmove(part + at, part + at + n, size - at - n);
		break;
	case 6:	/* repeat these, and the rest moves down */
		memmove(part + at + n, part + at, size - at - n);
		break;
	default:
		LLVMFuzzerMutate(part, size, size);
		break;
	}
}
