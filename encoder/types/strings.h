/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interned strings: equal bytes get one number.
 *
 * The bytes stay where they are (in the image's string sections); a string
 * that comes from elsewhere must live as long as the table.  Not locked: every
 * thread has a table of its own, and they are merged at the end.
 */
#ifndef ABTF_TYPES_STRINGS_H
#define ABTF_TYPES_STRINGS_H

#include <stdint.h>

/**
 * struct string - one interned string
 * @s:		its bytes, with a NUL behind them
 * @hash:	hash_bytes() of them
 * @len:	bytes without the NUL
 * @mark:	for the owner's use, 0 at first (see functions/observe.h)
 */
struct string {
	const char	*s;
	uint64_t	hash;
	uint32_t	len;
	uint32_t	mark;
};

struct string_seen {
	uint32_t	offset;
	uint32_t	id;
};

/**
 * struct strings - the table
 * @array:	by id; [0] is ""
 * @nr:		number of strings
 * @slots:	open addressing by content: ids, 0 is free
 * @seen:	open addressing by offset in .debug_str, so that a string met
 *		before is known without touching its bytes
 */
struct strings {
	struct string		*array;
	uint32_t		nr;
	uint32_t		cap;
	uint32_t		*slots;
	uint32_t		nr_slots;
	struct string_seen	*seen;
	uint32_t		nr_seen;
	uint32_t		seen_slots;
};

int strings__init(struct strings *t);
void strings__destroy(struct strings *t);

/** strings__add() - Return: the id of a string, 0 for ""; negative errno. */
int64_t strings__add(struct strings *t, const char *s, uint32_t len);

/** strings__find() - Return: the id of a string, 0 if it is not in the table. */
uint32_t strings__find(const struct strings *t, const char *s, uint32_t len);

/** strings__remember() - Note that .debug_str + @offset is string @id. */
int strings__remember(struct strings *t, uint32_t offset, uint32_t id);

/** strings__recall() - Return: the id noted for an offset, or -1. */
static inline int64_t strings__recall(const struct strings *t, uint32_t offset)
{
	uint32_t mask = t->seen_slots - 1;
	uint32_t i = (uint32_t)((offset * 0x9e3779b97f4a7c15ULL) >> 32) & mask;

	for (;; i = (i + 1) & mask) {
		/* offset + 1 is stored: 0 marks a free slot, and 0 is an offset */
		if (t->seen[i].offset == offset + 1)
			return t->seen[i].id;
		if (!t->seen[i].offset)
			return -1;
	}
}

#endif /* ABTF_TYPES_STRINGS_H */
