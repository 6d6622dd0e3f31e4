/* SPDX-License-Identifier: GPL-2.0-only */
/* Sanitize strings from untrusted files for terminals and JSON. */
#ifndef ABTF_INSPECT_TEXT_H
#define ABTF_INSPECT_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/grow.h"

/**
 * text_clean() - replace control characters with '?', in place
 *
 * The reader has checked identifiers; paths may contain anything.
 *
 * Return: @s.
 */
char *text_clean(char *s);

/** text_json() - Return: a JSON string, null for NULL; invalid UTF-8 bytes become '?'. */
json_t *text_json(const char *s);

/**
 * struct json_lines - an array that is written element by element, each on a separate line
 *
 * As one document, a listing of all functions would take 100 MB.
 */
struct json_lines {
	FILE		*f;
	uint32_t	nr;
};

/** json_lines__add() - Write an element, and release it. */
void json_lines__add(struct json_lines *lines, json_t *value);

/** json_lines__end() - Write the end of the array. */
void json_lines__end(const struct json_lines *lines);

/**
 * struct text_column - a column of a table
 * @right:	align its cells to the right
 * @width:	the width of its widest cell, at most @max; longer cells overlap the next
 *		column
 */
struct text_column {
	const char	*title;
	bool		right;
	size_t		width, max;
};

#define MAX_TEXT_COLUMNS	8

/**
 * struct text_table - a table for people, with two blanks between columns
 * @cells:	row by row; malloc()ed
 */
struct text_table {
	struct text_column	columns[MAX_TEXT_COLUMNS];
	uint32_t		nr_columns;
	VECTOR(char *)		cells;
};

/** text_table__column() - Add a column, before cells are added. */
void text_table__column(struct text_table *t, struct text_column column);

/** text_table__add() - Add a cell; control characters become '?'. */
void text_table__add(struct text_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** text_table__width() - Return: the length of the longest line. */
size_t text_table__width(const struct text_table *t);

/** text_table__print() - Print titles and rows. */
void text_table__print(const struct text_table *t, FILE *f);

void text_table__destroy(struct text_table *t);

#endif /* ABTF_INSPECT_TEXT_H */
