// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functions/source_tree.h"
#include "inlined/inlined.h"
#include "inlined/walk.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

/**
 * struct inlined_source - what the results point into
 * @units:	by unit: its path in the source tree
 */
struct inlined_source {
	struct dwarf		*dw;
	struct source_tree	tree;
	char			**units;
};

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

/* As the compiler was told, where that is in no tree.  Takes @path. */
static char *in_tree(const struct inlined_source *src, char *path, uint32_t unit)
{
	char *found = path ? source_tree__path(&src->tree, path, src->dw->units[unit].comp_dir) :
			     NULL;

	if (!found || *found) {
		free(path);
		return found;
	}
	free(found);
	return path;
}

static char *join_path(const struct inlined_source *src, const struct func_entry *e)
{
	struct line_file file = { .name = e->file, .dir = e->dir ? 1 : 0 };
	const char *dirs[] = { NULL, e->dir };
	const struct files files = {
		.dirs = { .array = dirs, .nr = 2 }, .files = { .array = &file, .nr = 1 },
		.comp_dir = src->dw->units[e->unit].comp_dir,
	};

	return e->file ? in_tree(src, files__path(&files, 0), e->unit) : NULL;
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
static int merge_funcs(struct inlined_walk *walks, unsigned int nr)
{
	struct func_table *all = &walks[0].funcs;

	for (unsigned int i = 1; i < nr; i++) {
		struct inlined_walk *w = &walks[i];

		for_each(e, &w->funcs) {
			int64_t at = func_table__add(all, e);

			if (at < 0)
				return at;
			all->array[at].calls += e->calls;
			all->array[at].bodies += e->bodies;
		}
	}
	return 0;
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
static int take_funcs(struct inlined *in, const struct func_table *all)
{
	in->funcs = xcalloc(all->nr + 1UL, sizeof(*in->funcs));
	if (!in->funcs)
		return -ENOMEM;
	for (uint32_t i = 0; i < all->nr; i++) {
		const struct func_entry *e = &all->array[i];

		if (e->calls)
			in->funcs[in->nr_funcs++] = (struct inlined_func){
				.name = e->name, .file = join_path(in->source, e),
				.line = e->line, .calls = e->calls, .bodies = e->bodies };
	}
	qsort(in->funcs, in->nr_funcs, sizeof(*in->funcs), compare_funcs);
	unite_funcs(in);
	return 0;
}

static uint32_t find_func(const struct inlined *in, const struct func_entry *e)
{
	struct inlined_func key = { .name = e->name, .line = e->line,
				    .file = join_path(in->source, e) };
	const struct inlined_func *found = bsearch(&key, in->funcs, in->nr_funcs,
						   sizeof(*in->funcs), compare_funcs);

	free(key.file);
	return found ? found - in->funcs : 0;
}

static int take_sites(struct inlined *in, struct inlined_walk *walks, unsigned int nr)
{
	uint32_t total = 0;

	for (unsigned int i = 0; i < nr; i++)
		total += walks[i].sites.nr;
	in->sites = xcalloc(total + 1UL, sizeof(*in->sites));
	if (!in->sites)
		return -ENOMEM;
	for (unsigned int i = 0; i < nr; i++) {
		struct inlined_walk *w = &walks[i];

		for_each(s, &w->sites) {
			in->sites[in->nr_sites++] = (struct inlined_site){
				.func = find_func(in, &w->funcs.array[s->func]),
				.address = s->address, .caller = s->caller, .via = s->via,
				.unit = in->source->units[s->unit],
				.file = in_tree(in->source, s->file, s->unit), .line = s->line };
			s->file = NULL;
		}
	}
	qsort(in->sites, in->nr_sites, sizeof(*in->sites), compare_sites);
	return 0;
}

static int compare_callers(const void *a, const void *b)
{
	const struct inlined_caller *x = a, *y = b;

	return cmp_int(x->address, y->address) ?: strcmp(x->name, y->name) ?:
	       strcmp(x->unit, y->unit);
}

static int take_callers(struct inlined *in, struct inlined_walk *walks, unsigned int nr)
{
	uint32_t total = 0, last = 0;

	for (unsigned int i = 0; i < nr; i++)
		total += walks[i].callers.nr;
	in->callers = xcalloc(total + 1UL, sizeof(*in->callers));
	if (!in->callers)
		return -ENOMEM;
	for (unsigned int i = 0; i < nr; i++) {
		const struct inlined_walk *w = &walks[i];

		for_each(caller, &w->callers)
			in->callers[in->nr_callers++] = (struct inlined_caller){
				.name = caller->name, .address = caller->address,
				.unit = in->source->units[caller->unit] };
	}
	qsort(in->callers, in->nr_callers, sizeof(*in->callers), compare_callers);
	for (uint32_t i = 1; i < in->nr_callers; i++)
		if (compare_callers(&in->callers[last], &in->callers[i]))
			in->callers[++last] = in->callers[i];
	in->nr_callers = in->nr_callers ? last + 1 : 0;
	return 0;
}

static int read_all(struct inlined *in, inlined_wanted *wanted, const void *arg,
		    unsigned int threads)
{
	struct inlined_walk *walks = xcalloc(threads, sizeof(*walks));
	int err = walks ? 0 : -ENOMEM;

	for (unsigned int i = 0; i < threads && !err; i++)
		walks[i] = (struct inlined_walk){ .dw = in->source->dw, .wanted = wanted,
						  .arg = arg };
	err = err ?: jobs__each(threads, in->source->dw->nr_units, read_unit, walks);
	err = err ?: merge_funcs(walks, threads);
	err = err ?: take_funcs(in, &walks[0].funcs);
	err = err ?: take_sites(in, walks, threads);
	err = err ?: take_callers(in, walks, threads);
	for (unsigned int i = 0; i < threads && walks; i++)
		inlined_walk__destroy(&walks[i]);
	free(walks);
	return err;
}

int inlined__read(const struct image *img, inlined_wanted *wanted, const void *arg,
		  unsigned int threads, struct inlined **ret)
{
	struct inlined *in = xcalloc(1, sizeof(*in));
	int err = -ENOMEM;

	*ret = NULL;
	if (in)
		in->source = xcalloc(1, sizeof(*in->source));
	if (in && in->source)
		err = dwarf__open(img, &in->source->dw);
	err = err ?: read_units(in->source);
	err = err ?: read_all(in, wanted, arg, threads);
	if (err == -ENOMEM)
		msg_error("%s: out of memory", img->path);
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
	for (uint32_t i = 0; src && src->dw && src->units && i < src->dw->nr_units; i++)
		free(src->units[i]);
	if (src) {
		free(src->units);
		source_tree__destroy(&src->tree);
		dwarf__close(src->dw);
	}
	free(src);
	free(in);
}
