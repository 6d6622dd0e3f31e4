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

#include <stdbool.h>
#include <stdint.h>

/**
 * struct string - one interned string
 * @s:		its bytes, with a NUL behind them
 * @hash:	hash_bytes() of them
 * @len:	bytes without the NUL
 * @mark:	for the owner's use, 0 at first
 */
struct string {
	const char	*s;
	uint64_t	hash;
	uint32_t	len;
	uint32_t	mark;
};

/**
 * struct string_seen - a string known by its offset in .debug_str
 * @next:	the entry that was asked for after this one the last time.  Units
 *		include the same headers, so names come in the same order again
 *		and again, and most look-ups end here instead of in a table
 *		too big for the cache.
 */
struct string_seen {
	uint32_t	offset;
	uint32_t	id;
	uint32_t	next;
};

/**
 * struct strings - the table
 * @array:	by id; [0] is ""
 * @nr:		number of strings
 * @slots:	open addressing by content: ids, 0 is free
 * @seen:	strings met before, known by their offset in .debug_str without
 *		touching their bytes; in the order they were met, [0] is none
 * @seen_slots:	open addressing by offset: entries of @seen, 0 is free
 * @recent:	the entries asked for last, one per hash of the offset: for the
 *		names that come out of the usual order, which are mostly the same
 * @last:	entry of @seen that was asked for last
 * @brief:	ids of strings of up to three characters, by their bytes; these
 *		stand in the DIE itself and have no offset
 * @owned:	strings that stand nowhere else
 */
#define RECENT_STRINGS	8192
#define BRIEF_STRINGS	16384

struct string_recent {
	uint32_t	offset;
	uint32_t	at;	/* 0: free */
};

struct string_brief {
	uint32_t	bytes;	/* 0: free */
	uint32_t	id;
};

struct strings {
	struct string		*array;
	uint32_t		nr;
	uint32_t		cap;
	uint32_t		*slots;
	uint32_t		nr_slots;
	struct string_seen	*seen;
	uint32_t		nr_seen, cap_seen;
	uint32_t		*seen_slots;
	uint32_t		nr_seen_slots;
	uint32_t		last;
	struct string_recent	*recent;
	struct string_brief	*brief;
	char			**owned;
	uint32_t		nr_owned, cap_owned;
};

/**
 * is_text() - could these bytes be a name?
 *
 * Names of C are ASCII or UTF-8.  What is neither, or has control characters,
 * is a lie about where the string stands, and no reader would take it.
 */
bool is_text(const char *s);

int strings__init(struct strings *t);
void strings__destroy(struct strings *t);

/** strings__add() - Return: the id of a string, 0 for ""; negative errno. */
int64_t strings__add(struct strings *t, const char *s, uint32_t len);

/**
 * strings__add_owned() - as strings__add(), for a string that stands nowhere else
 * @s:		malloc()ed; it is the table's from now on, whatever is returned
 */
int64_t strings__add_owned(struct strings *t, char *s);

/** strings__take_owned() - Keep another table's. Return: 0 or -ENOMEM. */
int strings__take_owned(struct strings *t, struct strings *from);

/** strings__find() - Return: the id of a string, 0 if it is not in the table. */
uint32_t strings__find(const struct strings *t, const char *s, uint32_t len);

/**
 * strings__forget() - Forget which offsets stand for which strings.
 *
 * In a relocatable file no two units share a string: what one has left behind
 * only makes the tables too big for the cache.
 */
void strings__forget(struct strings *t);

/** strings__remember() - Note that .debug_str + @offset is string @id. */
int strings__remember(struct strings *t, uint32_t offset, uint32_t id);

/**
 * strings__add_brief() - as strings__add(), for at most three characters
 * @s:		four bytes can be read there
 */
int64_t strings__add_brief(struct strings *t, const char *s, uint32_t len);

/* Where a string of at most three characters would be; @bytes are those, then zeros. */
static inline struct string_brief *strings__brief(const struct strings *t, uint32_t bytes)
{
	_Static_assert(BRIEF_STRINGS == 1 << (32 - 18), "the shift makes an index");
	return &t->brief[bytes * 0x9e3779b1U >> 18];
}

/* The form of strings__recall() for a string out of the usual order. */
int64_t strings__recall_slow(struct strings *t, uint32_t offset);

/** strings__recall() - Return: the id noted for an offset, or -1. */
static inline int64_t strings__recall(struct strings *t, uint32_t offset)
{
	uint32_t next = t->seen[t->last].next;

	if (next && t->seen[next].offset == offset) {
		t->last = next;
		return t->seen[next].id;
	}
	return strings__recall_slow(t, offset);
}

#endif /* ABTF_TYPES_STRINGS_H */
