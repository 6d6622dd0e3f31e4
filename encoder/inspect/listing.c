// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "btf/print.h"
#include "encode.h"
#include "image/symbols.h"
#include "inspect/decl.h"
#include "inspect/kept.h"
#include "inspect/listing.h"
#include "inspect/text.h"
#include "inspect/verdict.h"
#include "util/memory.h"
#include "util/msg.h"

/* A cell of the table that is longer sticks out of its column. */
#define MAX_COLUMN	60

#define MAX_OFFSET	24

/* Without a selector: functions that share their name, encoded or not. */
static bool is_shown(const struct func *inst, bool all)
{
	return all || inst->nr_named > 1 || inst->file;
}

static int compare_ids(const void *a, const void *b)
{
	const struct listing_row *x = a, *y = b;

	return cmp_int(x->inst->id, y->inst->id) ?: cmp_int(x->into, y->into);
}

/* Only a linked image says at which address an offset from _text is. */
static int add_decls(struct listing *list, const struct image *img, const struct encoding *read)
{
	struct decl *decls __cleanup(free_pointer) = NULL;
	uint64_t text;
	int err;

	if (!list->nr || img->type == ET_REL || !image__section(img, ".debug_info") ||
	    !image__symbol(img, "_text", &text))
		return 0;
	decls = xcalloc(list->nr, sizeof(*decls));
	if (!decls)
		return -ENOMEM;
	for (uint32_t i = 0; i < list->nr; i++) {
		const struct func *inst = list->rows[i].inst;

		decls[i].name = inst->full;
		decls[i].name_len = inst->name_len;
		if (inst->record)
			decls[i].address = text + btf_func__offset(inst->record);
	}
	err = decls__find(img, read, decls, list->nr, &list->left_out);
	for (uint32_t i = 0; i < list->nr && !err; i++) {
		if (!list->rows[i].inst->record || !decls[i].found || !decls[i].file)
			continue;
		list->rows[i].decl_file = text_clean(decls[i].file);
		list->rows[i].decl_line = decls[i].line;
		decls[i].file = NULL;
	}
	decls__release(decls, list->nr);
	return err;
}

static int add_verdicts(struct listing *list, const struct listing_source *src)
{
	struct kprobes k __cleanup(kprobes__destroy);
	int err = kprobes__read(src->img, src->read ? src->read->syms : NULL, &k);

	for (uint32_t i = 0; i < list->nr && !err; i++) {
		const struct func *inst = list->rows[i].inst;

		list->rows[i].verdict = func__verdict(&k, inst->full, inst->record);
	}
	return err;
}

static int take_kept(struct listing *list, const struct kept *kept, const struct btf_data *btf)
{
	for (uint32_t i = 0; i < list->nr; i++) {
		uint32_t at = list->rows[i].inst->id - btf->first_id;
		const char *file = at < kept->nr_decls ?
				   kept__string(kept, kept->decls[at].file) : NULL;

		list->rows[i].verdict = kept__verdict(kept, list->rows[i].inst->id);
		if (!file)
			continue;
		list->rows[i].decl_file = xstrdup(file);
		list->rows[i].decl_line = kept->decls[at].line;
		if (!list->rows[i].decl_file)
			return -ENOMEM;
		text_clean(list->rows[i].decl_file);
	}
	if (kept->left_out)
		list->left_out = xstrdup(kept->left_out);
	return kept->left_out && !list->left_out ? -ENOMEM : 0;
}

static int add_row(struct listing *list, const struct btf_data *btf, const struct func *inst,
		   uint64_t into)
{
	struct listing_row *row = &list->rows[list->nr++];

	row->inst = inst;
	row->into = into;
	row->prototype = btf_data__prototype(btf, inst->id);
	if (!row->prototype)
		return -ENOMEM;
	text_clean(row->prototype);
	return 0;
}

int listing__new(const struct funcs *insts, const struct listing_source *src,
		 const struct selection *sel, bool all, struct listing **ret)
{
	struct listing *list = xcalloc(1, sizeof(*list));
	uint32_t nr = sel ? sel->nr_funcs : insts->nr;
	int err = -ENOMEM;

	*ret = NULL;
	if (!list)
		goto out;
	list->rows = xcalloc(nr + 1UL, sizeof(*list->rows));
	if (!list->rows)
		goto out;

	err = 0;
	for (uint32_t i = 0; i < nr && !err; i++) {
		if (sel)
			err = add_row(list, insts->btf, sel->funcs[i].func, sel->funcs[i].into);
		else if (is_shown(&insts->all[i], all))
			err = add_row(list, insts->btf, &insts->all[i], 0);
	}
	if (err)
		goto out;
	qsort(list->rows, list->nr, sizeof(*list->rows), compare_ids);
	if (src->kept)
		err = take_kept(list, src->kept, insts->btf);
	else if (src->img)
		err = add_decls(list, src->img, src->read) ?: add_verdicts(list, src);
	list->has_ids = !src->kept && !src->read;
	list->has_verdicts = src->kept || src->img;
out:
	if (err == -ENOMEM)
		msg_error("out of memory");
	if (err)
		listing__free(list);
	else
		*ret = list;
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

static const char *offset_text(const struct func *inst, char *buf)
{
	if (!inst->record)
		return "-";
	snprintf(buf, MAX_OFFSET, "0x%" PRIx64, (uint64_t)btf_func__offset(inst->record));
	return buf;
}

/**
 * struct columns - widths of the table's columns
 * @line:	of the longest line in all
 */
struct columns {
	int	offset;
	int	name;
	int	declared;
	size_t	line;
};

static const char *flags_text(const struct listing_row *row)
{
	return kprobe_verdict__flag(row->verdict) ?: "-";
}

static int declared_len(const struct listing_row *row)
{
	if (!row->decl_file)
		return 1;
	return snprintf(NULL, 0, "%s:%u", row->decl_file, row->decl_line);
}

static void widen_column(int *column, size_t len)
{
	if (len > MAX_COLUMN)
		len = MAX_COLUMN;
	if (*column < (int)len)
		*column = len;
}

/* ID, LINKAGE and FLAGS have fixed widths; there are two blanks between columns. */
#define LINKAGE_COLUMNS	(7 + 4 * 2)
#define ID_COLUMNS	(8 + 2)
#define FLAGS_COLUMNS	(7 + 2)

static struct columns measure_columns(const struct listing *list)
{
	struct columns col = { .offset = 9, .name = 4, .declared = 8 };
	size_t prototype = 0;
	char buf[MAX_OFFSET];

	for (uint32_t i = 0; i < list->nr; i++) {
		const struct listing_row *row = &list->rows[i];

		widen_column(&col.offset, strlen(offset_text(row->inst, buf)));
		widen_column(&col.name, strlen(row->inst->full));
		widen_column(&col.declared, declared_len(row));
		if (strlen(row->prototype) > prototype)
			prototype = strlen(row->prototype);
	}
	col.line = LINKAGE_COLUMNS + (list->has_ids ? ID_COLUMNS : 0) +
		   (list->has_verdicts ? FLAGS_COLUMNS : 0) +
		   col.offset + col.name + col.declared + prototype;
	return col;
}

static void print_table(const struct listing *list, FILE *f, const struct columns *col)
{
	if (list->has_ids)
		fprintf(f, "%8s  ", "ID");
	fprintf(f, "%*s  %-7s  ", col->offset, "OFFSET", "LINKAGE");
	if (list->has_verdicts)
		fprintf(f, "%-7s  ", "FLAGS");
	fprintf(f, "%-*s  %-*s  %s\n", col->name, "NAME", col->declared, "DECLARED", "PROTOTYPE");
	for (uint32_t i = 0; i < list->nr; i++) {
		const struct listing_row *row = &list->rows[i];
		char buf[MAX_OFFSET];

		if (list->has_ids)
			fprintf(f, "%8u  ", row->inst->id);
		fprintf(f, "%*s  %-7s  ", col->offset, offset_text(row->inst, buf),
			btf_linkage__name(row->inst->linkage));
		if (list->has_verdicts)
			fprintf(f, "%-7s  ", flags_text(row));
		fprintf(f, "%-*s  ", col->name, row->inst->full);
		if (row->decl_file)
			fprintf(f, "%s:%u", row->decl_file, row->decl_line);
		else
			fputc('-', f);
		fprintf(f, "%*s  %s\n", col->declared > declared_len(row) ?
			col->declared - declared_len(row) : 0, "", row->prototype);
	}
}

static bool same_heading(const struct listing_row *a, const struct listing_row *b)
{
	return a->inst->linkage == b->inst->linkage && a->decl_line == b->decl_line &&
	       !strcmp(a->prototype, b->prototype) &&
	       !strcmp(a->decl_file ?: "", b->decl_file ?: "");
}

static void print_groups(const struct listing *list, FILE *f, const struct columns *col)
{
	for (uint32_t i = 0; i < list->nr; i++) {
		const struct listing_row *row = &list->rows[i];
		char buf[MAX_OFFSET];

		if (!i || !same_heading(row - 1, row)) {
			fprintf(f, "%s%s %s\n", i ? "\n" : "",
				btf_linkage__name(row->inst->linkage), row->prototype);
			if (row->decl_file)
				fprintf(f, "  in %s:%u\n", row->decl_file, row->decl_line);
		}
		if (list->has_ids)
			fprintf(f, "%8u  ", row->inst->id);
		fprintf(f, "%*s  ", col->offset, offset_text(row->inst, buf));
		if (list->has_verdicts)
			fprintf(f, "%-7s  ", flags_text(row));
		fprintf(f, "%s\n", row->inst->full);
	}
}

void listing__print(const struct listing *list, FILE *f, unsigned int columns)
{
	struct columns col = measure_columns(list);

	if (columns && col.line > columns)
		print_groups(list, f, &col);
	else
		print_table(list, f, &col);
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

int listing__print_json(const struct listing *list, FILE *f)
{
	bool first = true;
	int err = 0;

	fputc('[', f);
	for (uint32_t i = 0; i < list->nr && !err; i++)
		err = text_json_line(f, row_json(list, &list->rows[i]), &first);
	fputs(first ? "]\n" : "\n]\n", f);
	return err;
}
