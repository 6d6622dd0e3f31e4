/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One thread's reading of inlined calls: units in, a table of functions and a list
 * of sites out.  The units' first entries were read before, so that the DWARF
 * is the same for all threads.
 */
#ifndef ABTF_INLINED_WALK_H
#define ABTF_INLINED_WALK_H

#include "inlined/inlined.h"
#include "load/files.h"
#include "util/grow.h"
#include "util/table.h"

/**
 * struct func_entry - a function, as DWARF says it
 * @name, @file, @dir, @line: what tells it from others; pointers into sections
 * @unit, @number: a unit, and the number of @file in it
 */
struct func_entry {
	const char	*name;
	const char	*file;
	const char	*dir;
	uint32_t	line;
	uint32_t	unit;
	uint32_t	number;
	uint32_t	calls;
	uint32_t	bodies;
};

/**
 * struct func_table - entries without repetition
 * @by_content:	indices, counted from 1
 */
struct func_table {
	VECTOR(struct func_entry);
	struct hash_table	by_content;
};

/**
 * func_table__add() - find an entry, or add it
 *
 * Return: its index; -ENOMEM.
 */
int64_t func_table__add(struct func_table *t, const struct func_entry *e);

/** struct site_entry - a call; @file is a path as files__path() gives it */
struct site_entry {
	uint32_t	func;
	uint32_t	unit;
	uint32_t	line;
	uint64_t	address;
	const char	*caller;
	const char	*via;
	char		*file;
};

/** struct caller_entry - the function around a call that is one; @address: its entry */
struct caller_entry {
	const char	*name;
	uint32_t	unit;
	uint64_t	address;
};

/* An entry of another unit that was looked up before. */
struct foreign {
	uint64_t	offset;
	uint32_t	func;
};

/**
 * struct line_table - the files of a unit, which units may share
 * @at:		offset in .debug_line, UINT64_MAX: of no unit
 */
struct line_table {
	struct files	files;
	uint64_t	at;
	bool		valid;
};

/**
 * struct inlined_walk - one thread
 * @wanted:	tells whether sites and callers of a function are wanted, given its name and @arg; or NULL
 * @lines, @other_lines: of the unit, and of the one that was looked into last
 * @work:	entries of such tables read so far
 * @at:		by offset in the unit: index of the function that is described there + 1
 * @touched:	the offsets that are set
 * @foreign:	what was looked up in other units; @foreign_at: indices in it, counted
 *		from 1, by the offset
 */
struct inlined_walk {
	struct dwarf		*dw;
	inlined_wanted		*wanted;
	const void		*arg;
	struct abbrevs		abbrevs;
	struct abbrevs		other_abbrevs;
	struct line_table	lines;
	struct line_table	other_lines;
	uint64_t		work;
	struct func_table	funcs;
	VECTOR(struct site_entry) sites;
	VECTOR(struct caller_entry) callers;
	uint32_t		*at;
	uint64_t		at_size;
	VECTOR(uint32_t)	touched;
	VECTOR(struct foreign)	foreign;
	struct hash_table	foreign_at;
};

/** inlined_walk__read() - Read a unit. Return: 0, or a negative errno after a message. */
int inlined_walk__read(struct inlined_walk *w, uint32_t unit);

void inlined_walk__destroy(struct inlined_walk *w);

#endif /* ABTF_INLINED_WALK_H */
