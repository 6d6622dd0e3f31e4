// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <string.h>

#include "inspect/text.h"
#include "util/macros.h"
#include "util/memory.h"

char *text_clean(char *s)
{
	for (char *p = s; *p; p++) {
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	}
	return s;
}

json_t *text_json(const char *s)
{
	json_t *json = s ? json_string(s) : json_null();
	char *copy __cleanup(free_pointer) = NULL;

	if (json)
		return json;
	copy = xstrdup(s);
	for (char *p = copy; *p; p++) {
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	}
	return json_string(copy);
}

void json_lines__add(struct json_lines *lines, json_t *value)
{
	fputs(lines->nr++ ? ",\n" : "[\n", lines->f);
	/* errors are detected when the stream is closed */
	json_dumpf(value, lines->f, 0);
	json_decref(value);
}

void json_lines__end(const struct json_lines *lines)
{
	fputs(lines->nr ? "\n]\n" : "[]\n", lines->f);
}

void text_table__column(struct text_table *t, struct text_column column)
{
	t->columns[t->nr_columns++] = column;
}

void text_table__add(struct text_table *t, const char *fmt, ...)
{
	struct text_column *column = &t->columns[t->cells.nr % t->nr_columns];
	va_list args;
	size_t len;
	char *cell;

	va_start(args, fmt);
	cell = text_clean(xvasprintf(fmt, args));
	va_end(args);
	push(&t->cells, cell);
	len = strlen(cell);
	if (len > column->max)
		len = column->max;
	if (len > column->width)
		column->width = len;
}

size_t text_table__width(const struct text_table *t)
{
	size_t width = 2 * (t->nr_columns - 1);

	for (uint32_t i = 0; i < t->nr_columns; i++)
		width += t->columns[i].width;
	return width;
}

void text_table__print(const struct text_table *t, FILE *f)
{
	for (uint32_t i = 0; i < t->nr_columns + t->cells.nr; i++) {
		const struct text_column *column = &t->columns[i % t->nr_columns];
		bool last = column == &t->columns[t->nr_columns - 1];
		int width = last ? 0 : column->width;

		fprintf(f, "%*s%s", column->right ? width : -width,
			i < t->nr_columns ? column->title : t->cells.array[i - t->nr_columns],
			last ? "\n" : "  ");
	}
}

void text_table__destroy(struct text_table *t)
{
	for_each(cell, &t->cells)
		free(*cell);
	free(t->cells.array);
}
