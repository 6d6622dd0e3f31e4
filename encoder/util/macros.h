/* SPDX-License-Identifier: GPL-2.0-only */
/* The small words that C has not. */
#ifndef ABTF_UTIL_MACROS_H
#define ABTF_UTIL_MACROS_H

#include <stddef.h>

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define ARRAY_SIZE(x)	(sizeof(x) / sizeof((x)[0]))

/* The struct of this type that has *@p as its @member. */
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))

#endif /* ABTF_UTIL_MACROS_H */
