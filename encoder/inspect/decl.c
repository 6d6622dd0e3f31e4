// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "functions/source_tree.h"
#include "inspect/decl.h"
#include "inspect/tally.h"
#include "load/files.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

/**
 * struct finding - a declaration whose file is not resolved yet
 * @stmt_list:	the unit's line number table
 * @unit:	number of the unit, @file one of its files
 */
struct finding {
	uint64_t	stmt_list;
	struct decl	*decl;
	uint32_t	unit;
	uint32_t	file;
};

static bool is_before(const struct symbol *sym, uint32_t section, const struct decl *decl)
{
	return (cmp_int(sym->section, section) ?: cmp_int(sym->address, decl->address) ?:
		symbol__compare(sym, decl->name, decl->name_len)) < 0;
}

/* Find the instance NAME or NAME.suffix at a place: a clone's FUNC may have the bare name. */
static const struct instance *find_instance(const struct encoding *e, const struct decl *decl)
{
	uint32_t section = symbols__section_of(e->syms, decl->address);
	const struct instances *in = &e->instances;
	uint32_t len = decl->name_len;
	/* sorted by (section, address, name) */
	uint32_t i = first_not_before(k, in->nr, is_before(in->array[k].sym, section, decl));

	for (; i < in->nr; i++) {
		const struct symbol *sym = in->array[i].sym;

		if (sym->section != section || sym->address != decl->address ||
		    strncmp(sym->name, decl->name, len))
			return NULL;
		if (in->array[i].facts.unit != NO_UNIT &&
		    (!sym->name[len] || sym->name[len] == '.'))
			return &in->array[i];
	}
	return NULL;
}

static int compare_findings(const void *x, const void *y)
{
	const struct finding *a = x, *b = y;

	return cmp_int(a->stmt_list, b->stmt_list) ?: cmp_int(a->unit, b->unit);
}

/* Read every table once, for all declarations in its files. */
static int resolve_files(const struct dwarf *dw, struct finding *found, size_t nr)
{
	struct source_tree tree __cleanup(source_tree__destroy) = {};
	struct files files __cleanup(files__release) = {};
	int err;

	source_tree__find(&tree, dw);
	qsort(found, nr, sizeof(*found), compare_findings);
	for (size_t i = 0; i < nr; i++) {
		const char *comp_dir = dw->units[found[i].unit].comp_dir;

		if (!i || found[i].stmt_list != found[i - 1].stmt_list) {
			files__release(&files);
			err = files__read(dw, found[i].stmt_list, comp_dir, &files);
			if (err)
				return err;
		}
		files.comp_dir = comp_dir;
		found[i].decl->file = source_tree__file(&tree, files__path(&files, found[i].file),
							comp_dir);
	}
	return 0;
}

static int find_all(const struct encoding *e, struct decl *decls, size_t nr)
{
	struct finding *found __cleanup(free_pointer) = xcalloc(nr, sizeof(*found));
	size_t nr_found = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct instance *in = find_instance(e, &decls[i]);
		uint64_t stmt_list;

		if (!in)
			continue;
		decls[i].line = in->facts.decl_line;
		stmt_list = e->dw->units[in->facts.unit].stmt_list;
		/* compiler-generated functions have no declaration */
		if (in->facts.decl_line && stmt_list != UINT64_MAX)
			found[nr_found++] = (struct finding){ stmt_list, &decls[i], in->facts.unit,
							      in->facts.decl_file };
	}
	return resolve_files(e->dw, found, nr_found);
}

int decls__find(const struct image *img, const struct encoding *read, struct decl *decls,
		size_t nr, char **left_out)
{
	/* functions that are skipped as doubtful also have a declaration */
	struct encode_options opts = {
		.func = { .optimized = true, .address = true, .files = true },
		.threads = nr_cores(),
	};
	struct encoding own __cleanup(encoding__free) = {};
	struct tally tally __cleanup(tally__destroy) = {};
	int err = 0;

	*left_out = NULL;
	if (!read) {
		err = encode__open(img, &opts, &own);
		if (!err && own.dw->nr_units)
			err = encode__load(&own);
		read = &own;
	}
	err = err ?: find_all(read, decls, nr);
	if (err || !read->dw || !read->dw->nr_units)
		return err;
	tally__init(&tally, &read->instances);
	*left_out = tally__text(&tally, read);
	return *left_out ? 0 : -EINVAL;
}

void decls__release(struct decl *decls, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(decls[i].file);
}
