/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow: doubled by realloc(), so that adding costs no thought. */
#ifndef ABTF_UTIL_GROW_H
#define ABTF_UTIL_GROW_H

#include <stdint.h>
#include <stdlib.h>

#include "util/macros.h"

/* grow() for an array that is too small. */
int grow_slow(void *array, uint32_t *cap, uint64_t need, size_t size);

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
	return likely(need <= *cap) ? 0 : grow_slow(array, cap, need, size);
}

#endif /* ABTF_UTIL_GROW_H */
