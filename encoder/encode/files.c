// SPDX-License-Identifier: GPL-2.0-only
/* The file of each unit, as it is called in the source tree. */
#include "encode/parts.h"
#include "functions/source_tree.h"

/* Names of units of a kernel take a megabyte; this bounds what lies about them cost. */
#define MAX_UNIT_NAMES	(64UL << 20)

static int check_unit_names(const struct dwarf *dw)
{
	size_t size = 0;
	uint32_t i;

	for (i = 0; i < dw->nr_units; i++) {
		const struct unit *u = &dw->units[i];

		size += strlen(u->name ?: "") + strlen(u->comp_dir ?: "");
		if (size > MAX_UNIT_NAMES)
			return unit__error(dw, u, u->start,
					   "names of units take more than 64 MiB");
	}
	return 0;
}

int encoding__name_files(struct encoding *e)
{
	struct source_tree tree = { .prefixes = e->opts->prefixes,
				    .nr_prefixes = e->opts->nr_prefixes };
	uint32_t i;
	int err = check_unit_names(e->dw);

	if (err)
		return err;
	e->nr_units = e->dw->nr_units;
	e->files = calloc(e->nr_units + 1, sizeof(*e->files));
	err = e->files ? source_tree__find(&tree, e->dw) : -ENOMEM;
	for (i = 0; !err && i < e->nr_units; i++) {
		const struct unit *u = &e->dw->units[i];

		e->files[i] = source_tree__path(&tree, u->name ?: "", u->comp_dir);
		err = e->files[i] ? 0 : -ENOMEM;
	}
	source_tree__destroy(&tree);
	return err;
}

/* Files that BTF names have lost their prefixes already; there may be others to cut off. */
int encoding__name_input_files(struct encoding *e)
{
	const struct source_tree tree = { .prefixes = e->opts->prefixes,
					  .nr_prefixes = e->opts->nr_prefixes };
	const struct from_btf *in = &e->input;
	uint32_t i;

	e->nr_units = in->units.nr;
	e->files = calloc(e->nr_units + 1, sizeof(*e->files));
	for (i = 0; e->files && i < e->nr_units; i++) {
		e->files[i] = tree.nr_prefixes ? source_tree__path(&tree, in->units.array[i], NULL) :
			      strdup(in->units.array[i]);
		if (!e->files[i])
			return -ENOMEM;
	}
	return e->files ? 0 : -ENOMEM;
}
