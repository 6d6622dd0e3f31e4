/* SPDX-License-Identifier: GPL-2.0-only */
/* Small macros and functions that C lacks. */
#ifndef ABTF_UTIL_MACROS_H
#define ABTF_UTIL_MACROS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define ARRAY_SIZE(x)	(sizeof(x) / sizeof((x)[0]))

/* The struct of this type that has *@p as its @member. */
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))

/** cmp_int() - Return: -1, 0 or 1, to sort numbers; by several, use cmp_int() ?: cmp_int(). */
#define cmp_int(a, b)	((a) == (b) ? 0 : (a) < (b) ? -1 : 1)

/*
 * __cleanup() - call a function with a variable's address when its scope ends
 *
 *	uint32_t *order __cleanup(free_pointer) = calloc(...);
 */
#define __cleanup(fn)	__attribute__((cleanup(fn)))

static inline void free_pointer(void *p)
{
	free(*(void **)p);
}

static inline void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/** no_free_ptr() - Return: a pointer that free_pointer() would free; it is NULL then. */
#define no_free_ptr(p)								\
({										\
	typeof(p) p_ = (p);							\
										\
	(p) = NULL;								\
	p_;									\
})

/**
 * first_not_before() - binary search
 * @i:		name of a variable, an entry's index, that @before is about
 * @nr:		number of entries
 * @before:	expression: entry @i sorts before the sought entry
 *
 * Entries for which @before holds come first.  Unlike bsearch(), it needs no comparison
 * function, and finds the first of several equal entries.
 *
 * Return: index of the first entry for which @before does not hold, @nr if there is none.
 */
#define first_not_before(i, nr, before)						\
({										\
	uint32_t low_ = 0, high_ = (nr);					\
										\
	while (low_ < high_) {							\
		uint32_t i = low_ + (high_ - low_) / 2;				\
										\
		if (before)							\
			low_ = i + 1;						\
		else								\
			high_ = i;						\
	}									\
	low_;									\
})

#endif /* ABTF_UTIL_MACROS_H */
