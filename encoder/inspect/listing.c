// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "inspect/listing.h"
#include "inspect/print.h"
#include "inspect/text.h"
#include "util/document.h"
#include "util/json.h"
#include "util/memory.h"

#define MAX_COLUMN	60

/* The columns of the table; on a narrow terminal, some are shown in headings. */
enum { ID, OFFSET, LINKAGE, FLAGS, NAME, DECLARED, ARGS, PROTOTYPE, NR_COLUMNS };

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

/* Print the rows of a table that is too wide, grouped by their common columns. */
static void print_groups(const struct rows *r)
{
	char **last = NULL;

	for (char **row = r->cells.array; row < r->cells.array + r->cells.nr; row += NR_COLUMNS) {
		if (!last || strcmp(last[LINKAGE], row[LINKAGE]) ||
		    strcmp(last[DECLARED], row[DECLARED]) ||
		    strcmp(last[PROTOTYPE], row[PROTOTYPE])) {
			fprintf(r->f, "%s%s %s\n", last ? "\n" : "", row[LINKAGE], row[PROTOTYPE]);
			if (strcmp(row[DECLARED], "-"))
				fprintf(r->f, "  in %s\n", row[DECLARED]);
		}
		rows__print_cell(r, ID, row[ID]);
		rows__print_cell(r, OFFSET, row[OFFSET]);
		rows__print_cell(r, FLAGS, row[FLAGS]);
		fprintf(r->f, "%s\n", row[NAME]);
		if (!(r->hidden >> ARGS & 1))
			fprintf(r->f, "    %s\n", row[ARGS]);
		last = row;
	}
}

static const char *const linkages[] = {
	[BTF_FUNC_STATIC] = "static", [BTF_FUNC_GLOBAL] = "global", [BTF_FUNC_EXTERN] = "extern",
};

/* [] if the kernel accepts a kprobe; null without an image. */
static json_t *flags_json(const struct function *f, bool known)
{
	const char *flag = kprobe_verdict__flag(f->verdict);
	json_t *flags = json_array();

	if (flag && known)
		json_array_append_new(flags, json_string(flag));
	if (f->is_clone)
		json_array_append_new(flags, json_string("clone"));
	if (known)
		return flags;
	json_decref(flags);
	return json_null();
}

static json_t *function_json(const struct function_map *map, const struct function *f)
{
	char *prototype __cleanup(free_pointer) = function__prototype(f);

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:n}",
			 "id", f->id ? json_integer(f->id) : json_null(), "name", text_json(f->name),
			 "section", function_map__section_json(map, f->section),
			 "offset", f->has_offset ? json_integer(f->offset) : json_null(),
			 "file", text_json(f->file), "decl_file", text_json(f->decl_file),
			 "decl_line", f->decl_file ? json_integer(f->decl_line) : json_null(),
			 "linkage", linkages[f->linkage], "prototype", text_json(prototype),
			 "flags", flags_json(f, map->has_image), "args");
}

void print_listing(const struct function_map *map, const struct selection *sel, bool json,
		   unsigned int width, listing_args *args, void *data, FILE *f)
{
	struct rows rows __cleanup(rows__destroy) = {
		.f = f,
		.hidden = !map->has_ids << ID | !map->has_image << FLAGS | !args << ARGS,
	};

	if (json)
		document__begin("functions", function_map__head(map));
	else
		rows__set_columns(&rows, columns, NR_COLUMNS);
	for_each(chosen, &sel->funcs) {
		json_t *row = function_json(map, chosen->func);

		if (args)
			json_object_set_new(row, "args", args(chosen->func, json, data));
		rows__add(&rows, row);
	}
	if (!json && width && rows__width(&rows) > width)
		print_groups(&rows);
	else
		rows__end(&rows);
}
