// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "inspect/listing.h"
#include "inspect/print.h"
#include "inspect/text.h"
#include "util/document.h"
#include "util/json.h"
#include "util/memory.h"
#include "util/text.h"

#define MAX_COLUMN	60

/* The columns of the table; on a narrow terminal, some are shown in headings. */
enum { ID, OFFSET, LINKAGE, FLAGS, NAME, DECLARED, ARGS, PROTOTYPE, NR_COLUMNS };

_Static_assert(NR_COLUMNS <= MAX_COLUMNS, "struct rows has room for the columns");

static const struct column columns[NR_COLUMNS] = {
	[ID] = { "ID", CELL_NUMBER, "id", NULL, 8, 8 },
	[OFFSET] = { "OFFSET", CELL_HEX, "offset", NULL, 9, MAX_COLUMN },
	[LINKAGE] = { "LINKAGE", CELL_TEXT, "linkage", NULL, 7, 7 },
	[FLAGS] = { "FLAGS", CELL_TEXT, "flags", NULL, 7, 13 },
	[NAME] = { "NAME", CELL_TEXT, "name", NULL, 4, MAX_COLUMN },
	[DECLARED] = { "DECLARED", CELL_PLACE, "decl_file", "decl_line", 8, MAX_COLUMN },
	[ARGS] = { "ARGUMENTS", CELL_TEXT, "args", NULL, 9, MAX_COLUMN },
	[PROTOTYPE] = { "PROTOTYPE", CELL_TEXT, "prototype", NULL, 0, SIZE_MAX },
};

/**
 * struct grouped - a row, and the group that it is in
 * @first:	the group's first row
 */
struct grouped {
	char	**row;
	char	**first;
};

static int compare_prototypes(const struct grouped *a, const struct grouped *b)
{
	return strcmp(a->row[LINKAGE], b->row[LINKAGE]) ?:
	       strcmp(a->row[PROTOTYPE], b->row[PROTOTYPE]);
}

static int by_prototype(const void *a, const void *b)
{
	const struct grouped *x = a, *y = b;

	return compare_prototypes(x, y) ?: cmp_int(x->row, y->row);
}

static int by_first_row(const void *a, const void *b)
{
	const struct grouped *x = a, *y = b;

	return cmp_int(x->first, y->first) ?: cmp_int(x->row, y->row);
}

/* Sort rows by group, and groups by their first rows. */
static struct grouped *group_rows(const struct rows *r, uint32_t nr)
{
	struct grouped *all = xcalloc(nr, sizeof(*all));

	for (uint32_t i = 0; i < nr; i++)
		all[i].row = r->cells.array + (size_t)i * NR_COLUMNS;
	qsort(all, nr, sizeof(*all), by_prototype);
	for (uint32_t i = 0; i < nr; i++)
		all[i].first = i && !compare_prototypes(&all[i - 1], &all[i]) ? all[i - 1].first :
			       all[i].row;
	qsort(all, nr, sizeof(*all), by_first_row);
	return all;
}

/* Print the rows of a table that is too wide, grouped by prototype. */
static void print_groups(const struct rows *r)
{
	uint32_t nr = r->cells.nr / NR_COLUMNS;
	struct grouped *all __cleanup(free_pointer) = group_rows(r, nr);

	for (uint32_t i = 0; i < nr; i++) {
		char **row = all[i].row, *declared = row[DECLARED];

		if (row == all[i].first)
			fprintf(r->f, "%s%s %s\n", i ? "\n" : "", row[LINKAGE],
				strcmp(row[PROTOTYPE], "-") ? row[PROTOTYPE] : "(unknown prototype)");
		rows__print_cell(r, ID, row[ID]);
		rows__print_cell(r, OFFSET, row[OFFSET]);
		rows__print_cell(r, FLAGS, row[FLAGS]);
		rows__print_text(r, NAME, row[NAME]);
		if (*declared && strcmp(declared, "-"))
			fprintf(r->f, "  %s", declared);
		fprintf(r->f, "\n");
		if (!(r->hidden >> ARGS & 1))
			fprintf(r->f, "    %s\n", row[ARGS]);
	}
}

static const char *const linkages[] = {
	[BTF_FUNC_STATIC] = "static", [BTF_FUNC_GLOBAL] = "global", [BTF_FUNC_EXTERN] = "extern",
};

static json_t *function_json(const struct function_map *map, const struct function *f)
{
	char *prototype __cleanup(free_pointer) =
		f->func_id ? text_clean(btf_data__prototype(f->btf, f->func_id)) : NULL;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:n}",
			 "id", f->id ? json_integer(f->id) : json_null(), "name", text_json(f->name),
			 "section", f->has_offset ? text_json(function_map__section(map, f->section)) : json_null(),
			 "offset", f->has_offset ? json_integer(f->offset) : json_null(),
			 "file", text_json(f->file), "decl_file", text_json(f->decl_file),
			 "decl_line", f->decl_file ? json_integer(f->decl_line) : json_null(),
			 "linkage", linkages[f->linkage], "prototype", text_json(prototype),
			 "flags", map->has_image ? function__flags_json(f) : json_null(), "args");
}

/*
 * Append the line of the declaration to the name, if this has the file:
 * "type_show@kernel/reboot.c:1194".
 */
static void join_place(json_t *row)
{
	const char *name = json_string_value(json_object_get(row, "name"));
	const char *file = json_string_value(json_object_get(row, "decl_file"));
	long long line = json_integer_value(json_object_get(row, "decl_line"));
	const char *at = name ? strchr(name, '@') : NULL;

	if (!at || !file || strcmp(at + 1, file))
		return;
	json_object_set_new(row, "name", json_sprintf("%s:%lld", name, line));
	json_object_del(row, "decl_file");
}

void print_listing(const struct function_map *map, const struct selection *sel, bool json,
		   unsigned int width, listing_args *args, void *data, FILE *f)
{
	struct rows rows __cleanup(rows__destroy) = {
		.f = f,
		.hidden = 1 << ID | !map->has_image << FLAGS | !args << ARGS | !!width << DECLARED,
	};

	if (json)
		document__begin("functions", function_map__head(map));
	else
		rows__set_columns(&rows, columns, NR_COLUMNS);
	for_each(chosen, &sel->funcs) {
		json_t *row = function_json(map, chosen->func);

		if (chosen->func->id)
			rows.hidden &= ~(1U << ID);
		if (args)
			json_object_set_new(row, "args", args(chosen->func, json, data));
		if (!json && width)
			join_place(row);
		if (json_string_value(json_object_get(row, "decl_file")))
			rows.hidden &= ~(1U << DECLARED);
		rows__add(&rows, row);
	}
	if (!json && width && rows__width(&rows) > width)
		print_groups(&rows);
	else
		rows__end(&rows);
}
