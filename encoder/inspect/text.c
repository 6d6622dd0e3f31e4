// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "inspect/text.h"
#include "util/document.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

/* Attributes that do not assume a background. */
#define BOLD	"\033[1m"
#define DIM	"\033[2m"
#define PLAIN	"\033[m"

/* See https://no-color.org. */
static bool has_color(FILE *f)
{
	const char *no_color = getenv("NO_COLOR");

	return is_terminal(f) && !(no_color && *no_color);
}

static char *join_strings(const json_t *array)
{
	char *text = NULL;

	for (size_t i = 0; i < json_array_size(array); i++)
		xappend(&text, "%s%s", i ? "," : "", json_string_value(json_array_get(array, i)));
	return text;
}

static char *make_cell(const struct column *c, const json_t *row)
{
	json_t *value = json_object_get(row, c->key);
	json_int_t line = json_integer_value(json_object_get(row, c->line ?: ""));
	unsigned long long number = json_integer_value(value);

	if (json_is_array(value))
		return join_strings(value) ?: xstrdup("-");
	if (!value || json_is_null(value))
		return xstrdup(value ? "-" : "");
	switch (c->format) {
	case CELL_NUMBER:
		return xasprintf("%llu", number);
	case CELL_HEX:
		return xasprintf("0x%llx", number);
	case CELL_PLACE:
		return xasprintf("%s:%llu", json_string_value(value), (unsigned long long)line);
	default:
		return xstrdup(json_string_value(value));
	}
}

void rows__set_columns(struct rows *r, const struct column *columns, uint32_t nr)
{
	memcpy(r->columns, columns, nr * sizeof(*columns));
	r->nr_columns = nr;
	r->color = has_color(r->f);
}

void rows__add(struct rows *r, json_t *row)
{
	if (!r->nr_columns) {
		document__add(row);
		return;
	}
	for (uint32_t i = 0; i < r->nr_columns; i++) {
		struct column *c = &r->columns[i];
		char *cell = text_clean(make_cell(c, row));
		size_t len = strlen(cell);

		push(&r->cells, cell);
		if (len > c->width)
			c->width = len < c->max ? len : c->max;
		if (r->varying >> i & 1 && strcmp(cell, r->cells.array[i]))
			r->hidden &= ~(1U << i);
	}
	json_decref(row);
}

size_t rows__width(const struct rows *r)
{
	size_t width = 0;

	for (uint32_t i = 0; i < r->nr_columns; i++)
		if (!(r->hidden >> i & 1))
			width += r->columns[i].width + (i + 1 < r->nr_columns ? 2 : 0);
	return width;
}

void rows__print_text(const struct rows *r, uint32_t column, const char *text)
{
	const struct column *c = &r->columns[column];
	const char *style = !r->color || text == c->title ? NULL : !strcmp(c->title, "NAME") ? BOLD :
			    !strcmp(c->key, "flags") ? DIM : NULL;

	fprintf(r->f, "%s%s%s", style ?: "", text, style ? PLAIN : "");
}

void rows__print_cell(const struct rows *r, uint32_t column, const char *text)
{
	const struct column *c = &r->columns[column];
	bool right = c->format == CELL_NUMBER || c->format == CELL_HEX;
	bool last = column + 1 == r->nr_columns;
	size_t len = strlen(text);
	int blanks = !last && len < c->width ? c->width - len : 0;

	if (r->hidden >> column & 1)
		return;
	fprintf(r->f, "%*s", right ? blanks : 0, "");
	rows__print_text(r, column, text);
	fprintf(r->f, "%*s%s", right ? 0 : blanks, "", last ? "\n" : "  ");
}

void rows__end(struct rows *r)
{
	for (uint32_t i = 0; i < r->nr_columns; i++)
		rows__print_cell(r, i, r->columns[i].title);
	for (uint32_t i = 0; i < r->cells.nr; i++)
		rows__print_cell(r, i % r->nr_columns, r->cells.array[i]);
}

void rows__destroy(struct rows *r)
{
	for_each(cell, &r->cells)
		free(*cell);
	free(r->cells.array);
}
