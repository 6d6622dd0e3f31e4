/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow: doubled by realloc(), so that adding costs no thought. */
#ifndef ABTF_UTIL_GROW_H
#define ABTF_UTIL_GROW_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/**
 * grow() - make room for @need entries
 * @array:	pointer to the array's pointer
 * @cap:	its capacity in entries
 * @need:	entries that must fit
 * @size:	bytes of one entry
 *
 * Entries that are new are not initialised.
 *
 * Return: 0 or -ENOMEM, with the array as it was.
 */
static inline int grow(void *array, uint32_t *cap, uint64_t need, size_t size)
{
	uint64_t n = *cap ? *cap : 64;
	void **p = array, *new;

	if (need <= *cap)
		return 0;
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

#endif /* ABTF_UTIL_GROW_H */
