/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow: their capacity doubles. */
#ifndef ABTF_UTIL_GROW_H
#define ABTF_UTIL_GROW_H

#include <stdint.h>
#include <stdlib.h>

#include "util/macros.h"
#include "util/memory.h"

/* The slow path of grow(): the array is too small. */
void grow_slow(void *array, uint32_t *cap, uint64_t need, size_t size);

/**
 * grow() - make room for @need entries
 * @array:	pointer to the array's pointer
 * @cap:	its capacity in entries
 * @need:	entries that must fit
 * @size:	bytes of one entry
 *
 * New entries are not initialised.
 */
static inline void grow(void *array, uint32_t *cap, uint64_t need, size_t size)
{
	if (unlikely(need > *cap))
		grow_slow(array, cap, need, size);
}

/** VECTOR() - an array of this type that grows: the type of a member, or the inside of a struct */
#define VECTOR(type)								\
	struct {								\
		type		*array;						\
		uint32_t	nr, cap;					\
	}

/** push() - Append a value to a vector. */
#define push(vector, ...)							\
do {										\
	typeof(vector) v_ = (vector);						\
										\
	grow(&v_->array, &v_->cap, v_->nr + 1ULL, sizeof(*v_->array));		\
	v_->array[v_->nr++] = __VA_ARGS__;					\
} while (0)

/* Sort an array that may be sorted already, or empty. */
void sort_array(void *array, uint32_t nr, size_t size, int (*compare)(const void *, const void *));

/** vector__sort() - Sort a vector, like qsort(). */
#define vector__sort(vector, compare)						\
	sort_array((vector)->array, (vector)->nr, sizeof(*(vector)->array), compare)

/* Compare two of an array of strings. */
int compare_strings(const void *x, const void *y);

/** for_each() - Let @p, which is declared here, point to each entry of a vector in turn. */
#define for_each(p, vector)							\
	for (typeof(*(vector)->array) *p = (vector)->array;			\
	     p && p < (vector)->array + (vector)->nr; p++)

#endif /* ABTF_UTIL_GROW_H */
