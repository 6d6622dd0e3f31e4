/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of code ranges and of locations, in all sections that DWARF 2 to 5 have for them. */
#ifndef ABTF_LOAD_LIST_H
#define ABTF_LOAD_LIST_H

#include "load/unit.h"

/** struct code_range - contiguous code, without @end */
struct code_range {
	uint64_t	start;
	uint64_t	end;
};

/**
 * struct list - a list that is being read
 * @c:		at the next entry
 * @base:	what offsets are relative to, unless it is unknown
 * @left:	entries that may follow; bounds what lists that overlap can cost
 */
struct list {
	const struct dwarf	*dw;
	const struct unit	*u;
	struct cursor		c;
	uint64_t		base;
	unsigned int		left;
	bool			has_base;
	bool			locations;
};

/** list__begin() - Start with DW_AT_ranges or DW_AT_location. Return: false if it is no list. */
bool list__begin(struct list *l, const struct dwarf *dw, const struct unit *u,
		 const struct die *die, enum die_slot slot);

/**
 * list__next() - read an entry
 * @range:	where it is valid; UINT64_MAX twice if that is unknown
 * @expr:	its location, for a list of locations
 */
bool list__next(struct list *l, struct code_range *range, struct cursor *expr);

/**
 * unit__for_each_entry() - find possible entries of a subprogram
 *
 * Calls @fn with DW_AT_low_pc and DW_AT_high_pc, or otherwise with each range.  If a
 * body has several ranges, its entry is in the one with its symbol: gcc lists that
 * first, but clang's -fbasic-block-sections last.  Without a body, @fn is not
 * called.  @end is 0 if unknown.
 */
void unit__for_each_entry(const struct dwarf *dw, const struct unit *u, const struct die *die,
			  void (*fn)(uint64_t start, uint64_t end, void *arg), void *arg);

#endif /* ABTF_LOAD_LIST_H */
