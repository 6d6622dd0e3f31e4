// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "util/grow.h"

/* Not inlined: it would cost grow()'s callers registers. */
__attribute__((noinline))
void grow_slow(void *array, uint32_t *cap, uint64_t need, size_t size)
{
	uint64_t n = *cap ? *cap : 64;
	void **p = array;

	while (n < need)
		n *= 2;
	if (n > UINT32_MAX)
		out_of_memory();
	*p = xrealloc(*p, n, size);
	*cap = n;
}

void sort_array(void *array, uint32_t nr, size_t size, int (*compare)(const void *, const void *))
{
	const char *entry = array;
	uint32_t i;

	for (i = 1; i < nr && compare(entry, entry + size) <= 0; i++)
		entry += size;
	if (i < nr)
		qsort(array, nr, size, compare);
}

int compare_strings(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}
