// SPDX-License-Identifier: GPL-2.0-only
#include <jansson.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/memory.h"
#include "util/msg.h"

/* The heap grows in steps of this size.  Only the used part takes memory. */
#define PIECE		(64 << 20)

/*
 * Larger blocks are mappings: they are not copied when they grow, and unmapped when they
 * are freed.
 */
#define LARGE		(2 << 20)

void memory__init(void)
{
#ifdef M_TOP_PAD
	/* with a heap per thread, other threads could not reuse the free space in it */
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_TOP_PAD, PIECE);
	mallopt(M_TRIM_THRESHOLD, 2 * PIECE);
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
	json_set_alloc_funcs(xmalloc, free);
}

void memory__prefer_huge_pages(void *p, size_t size)
{
	const uintptr_t start = (uintptr_t)p & -sysconf(_SC_PAGESIZE);

	/* the array is as good without them, so an error does not matter */
	madvise((void *)start, (uintptr_t)p + size - start, MADV_HUGEPAGE);
}

static bool (*print_lack)(void);

void memory__on_lack(bool (*print)(void))
{
	print_lack = print;
}

void out_of_memory(void)
{
	/* collecting it would take memory */
	msg_collect(NULL);
	if (!print_lack || !print_lack())
		msg_error("out of memory");
	cleanup__exit(1);
}

static void *check_memory(void *p)
{
	return p ?: (out_of_memory(), NULL);
}

void *xmalloc(size_t size)
{
	return check_memory(malloc(size ?: 1));
}

void *xcalloc(size_t nr, size_t size)
{
	return check_memory(calloc(nr ?: 1, size));
}

void *xrealloc(void *p, size_t nr, size_t size)
{
	return check_memory(reallocarray(p, nr ?: 1, size));
}

char *xstrdup(const char *s)
{
	return check_memory(strdup(s));
}

char *xstrndup(const char *s, size_t len)
{
	return check_memory(strndup(s, len));
}

char *xvasprintf(const char *fmt, va_list args)
{
	char *s;

	return vasprintf(&s, fmt, args) < 0 ? (out_of_memory(), NULL) : s;
}

char *xasprintf(const char *fmt, ...)
{
	va_list args;
	char *s;

	va_start(args, fmt);
	s = xvasprintf(fmt, args);
	va_end(args);
	return s;
}

void xappend(char **s, const char *fmt, ...)
{
	char *old = *s, *more;
	va_list args;

	va_start(args, fmt);
	more = xvasprintf(fmt, args);
	va_end(args);
	*s = xasprintf("%s%s", old ?: "", more);
	free(old);
	free(more);
}
