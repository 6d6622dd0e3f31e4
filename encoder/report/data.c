// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "btf/print.h"
#include "inlined/inlined.h"
#include "inspect/decl.h"
#include "inspect/text.h"
#include "report/data.h"
#include "util/msg.h"
#include "version.h"

/**
 * struct table - strings that are said once and meant by number
 * @numbers:	object: number by string
 * @strings:	array
 */
struct table {
	json_t	*numbers;
	json_t	*strings;
};

/**
 * struct func_row - a function that is one of its own
 * @name:	of its symbol, ThinLTO's suffix cut off, @len characters
 * @decl:	its place among the declarations that were looked up
 */
struct func_row {
	const struct instance	*inst;
	const char		*name;
	size_t			len;
	uint32_t		id;
	uint32_t		decl;
	bool			shared;
};

/**
 * struct collector - what becomes the data
 * @rows:	all functions, fragments aside; ordered by name, then place
 * @func_ids:	BTF id by place among the FUNCs
 */
struct collector {
	const struct encoding	*e;
	struct btf_data		*btf;
	struct func_row		*rows;
	uint32_t		nr;
	struct decl		*decls;
	uint32_t		nr_decls;
	struct table		files;
	struct table		protos;
	int			err;
};

static char *clean_copy(const char *s, size_t len)
{
	char *copy = strndup(s, len);

	return copy ? text_clean(copy) : NULL;
}

static json_t *clean_json(const char *s, size_t len)
{
	char *copy = clean_copy(s, len);
	json_t *json = copy ? text_json(copy) : NULL;

	free(copy);
	return json;
}

/* Return: the number of a string, which is added if it is new. */
static json_t *table__number(struct table *t, const char *s)
{
	json_t *string = clean_json(s, strlen(s)), *number;

	if (!string)
		return NULL;
	number = json_object_get(t->numbers, json_string_value(string));
	if (number) {
		json_decref(string);
		return json_incref(number);
	}
	number = json_integer(json_array_size(t->strings));
	if (!number || json_object_set(t->numbers, json_string_value(string), number) ||
	    json_array_append(t->strings, string)) {
		json_decref(number);
		number = NULL;
	}
	json_decref(string);
	return number;
}

/* --- the functions -------------------------------------------------------------- */

static int compare_rows(const void *x, const void *y)
{
	const struct func_row *a = x, *b = y;
	int diff = memcmp(a->name, b->name, a->len < b->len ? a->len : b->len);

	return diff ?: (a->len > b->len) - (a->len < b->len) ?:
	       (a->inst > b->inst) - (a->inst < b->inst);
}

static bool same_name(const struct func_row *a, const struct func_row *b)
{
	return a->len == b->len && !memcmp(a->name, b->name, a->len);
}

static bool same_place(const struct func_row *a, const struct func_row *b)
{
	return a->inst->sym->section == b->inst->sym->section &&
	       a->inst->sym->address == b->inst->sym->address;
}

/* The k-th FUNC of the BTF is the k-th that is encoded. */
static uint32_t *find_ids(const struct collector *c)
{
	uint32_t *ids = calloc(c->e->instances.nr + 1UL, sizeof(*ids));
	uint32_t i, k = 0;

	for (i = 0; ids && i < c->btf->nr_types && k < c->e->instances.nr_encoded; i++)
		if (BTF_INFO_KIND(c->btf->index[i]->info) == BTF_KIND_FUNC)
			ids[c->e->instances.order[k++]] = c->btf->first_id + i;
	return ids;
}

static void mark_shared(struct collector *c)
{
	uint32_t i, k, end;
	bool shared;

	for (i = 0; i < c->nr; i = end) {
		shared = false;
		for (end = i + 1; end < c->nr && same_name(&c->rows[i], &c->rows[end]); end++)
			shared |= !same_place(&c->rows[i], &c->rows[end]);
		for (k = i; k < end; k++)
			c->rows[k].shared = shared;
	}
}

static int collect_rows(struct collector *c)
{
	const struct instances *in = &c->e->instances;
	uint32_t *ids = find_ids(c), i;

	c->rows = calloc(in->nr + 1UL, sizeof(*c->rows));
	for (i = 0; ids && c->rows && i < in->nr; i++) {
		const struct instance *inst = &in->array[i];

		if (!inst->sym || inst->reason == FUNC_FRAGMENT)
			continue;
		c->rows[c->nr++] = (struct func_row){
			.inst = inst, .name = inst->sym->name, .id = ids[i],
			.len = func_sym__is_clone(inst->sym) ? strlen(inst->sym->name) :
			       inst->sym->base_len,
		};
	}
	free(ids);
	if (!ids || !c->rows)
		return -ENOMEM;
	qsort(c->rows, c->nr, sizeof(*c->rows), compare_rows);
	mark_shared(c);
	return 0;
}

/* Where those that share a name are declared: often one header has them all. */
static int find_decls(struct collector *c)
{
	char *left_out = NULL;
	uint32_t i, nr = 0;
	int err;

	if (c->e->img->type == ET_REL)
		return 0;
	c->decls = calloc(c->nr + 1UL, sizeof(*c->decls));
	if (!c->decls)
		return -ENOMEM;
	for (i = 0; i < c->nr; i++) {
		struct func_row *row = &c->rows[i];

		if (!row->shared)
			continue;
		row->decl = nr;
		c->decls[nr++] = (struct decl){ .address = row->inst->sym->address,
						.name = row->name, .name_len = row->len };
	}
	c->nr_decls = nr;
	err = nr ? decls__find(c->e->img, c->e, c->decls, nr, &left_out) : 0;
	free(left_out);
	return err;
}

/* --- as JSON ---------------------------------------------------------------------- */

static json_t *file_number(struct collector *c, uint32_t unit)
{
	return table__number(&c->files, encoding__file(c->e, unit));
}

static json_t *proto_number(struct collector *c, const struct func_row *row)
{
	char *proto;
	json_t *number;

	if (!row->id)
		return json_integer(-1);
	proto = btf_data__prototype(c->btf, row->id);
	number = proto ? table__number(&c->protos, proto) : NULL;
	free(proto);
	return number;
}

/* #2 of NAME@FILE#2, where one file has several. */
static unsigned int number_in_file(const struct instance *inst)
{
	const char *at = strchr(inst->name, '@');
	const char *number = at ? strrchr(at, '#') : NULL;

	return number ? strtoul(number + 1, NULL, 10) : 0;
}

/* [file, offset, prototype, reason, number, file of declaration, line] */
static json_t *shared_json(struct collector *c, const struct func_row *row)
{
	const struct instance *inst = row->inst;
	const struct decl *decl = c->decls ? &c->decls[row->decl] : NULL;
	bool declared = decl && decl->found && decl->file;

	return json_pack("[o, I, o, i, i, o, i]", file_number(c, inst->unit),
			 (json_int_t)inst->offset, proto_number(c, row), (int)inst->reason,
			 (int)number_in_file(inst),
			 declared ? table__number(&c->files, decl->file) : json_integer(-1),
			 declared ? (int)decl->line : 0);
}

static json_t *collect_shared(struct collector *c)
{
	json_t *shared = json_array(), *funcs = NULL;
	uint32_t i;
	int err = 0;

	for (i = 0; i < c->nr && !err; i++) {
		const struct func_row *row = &c->rows[i];

		if (!row->shared)
			continue;
		if (!i || !row[-1].shared || !same_name(row - 1, row)) {
			funcs = json_array();
			err = json_array_append_new(shared, json_pack("[o, o]",
					clean_json(row->name, row->len), funcs));
		}
		if (!err)
			err = json_array_append_new(funcs, shared_json(c, row));
	}
	c->err |= err;
	return shared;
}

/* [symbol, file, reason] */
static json_t *collect_skipped(struct collector *c)
{
	json_t *skipped = json_array();
	uint32_t i;

	for (i = 0; i < c->nr; i++) {
		const struct func_row *row = &c->rows[i];

		if (row->inst->reason != FUNC_ENCODED && !row->shared)
			c->err |= json_array_append_new(skipped, json_pack("[o, o, i]",
					clean_json(row->name, row->len),
					file_number(c, row->inst->unit), (int)row->inst->reason));
	}
	return skipped;
}

static int compare_units(const void *x, const void *y)
{
	const struct func_row *a = x, *b = y;

	if (a->inst->unit != b->inst->unit)
		return a->inst->unit < b->inst->unit ? -1 : 1;
	return compare_rows(x, y);
}

/* [file, names]: the other functions of one unit that are in BTF, a blank behind each. */
static json_t *unit_json(struct collector *c, uint32_t start, uint32_t end)
{
	char *names = NULL;
	json_t *json;
	size_t size;
	FILE *f = open_memstream(&names, &size);
	uint32_t i;

	for (i = start; f && i < end; i++) {
		const struct func_row *row = &c->rows[i];

		/* an identifier: what is encoded has been checked for that */
		if (row->inst->reason == FUNC_ENCODED && !row->shared)
			fprintf(f, "%.*s ", (int)row->len, row->name);
	}
	if (!f || fclose(f))
		return NULL;
	json = json_pack("[o, o]", file_number(c, c->rows[start].inst->unit), text_json(names));
	free(names);
	return json;
}

/* Puts the rows into another order, so it comes last. */
static json_t *collect_units(struct collector *c)
{
	json_t *units = json_array();
	uint32_t i, end;

	qsort(c->rows, c->nr, sizeof(*c->rows), compare_units);
	for (i = 0; i < c->nr; i = end) {
		for (end = i + 1; end < c->nr &&
		     c->rows[end].inst->unit == c->rows[i].inst->unit; end++)
			;
		c->err |= json_array_append_new(units, unit_json(c, i, end));
	}
	return units;
}

/* --- inlined calls ---------------------------------------------------------------- */

/* [name, file, line, calls, bodies] */
static json_t *inlined_json(struct collector *c, const struct inlined_func *f)
{
	return json_pack("[o, o, i, i, i]", clean_json(f->name, strlen(f->name)),
			 table__number(&c->files, f->file ?: ""), (int)f->line, (int)f->calls,
			 (int)f->bodies);
}

/* Functions that have a body, too: a probe on that sees some of the calls. */
static json_t *collect_inlined(struct collector *c, const struct inlined *in)
{
	json_t *inlined = json_array();
	uint32_t i;

	for (i = 0; i < in->nr_funcs; i++)
		if (in->funcs[i].calls && in->funcs[i].bodies)
			c->err |= json_array_append_new(inlined, inlined_json(c, &in->funcs[i]));
	return inlined;
}

static int compare_calls(const void *x, const void *y)
{
	const struct inlined_func *a = *(void *const *)x, *b = *(void *const *)y;

	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return (a > b) - (a < b);
}

/* [calls, [name, ...]], of those that have none: there are ten times as many. */
static json_t *collect_gone(struct collector *c, const struct inlined *in)
{
	const struct inlined_func **sorted = calloc(in->nr_funcs + 1UL, sizeof(*sorted));
	json_t *gone = json_array(), *names = NULL;
	uint32_t i, nr = 0;

	for (i = 0; sorted && i < in->nr_funcs; i++)
		if (in->funcs[i].calls && !in->funcs[i].bodies)
			sorted[nr++] = &in->funcs[i];
	if (sorted)
		qsort(sorted, nr, sizeof(*sorted), compare_calls);
	c->err |= !sorted;
	for (i = 0; i < nr; i++) {
		if (!i || sorted[i]->calls != sorted[i - 1]->calls) {
			names = json_array();
			c->err |= json_array_append_new(gone, json_pack("[i, o]",
					(int)sorted[i]->calls, names));
		}
		c->err |= json_array_append_new(names, clean_json(sorted[i]->name,
								  strlen(sorted[i]->name)));
	}
	free(sorted);
	return gone;
}

/* [name, words, number] by reason; "encoded" is the first. */
static json_t *collect_reasons(struct collector *c)
{
	const struct instances *in = &c->e->instances;
	json_t *reasons = json_array();
	enum func_reason r;

	for (r = FUNC_ENCODED; r < NR_FUNC_REASONS; r++)
		c->err |= json_array_append_new(reasons, json_pack("[s, s, i]",
				r ? func_reason__name(r) : "encoded",
				r ? func_reason__text(r) : "in BTF",
				(int)(r ? in->by_reason[r] : in->nr_encoded)));
	return reasons;
}

static json_t *build_id_json(const struct image *img)
{
	char text[2 * 64 + 1] = "";
	const uint8_t *note;
	size_t size, i;

	/* a header of 12 bytes and "GNU" stand before it */
	if (!image__build_id(img, &note, &size) || size <= 16 || size > 16 + 64)
		return json_null();
	for (i = 16; i < size; i++)
		sprintf(text + 2 * (i - 16), "%02x", note[i]);
	return json_string(text);
}

static json_t *make_data(struct collector *c, const struct inlined *in)
{
	const struct image *img = c->e->img;
	const char *slash = strrchr(img->path, '/'), *name = slash ? slash + 1 : img->path;
	json_t *shared = collect_shared(c), *skipped = collect_skipped(c);
	json_t *units = collect_units(c), *inlined = collect_inlined(c, in);

	return json_pack("{s:o, s:o, s:s, s:b, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:O, s:O}",
			 "image", clean_json(name, strlen(name)), "build_id", build_id_json(img),
			 "version", ABTF_VERSION, "linked", img->type != ET_REL,
			 "instances", (int)c->e->instances.nr, "reasons", collect_reasons(c),
			 "shared", shared, "skipped", skipped, "units", units,
			 "inlined", inlined, "gone", collect_gone(c, in),
			 "files", c->files.strings, "protos", c->protos.strings);
}

int report_data__new(const struct encoding *e, json_t **ret)
{
	struct collector c = {
		.e = e, .files = { json_object(), json_array() },
		.protos = { json_object(), json_array() },
	};
	struct inlined *in = NULL;
	int err;

	*ret = NULL;
	err = btf_data__parse(e->btf.bytes, e->btf.size, e->img->path,
			      e->opts->base ? e->opts->base->btf : NULL, &c.btf);
	err = err ?: collect_rows(&c);
	err = err ?: find_decls(&c);
	err = err ?: inlined__read(e->img, NULL, NULL, e->opts->threads, &in);
	if (!err) {
		*ret = make_data(&c, in);
		if (c.err || !*ret)
			err = -ENOMEM;
	}
	if (err == -ENOMEM)
		msg_error("%s: out of memory", e->img->path);
	if (err)
		json_decref(*ret);
	json_decref(c.files.numbers);
	json_decref(c.files.strings);
	json_decref(c.protos.numbers);
	json_decref(c.protos.strings);
	inlined__free(in);
	decls__release(c.decls, c.nr_decls);
	free(c.decls);
	free(c.rows);
	btf_data__free(c.btf);
	return err;
}
