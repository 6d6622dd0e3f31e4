// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "util/grow.h"

/* Not inlined: it would cost grow()'s callers registers. */
__attribute__((noinline))
int grow_slow(void *array, uint32_t *cap, uint64_t need, size_t size)
{
	uint64_t n = *cap ? *cap : 64;
	void **p = array, *new;

	while (n < need)
		n *= 2;
	if (n > UINT32_MAX)
		return -ENOMEM;
	new = realloc(*p, n * size);
	if (!new)
		return -ENOMEM;
	*p = new;
	*cap = n;
	return 0;
}
