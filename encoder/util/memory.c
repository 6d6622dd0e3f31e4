// SPDX-License-Identifier: GPL-2.0-only
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/memory.h"

/* What the heap grows by.  Only what is used of it takes memory. */
#define PIECE		(64 << 20)

/* Where huge pages begin, on most machines; elsewhere this is but a round number. */
#define HUGE_PAGE	(2UL << 20)

void memory__init(void)
{
#ifdef M_TOP_PAD
	/* or compilers do without an allocation that is freed at once */
	void *volatile first;
	uintptr_t start, end;

	/* heaps of their own would leave every thread with holes that no other can fill */
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_TOP_PAD, PIECE);
	mallopt(M_TRIM_THRESHOLD, 2 * PIECE);
	mallopt(M_MMAP_THRESHOLD, PIECE / 2);
	start = ((uintptr_t)sbrk(0) + HUGE_PAGE - 1) & -HUGE_PAGE;
	first = malloc(1);
	free((void *)first);
	end = (uintptr_t)sbrk(0) & -HUGE_PAGE;
	if (end > start)
		madvise((void *)start, end - start, MADV_HUGEPAGE);
#endif
}
