/* SPDX-License-Identifier: GPL-2.0-only */
/* Searching what is sorted. */
#ifndef ABTF_UTIL_SEARCH_H
#define ABTF_UTIL_SEARCH_H

#include <stdint.h>

/**
 * first_not_before() - binary search
 * @i:		name of a variable, an entry's index, that @before is about
 * @nr:		number of entries
 * @before:	expression: entry @i sorts before the sought entry
 *
 * Entries for which @before holds come first.  Unlike bsearch() it needs no
 * function to compare two entries, and says where a run of equal ones begins.
 *
 * Return: index of the first entry that @before does not hold for, @nr if there
 * is none.
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

#endif /* ABTF_UTIL_SEARCH_H */
