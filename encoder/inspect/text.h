/* SPDX-License-Identifier: GPL-2.0-only */
/* Print objects as JSON or as a table; nothing in them acts on a terminal. */
#ifndef ABTF_INSPECT_TEXT_H
#define ABTF_INSPECT_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/grow.h"

/** enum cell_format - how a member of a row is printed in a table; null is "-", a missing one "" */
enum cell_format {
	CELL_TEXT,	/* a string, or an array of strings */
	CELL_NUMBER,
	CELL_HEX,
	CELL_PLACE,	/* a file, and the line in the member @line */
};

/**
 * struct column - a column of a table
 * @key:	the member that it shows
 * @width:	the width of its widest cell, at most @max; longer cells overlap the next
 *		column
 */
struct column {
	const char		*title;
	enum cell_format	format;
	const char		*key, *line;
	size_t			width, max;
};

#define MAX_COLUMNS	8

/**
 * struct rows - objects that are added to the JSON document, or printed as a table for people,
 *	with two blanks between columns
 * @columns:	of the table, @nr_columns; 0: JSON
 * @hidden:	a bit for each column that is omitted
 * @varying:	of these, columns that are not omitted if their cells differ
 * @color:	highlight names, and dim flags
 * @cells:	of the table, row by row; malloc()ed, without control characters
 */
struct rows {
	FILE		*f;
	struct column	columns[MAX_COLUMNS];
	uint32_t	nr_columns;
	uint32_t	hidden, varying;
	bool		color;
	VECTOR(char *)	cells;
};

/** rows__set_columns() - Print a table of @nr columns; in color, if the file is a terminal. */
void rows__set_columns(struct rows *r, const struct column *columns, uint32_t nr);

/** rows__add() - Add an object, and release it. */
void rows__add(struct rows *r, json_t *row);

/** rows__width() - Return: the length of the longest line of the table. */
size_t rows__width(const struct rows *r);

/** rows__print_text() - Print a cell, not aligned. */
void rows__print_text(const struct rows *r, uint32_t column, const char *text);

/** rows__print_cell() - Print a cell, aligned as in its column. */
void rows__print_cell(const struct rows *r, uint32_t column, const char *text);

/** rows__end() - Print the table with its titles; the document has no end here. */
void rows__end(struct rows *r);

void rows__destroy(struct rows *r);

#endif /* ABTF_INSPECT_TEXT_H */
