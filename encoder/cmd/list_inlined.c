// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/list.h"
#include "inspect/show_inlined.h"
#include "util/cores.h"
#include "util/msg.h"

static int read_inlined(const struct image *img, const struct selector *sel,
			struct inlined_view *view, struct inlined **ret)
{
	int err = inlined__read(img, sel ? sel->text : NULL, sel ? sel->name_len : 0,
				nr_cores(), ret);

	*view = (struct inlined_view){ .in = *ret, .sel = sel };
	if (!err)
		image__symbol(img, "_text", &view->text);
	return err;
}

static bool same_decl(const struct listing_row *row, const char *file, uint32_t line)
{
	return row->decl_file && file && row->decl_line == line && !strcmp(row->decl_file, file);
}

static bool is_called(const struct listing_row *row, const char *name)
{
	return !strncmp(row->inst->full, name, row->inst->name_len) && !name[row->inst->name_len];
}

/* Several bodies of one declaration, in a header, share its calls: they count once. */
static bool is_repeated(const struct listing *list, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++) {
		const struct listing_row *row = &list->rows[k];

		if (!compare_names(row->inst, list->rows[i].inst) &&
		    same_decl(&list->rows[i], row->decl_file, row->decl_line))
			return true;
	}
	return false;
}

static uint64_t count_kept(const struct kept *kept, const struct listing_row *row)
{
	uint64_t nr = 0;

	for (uint32_t i = 0; i < kept->nr_inlined; i++) {
		const struct kept_inlined *in = &kept->inlined[i];
		const char *name = kept__string(kept, in->name);

		if (name && is_called(row, name) &&
		    same_decl(row, kept__string(kept, in->file), in->line))
			nr += in->calls;
	}
	return nr;
}

static uint64_t count_inlined(const struct inlined *in, const struct listing_row *row)
{
	const struct inlined_func *funcs;
	uint64_t nr = 0;
	uint32_t all;

	funcs = inlined__named(in, row->inst->full, row->inst->name_len, &all);
	for (uint32_t i = 0; i < all; i++)
		if (same_decl(row, funcs[i].file, funcs[i].line))
			nr += funcs[i].calls;
	return nr;
}

int list__warn_inlined(const struct listing *list, const struct kept *kept,
		       const struct image *img)
{
	struct inlined *in = NULL;
	uint64_t nr = 0;
	int err = 0;

	if (!kept && (!img || !image__section(img, ".debug_info")))
		return 0;
	if (!kept)
		err = inlined__read(img, NULL, 0, nr_cores(), &in);
	for (uint32_t i = 0; i < list->nr && !err; i++)
		if (!is_repeated(list, i))
			nr += kept ? count_kept(kept, &list->rows[i]) :
				     count_inlined(in, &list->rows[i]);
	if (nr)
		msg_warn("%" PRIu64 " call%s of %.*s %s inlined, where no body of its own is run: list --inlined tells which",
			 nr, nr == 1 ? "" : "s", (int)list->rows[0].inst->name_len,
			 list->rows[0].inst->full, nr == 1 ? "was" : "were");
	inlined__free(in);
	return err;
}

static int print_probes(const struct list_options *opts, const struct image *img,
			const struct inlined_view *view)
{
	const struct inlined *in = view->in;
	char **names = calloc(in->nr_sites + 1UL, sizeof(*names));
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

static int print_sites(const struct list_options *opts, const struct image *img,
		       const struct inlined_view *view)
{
	if (view->sel && !inlined_view__count(view)) {
		msg_error("%s: no call of '%s' was inlined", opts->path, view->sel->text);
		return -ENOENT;
	}
	if (opts->probe != NR_PROBE_FORMATS)
		return print_probes(opts, img, view);
	if (opts->json)
		return inlined_view__print_json(view, stdout);
	inlined_view__print(view, stdout);
	return 0;
}

int list_inlined(const struct list_options *opts, struct selector *sel)
{
	struct inlined_view view;
	struct image *img = NULL;
	struct inlined *in = NULL;
	int err = image__open(opts->image ?: opts->path, &img);

	if (!err && !image__section(img, ".debug_info")) {
		msg_error("%s: no debug information (.debug_info), which alone says what was inlined",
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
