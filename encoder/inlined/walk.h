/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One thread's reading of inlined calls: units in, a table of functions and a list
 * of sites out.  The units' first entries were read before, so that the DWARF
 * is the same for all threads.
 */
#ifndef ABTF_INLINED_WALK_H
#define ABTF_INLINED_WALK_H

#include "functions/source_tree.h"
#include "inlined/inlined.h"
#include "load/files.h"
#include "util/grow.h"
#include "util/table.h"

/**
 * struct inlined_source - what the results point into
 * @units:	by unit: its path in the source tree
 */
struct inlined_source {
	struct dwarf		*dw;
	struct source_tree	tree;
	char			**units;
};

/**
 * struct func_entry - a function, as DWARF describes it
 * @name, @file, @dir, @line: what tells it from others; pointers into sections
 * @unit:	a unit with it
 */
struct func_entry {
	const char	*name;
	const char	*file;
	const char	*dir;
	uint32_t	line;
	uint32_t	unit;
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
 * func_table__add() - find an entry, or add it without calls and bodies
 *
 * In malformed DWARF, too many entries may share a hash; an entry may then be added again.
 *
 * Return: its index.
 */
uint32_t func_table__add(struct func_table *t, const struct func_entry *e);

/** struct described - the function that the entry at an offset of .debug_info describes */
struct described {
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
 * @u, @unit:	the unit that is read, and its number
 * @err:	the first error about another unit
 * @lines, @other_lines: of the unit, and of the one that was looked into last
 * @work:	entries of such tables read so far
 * @entries:	possible entries of a body or an inlined call
 * @sites:	with indices of @funcs
 * @known:	entries that were looked up before; @known_at: indices in it, starting at 1, by
 *		offset
 */
struct inlined_walk {
	const struct inlined_source *src;
	inlined_wanted		*wanted;
	const void		*arg;
	const struct unit	*u;
	uint32_t		unit;
	int			err;
	struct abbrevs		abbrevs;
	struct abbrevs		other_abbrevs;
	struct line_table	lines;
	struct line_table	other_lines;
	uint64_t		work;
	struct func_table	funcs;
	struct code_ranges	entries;
	VECTOR(struct inlined_site) sites;
	VECTOR(struct inlined_caller) callers;
	VECTOR(struct described) known;
	struct hash_table	known_at;
};

/** inlined_walk__read() - Read a unit. Return: 0, or a negative errno after a message. */
int inlined_walk__read(struct inlined_walk *w, uint32_t unit);

void inlined_walk__destroy(struct inlined_walk *w);

#endif /* ABTF_INLINED_WALK_H */
