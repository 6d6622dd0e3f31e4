// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "functions/source_tree.h"
#include "inspect/decl.h"
#include "load/files.h"
#include "util/memory.h"

/** struct finding - a declaration in a file of a unit, whose line number table is at @stmt_list */
struct finding {
	uint64_t	stmt_list;
	uint32_t	unit;
	struct decl	*decl;
};

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
		struct decl *decl = found[i].decl;
		char *path;

		if (!i || found[i].stmt_list != found[i - 1].stmt_list) {
			files__release(&files);
			err = files__read(dw, found[i].stmt_list, comp_dir, &files);
			if (err)
				return err;
		}
		files.comp_dir = comp_dir;
		path = files__path(&files, decl->inst->facts.decl_file);
		decl->file = source_tree__file(&tree, path, comp_dir);
	}
	return 0;
}

int decls__find(const struct dwarf *dw, struct decl *decls, size_t nr)
{
	struct finding *found __cleanup(free_pointer) = xcalloc(nr, sizeof(*found));
	size_t nr_found = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct instance *in = decls[i].inst;
		uint32_t unit = in ? in->facts.unit : NO_UNIT;

		/* compiler-generated functions have no declaration */
		if (unit != NO_UNIT && in->facts.decl_line &&
		    dw->units[unit].stmt_list != UINT64_MAX)
			found[nr_found++] = (struct finding){ dw->units[unit].stmt_list, unit,
							      &decls[i] };
	}
	return resolve_files(dw, found, nr_found);
}

void decls__free(struct decl *decls, size_t nr)
{
	for (size_t i = 0; decls && i < nr; i++)
		free(decls[i].file);
	free(decls);
}
