// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/list.h"
#include "inspect/show_inlined.h"
#include "util/cores.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/search.h"

static int read_inlined(const struct image *img, const struct selection *sel,
			struct inlined_view *view, struct inlined **ret)
{
	int err = inlined__read(img, sel ? selection__names : NULL, sel, nr_cores(), ret);

	*view = (struct inlined_view){ .in = *ret, .sel = sel };
	if (!err)
		image__symbol(img, "_text", &view->text);
	return err;
}

static int compare_rows(const void *a, const void *b)
{
	return compare_names((*(const struct listing_row *const *)a)->inst,
			     (*(const struct listing_row *const *)b)->inst);
}

/* The rows by name */
static const struct listing_row **sort_rows(const struct listing *list)
{
	const struct listing_row **rows = xcalloc(list->nr + 1UL, sizeof(*rows));

	for (uint32_t i = 0; rows && i < list->nr; i++)
		rows[i] = &list->rows[i];
	if (rows)
		qsort(rows, list->nr, sizeof(*rows), compare_rows);
	return rows;
}

/* Several bodies of one declaration, in a header, share its calls: any of them will do. */
static bool is_listed(const struct listing_row **rows, uint32_t nr, const char *name,
		      const char *file, uint32_t line)
{
	const struct func key = { .full = name, .name_len = strlen(name) };
	uint32_t i = first_not_before(at, nr, compare_names(rows[at]->inst, &key) < 0);

	for (; file && i < nr && !compare_names(rows[i]->inst, &key); i++)
		if (rows[i]->decl_file && rows[i]->decl_line == line &&
		    !strcmp(rows[i]->decl_file, file))
			return true;
	return false;
}

static uint64_t count_inlined(const struct listing_row **rows, uint32_t nr_rows,
			      const struct kept *kept, const struct inlined *in)
{
	uint64_t nr = 0;

	for (uint32_t i = 0; kept && i < kept->nr_inlined; i++) {
		const struct kept_inlined *func = &kept->inlined[i];
		const char *name = kept__string(kept, func->name);

		if (name && is_listed(rows, nr_rows, name, kept__string(kept, func->file),
				      func->line))
			nr += func->calls;
	}
	for (uint32_t i = 0; in && i < in->nr_funcs; i++) {
		const struct inlined_func *func = &in->funcs[i];

		if (is_listed(rows, nr_rows, func->name, func->file, func->line))
			nr += func->calls;
	}
	return nr;
}

int list__warn_inlined(const struct listing *list, const struct kept *kept,
		       const struct image *img)
{
	const struct listing_row **rows;
	struct inlined *in = NULL;
	uint64_t nr = 0;
	int err = 0;

	if (!list->nr || (!kept && (!img || !image__section(img, ".debug_info"))))
		return 0;
	rows = sort_rows(list);
	if (!rows) {
		msg_error("out of memory");
		return -ENOMEM;
	}
	if (!kept)
		err = inlined__read(img, NULL, NULL, nr_cores(), &in);
	if (!err)
		nr = count_inlined(rows, list->nr, kept, in);
	if (nr && compare_rows(&rows[0], &rows[list->nr - 1]))
		msg_warn("%" PRIu64 " call%s to these functions %s inlined, so a probe will not see %s: see list --inlined",
			 nr, nr == 1 ? "" : "s", nr == 1 ? "was" : "were",
			 nr == 1 ? "it" : "them");
	else if (nr)
		msg_warn("%" PRIu64 " call%s to %.*s %s inlined, so a probe will not see %s: see list --inlined",
			 nr, nr == 1 ? "" : "s", (int)rows[0]->inst->name_len,
			 rows[0]->inst->full, nr == 1 ? "was" : "were", nr == 1 ? "it" : "them");
	free(rows);
	inlined__free(in);
	return err;
}

static int print_probes(const struct list_options *opts, const struct image *img,
			const struct inlined_view *view)
{
	const struct inlined *in = view->in;
	char **names = xcalloc(in->nr_sites + 1UL, sizeof(*names));
	struct kprobes k = {};
	struct list_probes p;
	int err = list_probes__init(&p, opts, img, in->nr_sites);

	err = err ?: names ? kprobes__read(img, NULL, &k) : -ENOMEM;
	for (uint32_t i = 0; i < in->nr_sites && !err; i++) {
		const struct inlined_site *site = &in->sites[i];
		uint64_t offset = site->address;
		uint32_t section = 0;

		if (!inlined_view__shows(view, site))
			continue;
		inlined__place(in, site->address, &section, &offset);
		if (!list_probes__wants(&p, kprobes__verdict(&k, section, offset)))
			continue;
		names[i] = inlined_site__name(in, site);
		if (!names[i])
			err = -ENOMEM;
		else if (places__find_at(&p.places, names[i], section, offset, &p.array[p.nr]))
			p.failed = true;
		else
			p.nr++;
	}
	err = err ?: list_probes__print(&p, "places");
	for (uint32_t i = 0; names && i < in->nr_sites; i++)
		free(names[i]);
	free(names);
	kprobes__destroy(&k);
	list_probes__destroy(&p);
	return err;
}

static int check_selectors(const struct list_options *opts, const struct inlined_view *view)
{
	int err = 0;

	for (uint32_t k = 0; view->sel && k < view->sel->nr; k++) {
		const struct selection one = { .all = &view->sel->all[k], .nr = 1 };
		const struct inlined_view part = { .in = view->in, .sel = &one };

		if (!inlined_view__count(&part)) {
			msg_error("%s: no call to '%s' was inlined", opts->path, one.all->text);
			err = -ENOENT;
		}
	}
	return err;
}

static int print_sites(const struct list_options *opts, const struct image *img,
		       const struct inlined_view *view)
{
	int err = check_selectors(opts, view);

	if (err)
		return err;
	if (opts->probe != NR_PROBE_FORMATS)
		return print_probes(opts, img, view);
	if (opts->json)
		return inlined_view__print_json(view, stdout);
	inlined_view__print(view, stdout);
	return 0;
}

int list_inlined(const struct list_options *opts, const struct selection *sel)
{
	struct inlined_view view;
	struct image *img = NULL;
	struct inlined *in = NULL;
	int err = image__open(opts->image ?: opts->path, &img);

	if (!err && !image__section(img, ".debug_info")) {
		msg_error("%s: no debug information (.debug_info), from which inlined calls are read",
			  img->path);
		err = -EINVAL;
	}
	err = err ?: read_inlined(img, sel, &view, &in);
	if (!err) {
		view.all = opts->all;
		err = print_sites(opts, img, &view);
	}
	inlined__free(in);
	image__close(img);
	return err ? EXIT_BAD : EXIT_DONE;
}
