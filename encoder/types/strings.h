/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interned strings: equal bytes get one number.
 *
 * The bytes are not copied from the image's string sections; a string from elsewhere
 * must live as long as the table.  Not locked: every thread has a separate table, and
 * the tables are merged at the end.
 */
#ifndef ABTF_TYPES_STRINGS_H
#define ABTF_TYPES_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/grow.h"
#include "util/table.h"

/**
 * struct string - one interned string
 * @s:		its bytes, followed by a NUL
 * @hash:	hash_bytes() of them
 * @len:	bytes without the NUL
 * @mark:	for the owner's use, 0 at first
 * @offset:	in .debug_str, if it was last found there, otherwise NO_OFFSET
 * @next:	id of the string that was recorded after it last time, or 0
 */
struct string {
	const char	*s;
	uint64_t	hash;
	uint32_t	len;
	uint32_t	mark;
	uint32_t	offset;
	uint32_t	next;
};

#define NO_OFFSET	UINT32_MAX

/**
 * struct strings - the table
 * @array:	by id; [0] is ""
 * @nr:		number of strings
 * @by_content:	ids by the bytes
 * @by_offset:	ids of known strings, by the bits of their offset in .debug_str that
 *		@offset_mask selects: of several strings, the last one
 * @last:	the last string whose offset was recorded
 * @owned:	strings that are not in the image
 */
struct strings {
	struct string		*array;
	uint32_t		nr;
	uint32_t		cap;
	struct hash_table	by_content;
	uint32_t		*by_offset;
	uint32_t		offset_mask;
	uint32_t		last;
	VECTOR(char *)		owned;
};

/**
 * is_text() - test whether @len bytes, followed by a NUL, can be a name
 *
 * C names are ASCII or UTF-8.  Anything else, or a control character, means that the
 * string's offset is wrong, and BTF readers would reject it.
 */
bool is_text(const char *s, size_t len);

/** strings__init() - Make room for different strings of @size bytes; not a limit. */
void strings__init(struct strings *t, uint64_t size);
void strings__destroy(struct strings *t);

/** strings__close() - Free the indices; strings can no longer be looked up by content. */
void strings__close(struct strings *t);

/** strings__add() - Return: the id of a string, 0 for ""; -EINVAL after a message. */
int64_t strings__add(struct strings *t, const char *s, uint32_t len);

/**
 * strings__add_owned() - like strings__add(), for a string that is not in the image
 * @s:		malloc()ed; the table owns it from now on
 */
int64_t strings__add_owned(struct strings *t, char *s);

/** strings__add_copy() - As strings__add(), for bytes that no NUL follows, or that do not last. */
int64_t strings__add_copy(struct strings *t, const char *s, uint32_t len);

/** strings__move_owned() - Take over the owned strings of another table. */
void strings__move_owned(struct strings *t, struct strings *from);

/** strings__find() - Return: the id of a string, 0 if it is not in the table. */
uint32_t strings__find(const struct strings *t, const char *s, uint32_t len);

/**
 * strings__expected() - test for the string that followed the last recorded one before
 * @s:		@size bytes, in which a string may end
 *
 * Headers repeat in the same order, so this often replaces hashing in a file that has a copy of
 * each string for each unit.
 *
 * Return: its id if it is at @s, otherwise 0.
 */
uint32_t strings__expected(const struct strings *t, const char *s, uint64_t size);

/** strings__remember() - Record that .debug_str + @offset is string @id; not for NO_OFFSET. */
void strings__remember(struct strings *t, uint32_t offset, uint32_t id);

/* An entry covers eight bytes, so each string of seven or more characters has its own. */
static inline uint32_t *strings__slot(const struct strings *t, uint32_t offset)
{
	return &t->by_offset[offset >> 3 & t->offset_mask];
}

/** strings__recall() - Return: the id recorded for an offset, or -1. */
static inline int64_t strings__recall(struct strings *t, uint32_t offset)
{
	uint32_t id = *strings__slot(t, offset);

	return id && t->array[id].offset == offset ? (int64_t)id : -1;
}

#endif /* ABTF_TYPES_STRINGS_H */
