// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "inlined/inlined.h"
#include "inlined/walk.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

/* --- threads share the units out -------------------------------------------- */

static int read_unit(void *walks, unsigned int thread, uint32_t unit)
{
	return inlined_walk__read((struct inlined_walk *)walks + thread, unit);
}

/* --- paths in the source tree ------------------------------------------------ */

/* All units' first entries; what threads read afterwards is then the same for all. */
static int read_units(struct inlined_source *src)
{
	struct dwarf *dw = src->dw;
	struct abbrevs t = {};
	int err = 0;

	for (uint32_t i = 0; i < dw->nr_units && !err; i++)
		err = unit__read(dw, &dw->units[i], &t);
	abbrevs__destroy(&t);
	if (err)
		return err;
	source_tree__find(&src->tree, dw);
	src->units = xcalloc(dw->nr_units + 1UL, sizeof(*src->units));
	for (uint32_t i = 0; i < dw->nr_units; i++)
		src->units[i] = source_tree__path(&src->tree, dw->units[i].name ?: "",
						  dw->units[i].comp_dir);
	return 0;
}

static char *path_of(const struct inlined_source *src, const struct func_entry *e)
{
	const char *comp_dir = src->dw->units[e->unit].comp_dir;

	return e->file ? source_tree__file(&src->tree, files__join(e->dir, e->file, comp_dir),
					   comp_dir) : NULL;
}

/* --- what the threads have found becomes one ------------------------------------ */

static int compare_funcs(const void *a, const void *b)
{
	const struct inlined_func *x = a, *y = b;

	return strcmp(x->name, y->name) ?: strcmp(x->file ?: "", y->file ?: "") ?:
	       (x->line > y->line) - (x->line < y->line);
}

static int compare_sites(const void *a, const void *b)
{
	const struct inlined_site *x = a, *y = b;

	return cmp_int(x->address, y->address) ?: cmp_int(x->func, y->func) ?:
	       strcmp(x->caller, y->caller) ?: strcmp(x->via ?: "", y->via ?: "") ?:
	       cmp_int(x->line, y->line);
}

/* All into the first one's table. */
static void merge_funcs(struct inlined_walk *walks, unsigned int nr)
{
	struct func_table *all = &walks[0].funcs;

	for (unsigned int i = 1; i < nr; i++)
		for_each(e, &walks[i].funcs) {
			uint32_t at = func_table__add(all, e);

			all->array[at].calls += e->calls;
			all->array[at].bodies += e->bodies;
		}
}

/* Merge functions listed twice because a path has two spellings, as a/../b and b. */
static void unite_funcs(struct inlined *in)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < in->nr_funcs; i++) {
		struct inlined_func *func = &in->funcs[i], *last = nr ? &in->funcs[nr - 1] : NULL;

		if (!last || compare_funcs(last, func)) {
			in->funcs[nr++] = *func;
			continue;
		}
		last->calls += func->calls;
		last->bodies += func->bodies;
		free(func->file);
	}
	in->nr_funcs = nr;
}

/* Callers are in the tables, too: those that are inlined nowhere go. */
static void take_funcs(struct inlined *in, const struct func_table *all)
{
	in->funcs = xcalloc(all->nr + 1UL, sizeof(*in->funcs));
	for (uint32_t i = 0; i < all->nr; i++) {
		const struct func_entry *e = &all->array[i];

		if (e->calls)
			in->funcs[in->nr_funcs++] = (struct inlined_func){
				.name = e->name, .file = path_of(in->source, e),
				.line = e->line, .calls = e->calls, .bodies = e->bodies };
	}
	qsort(in->funcs, in->nr_funcs, sizeof(*in->funcs), compare_funcs);
	unite_funcs(in);
}

static uint32_t find_func(const struct inlined *in, const struct func_entry *e)
{
	struct inlined_func key = { .name = e->name, .line = e->line,
				    .file = path_of(in->source, e) };
	const struct inlined_func *found = bsearch(&key, in->funcs, in->nr_funcs,
						   sizeof(*in->funcs), compare_funcs);

	free(key.file);
	return found ? found - in->funcs : 0;
}

static void take_sites(struct inlined *in, struct inlined_walk *walks, unsigned int nr)
{
	VECTOR(struct inlined_site) all = {};

	for (unsigned int i = 0; i < nr; i++) {
		for_each(site, &walks[i].sites) {
			site->func = find_func(in, &walks[i].funcs.array[site->func]);
			push(&all, *site);
		}
		walks[i].sites.nr = 0;
	}
	if (all.nr)
		qsort(all.array, all.nr, sizeof(*all.array), compare_sites);
	in->sites = all.array;
	in->nr_sites = all.nr;
}

static int compare_callers(const void *a, const void *b)
{
	const struct inlined_caller *x = a, *y = b;

	return cmp_int(x->address, y->address) ?: strcmp(x->name, y->name) ?:
	       strcmp(x->unit, y->unit);
}

static void take_callers(struct inlined *in, const struct inlined_walk *walks, unsigned int nr)
{
	VECTOR(struct inlined_caller) all = {};

	for (unsigned int i = 0; i < nr; i++)
		for_each(caller, &walks[i].callers)
			push(&all, *caller);
	if (all.nr)
		qsort(all.array, all.nr, sizeof(*all.array), compare_callers);
	for_each(caller, &all)
		if (!in->nr_callers || compare_callers(&all.array[in->nr_callers - 1], caller))
			all.array[in->nr_callers++] = *caller;
	in->callers = all.array;
}

static int read_all(struct inlined *in, inlined_wanted *wanted, const void *arg,
		    unsigned int threads)
{
	struct inlined_walk *walks = xcalloc(threads, sizeof(*walks));
	int err;

	for (unsigned int i = 0; i < threads; i++)
		walks[i] = (struct inlined_walk){ .src = in->source, .wanted = wanted,
						  .arg = arg };
	err = jobs__each(threads, in->source->dw->nr_units, read_unit, walks);
	if (!err) {
		merge_funcs(walks, threads);
		take_funcs(in, &walks[0].funcs);
		take_sites(in, walks, threads);
		take_callers(in, walks, threads);
	}
	for (unsigned int i = 0; i < threads; i++)
		inlined_walk__destroy(&walks[i]);
	free(walks);
	return err;
}

int inlined__read(const struct image *img, inlined_wanted *wanted, const void *arg,
		  unsigned int threads, struct inlined **ret)
{
	struct inlined *in = xcalloc(1, sizeof(*in));
	int err;

	*ret = NULL;
	in->source = xcalloc(1, sizeof(*in->source));
	err = dwarf__open(img, &in->source->dw) ?: read_units(in->source) ?:
	      read_all(in, wanted, arg, threads);
	if (err)
		inlined__free(in);
	else
		*ret = in;
	return err;
}

bool inlined__place(const struct inlined *in, uint64_t address, uint32_t *section,
		    uint64_t *offset)
{
	return in->source->dw->relocator &&
	       relocator__place(in->source->dw->relocator, address, section, offset);
}

void inlined__free(struct inlined *in)
{
	struct inlined_source *src = in ? in->source : NULL;

	if (!in)
		return;
	for (uint32_t i = 0; i < in->nr_funcs; i++)
		free(in->funcs[i].file);
	for (uint32_t i = 0; i < in->nr_sites; i++)
		free(in->sites[i].file);
	free(in->funcs);
	free(in->sites);
	free(in->callers);
	for (uint32_t i = 0; src->units && i < src->dw->nr_units; i++)
		free(src->units[i]);
	free(src->units);
	source_tree__destroy(&src->tree);
	dwarf__close(src->dw);
	free(src);
	free(in);
}
