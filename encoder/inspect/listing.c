// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/decl.h"
#include "inspect/listing.h"
#include "inspect/print.h"
#include "inspect/text.h"
#include "util/memory.h"

#define MAX_COLUMN	60

static int compare_ids(const void *a, const void *b)
{
	const struct listing_row *x = a, *y = b;

	return cmp_int(x->inst->id, y->inst->id) ?: cmp_int(x->into, y->into);
}

static void set_decl(struct listing_row *row, char *file, uint32_t line)
{
	row->decl_file = text_clean(file);
	row->decl_line = line;
}

/* Offsets from _text have an address only in a linked image. */
static int add_decls(struct listing *list, const struct input *in)
{
	struct decl *decls __cleanup(free_pointer) = NULL;
	uint64_t text;
	int err;

	if (!list->nr || in->img->type == ET_REL || !image__section(in->img, ".debug_info") ||
	    !image__symbol(in->img, "_text", &text))
		return 0;
	decls = xcalloc(list->nr, sizeof(*decls));
	for (uint32_t i = 0; i < list->nr; i++) {
		const struct func *inst = list->rows[i].inst;

		decls[i].name = inst->full;
		decls[i].name_len = inst->name_len;
		if (inst->record)
			decls[i].address = text + btf_func__offset(inst->record);
	}
	err = decls__find(in->img, in->encoding, decls, list->nr, &list->left_out);
	for (uint32_t i = 0; i < list->nr && !err; i++)
		if (list->rows[i].inst->record && decls[i].file)
			set_decl(&list->rows[i], no_free_ptr(decls[i].file), decls[i].line);
	decls__release(decls, list->nr);
	return err;
}

static int add_verdicts(struct listing *list, const struct input *in)
{
	struct kprobes k __cleanup(kprobes__destroy);
	int err = kprobes__read(in->img, in->syms, &k);

	for (uint32_t i = 0; i < list->nr && !err; i++) {
		const struct func *inst = list->rows[i].inst;

		list->rows[i].verdict = func__verdict(&k, inst->full, inst->record);
	}
	return err;
}

static void add_cached(struct listing *list, const struct kept *kept)
{
	for (uint32_t i = 0; i < list->nr; i++) {
		uint32_t at = list->rows[i].inst->id - kept->btf->first_id;
		const char *file = at < kept->nr_decls ?
				   kept__string(kept, kept->decls[at].file) : NULL;

		list->rows[i].verdict = kept__verdict(kept, list->rows[i].inst->id);
		if (file)
			set_decl(&list->rows[i], xstrdup(file), kept->decls[at].line);
	}
	if (kept->left_out)
		list->left_out = xstrdup(kept->left_out);
}

int listing__new(const struct input *in, const struct selection *sel, bool all,
		 struct listing **ret)
{
	struct listing *list = xcalloc(1, sizeof(*list));
	uint32_t nr = sel ? sel->funcs.nr : in->funcs->nr;
	int err = 0;

	*ret = list;
	list->rows = xcalloc(nr, sizeof(*list->rows));
	for (uint32_t i = 0; i < nr; i++) {
		const struct func *inst = sel ? sel->funcs.array[i].func : &in->funcs->all[i];

		/* without a selector: functions that share a name, encoded or not */
		if (!sel && !all && inst->nr_named < 2 && !inst->file)
			continue;
		list->rows[list->nr++] = (struct listing_row){
			.inst = inst, .into = sel ? sel->funcs.array[i].into : 0,
			.prototype = text_clean(btf_data__prototype(in->btf, inst->id)),
		};
	}
	qsort(list->rows, list->nr, sizeof(*list->rows), compare_ids);
	if (in->kept)
		add_cached(list, in->kept);
	else if (in->img)
		err = add_decls(list, in) ?: add_verdicts(list, in);
	list->has_ids = !in->kept && !in->encoding;
	list->has_verdicts = in->kept || in->img;
	return err;
}

void listing__free(struct listing *list)
{
	if (!list)
		return;
	for (uint32_t i = 0; i < list->nr; i++) {
		free(list->rows[i].decl_file);
		free(list->rows[i].prototype);
	}
	free(list->left_out);
	free(list->rows);
	free(list);
}

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

/* [] if the kernel accepts a kprobe, null without an image */
static json_t *flags_json(const struct listing *list, const struct listing_row *row)
{
	const char *flag = kprobe_verdict__flag(row->verdict);

	return !list->has_verdicts ? json_null() : flag ? json_pack("[s]", flag) : json_array();
}

static json_t *row_json(const struct listing *list, const struct listing_row *row)
{
	const struct btf_func *record = row->inst->record;

	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o}",
			 "id", (json_int_t)row->inst->id, "name", text_json(row->inst->full),
			 "offset", record ? json_integer(btf_func__offset(record)) : json_null(),
			 "file", text_json(row->inst->file),
			 "decl_file", text_json(row->decl_file),
			 "decl_line", row->decl_file ? json_integer(row->decl_line) : json_null(),
			 "linkage", btf_linkage__name(row->inst->linkage),
			 "prototype", text_json(row->prototype), "flags", flags_json(list, row));
}

void listing__print(const struct listing *list, bool json, unsigned int width, FILE *f)
{
	struct rows rows __cleanup(rows__destroy) = {
		.f = f, .hidden = !list->has_ids << ID | !list->has_verdicts << FLAGS,
	};

	if (!json)
		rows__set_columns(&rows, columns, NR_COLUMNS);
	for (uint32_t i = 0; i < list->nr; i++)
		rows__add(&rows, row_json(list, &list->rows[i]));
	if (!json && width && rows__width(&rows) > width)
		print_groups(&rows);
	else
		rows__end(&rows);
}
