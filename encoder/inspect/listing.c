// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "inspect/listing.h"
#include "inspect/print.h"
#include "inspect/text.h"
#include "util/memory.h"

#define MAX_COLUMN	60

/* The columns of the table; on a narrow terminal, some are shown in headings. */
enum { ID, OFFSET, LINKAGE, FLAGS, NAME, DECLARED, PROTOTYPE, NR_COLUMNS };

static const struct column columns[NR_COLUMNS] = {
	[ID] = { "ID", CELL_NUMBER, "id", NULL, 8, 8 },
	[OFFSET] = { "OFFSET", CELL_HEX, "offset", NULL, 9, MAX_COLUMN },
	[LINKAGE] = { "LINKAGE", CELL_TEXT, "linkage", NULL, 7, 7 },
	[FLAGS] = { "FLAGS", CELL_TEXT, "flags", NULL, 7, 7 },
	[NAME] = { "NAME", CELL_TEXT, "name", NULL, 4, MAX_COLUMN },
	[DECLARED] = { "DECLARED", CELL_PLACE, "decl_file", "decl_line", 8, MAX_COLUMN },
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
		last = row;
	}
}

static const char *const linkages[] = {
	[BTF_FUNC_STATIC] = "static", [BTF_FUNC_GLOBAL] = "global", [BTF_FUNC_EXTERN] = "extern",
};

static json_t *func_json(const struct input *in, const struct func *func)
{
	char *prototype __cleanup(free_pointer) =
		text_clean(btf_data__prototype(in->btf, func->id));
	const char *flag = kprobe_verdict__flag(func->verdict);
	/* [] if the kernel accepts a kprobe, null without an image */
	json_t *flags = !in->kept && !in->img ? json_null() :
			flag ? json_pack("[s]", flag) : json_array();

	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o}",
			 "id", (json_int_t)func->id, "name", text_json(func->full),
			 "offset", func->record ?
			 json_integer(btf_func__offset(func->record)) : json_null(),
			 "file", text_json(func->file), "decl_file", text_json(func->decl_file),
			 "decl_line", func->decl_file ? json_integer(func->decl_line) : json_null(),
			 "linkage", linkages[func->linkage],
			 "prototype", text_json(prototype), "flags", flags);
}

void print_listing(const struct input *in, const struct selection *sel, bool json,
		   unsigned int width, FILE *f)
{
	struct rows rows __cleanup(rows__destroy) = {
		.f = f, .hidden = !in->has_ids << ID | (!in->kept && !in->img) << FLAGS,
	};

	if (!json)
		rows__set_columns(&rows, columns, NR_COLUMNS);
	for_each(chosen, &sel->funcs)
		rows__add(&rows, func_json(in, chosen->func));
	if (!json && width && rows__width(&rows) > width)
		print_groups(&rows);
	else
		rows__end(&rows);
}
