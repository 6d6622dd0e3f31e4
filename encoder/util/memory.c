// SPDX-License-Identifier: GPL-2.0-only
#include <malloc.h>

#include "util/memory.h"

/* What the heap grows by.  Only what is used of it takes memory. */
#define PIECE		(64 << 20)

/* What is larger is a mapping: it is not copied when it grows, and gone when it is freed. */
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
}
