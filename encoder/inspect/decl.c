// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "dwarf/files.h"
#include "functions/source_tree.h"
#include "inspect/decl.h"
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

int decls__find(const struct dwarf *dw, struct decl *decls, size_t nr)
{
	struct source_tree tree __cleanup(source_tree__destroy) = {};
	struct files files __cleanup(files__release) = {};
	VECTOR(struct finding) found = {};
	int err = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct instance *in = decls[i].inst;
		uint32_t unit = in && func_facts__exist(&in->facts) ? in->facts.decl_unit : NO_UNIT;
		uint64_t table = unit != NO_UNIT ? dw->units[unit].stmt_list : UINT64_MAX;

		/* compiler-generated functions have no declaration */
		if (table != UINT64_MAX && in->facts.decl_line)
			push(&found, (struct finding){ table, unit, &decls[i] });
	}
	/* read each table once, for all declarations in its files */
	vector__sort(&found, compare_findings);
	source_tree__find(&tree, dw);
	for_each(f, &found) {
		const char *comp_dir = dw->units[f->unit].comp_dir;
		char *path;

		if (f == found.array || f->stmt_list != f[-1].stmt_list) {
			files__release(&files);
			err = files__read(dw, f->stmt_list, comp_dir, &files);
			if (err)
				break;
		}
		files.comp_dir = comp_dir;
		path = files__path(&files, f->decl->inst->facts.decl_file);
		f->decl->file = source_tree__file(&tree, path, comp_dir);
	}
	free(found.array);
	return err;
}

void decls__free(struct decl *decls, size_t nr)
{
	for (size_t i = 0; decls && i < nr; i++)
		free(decls[i].file);
	free(decls);
}
