// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/list.h"
#include "inlined/show.h"
#include "locate/build_id.h"
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

int list__warn_inlined(const struct image *img, const struct selector *sel)
{
	struct inlined_view view;
	struct inlined *in;
	uint32_t nr;
	int err;

	if (!img || !image__section(img, ".debug_info"))
		return 0;
	err = read_inlined(img, sel, &view, &in);
	nr = err ? 0 : inlined_view__count(&view);
	if (nr)
		msg_warn("%u call%s of %s %s inlined, where its body is not run: list --inlined tells which",
			 nr, nr == 1 ? "" : "s", sel->text, nr == 1 ? "was" : "were");
	inlined__free(in);
	return err;
}

/* Those that can have a probe; whoever cannot is told, and makes this an error. */
static int print_probes(const struct list_options *opts, const struct image *img,
			const struct inlined_view *view)
{
	const struct inlined *in = view->in;
	struct probe *probes = calloc(in->nr_sites + 1UL, sizeof(*probes));
	char **names = calloc(in->nr_sites + 1UL, sizeof(*names)), hex[BUILD_ID_HEX];
	int err = probes && names ? 0 : -ENOMEM, failed = 0;
	struct places places = {};
	struct build_id id;
	uint32_t nr = 0, i;

	err = err ?: places__init(&places, img);
	for (i = 0; i < in->nr_sites && !err; i++) {
		const struct inlined_site *site = &in->sites[i];
		uint64_t offset = site->address;
		uint32_t section = 0;

		if (!inlined_view__shows(view, site))
			continue;
		inlined__place(in, site, &section, &offset);
		names[i] = inlined_site__name(in, site);
		if (!names[i])
			err = -ENOMEM;
		else if (places__find_at(&places, names[i], section, offset, &probes[nr]))
			failed = -EINVAL;
		else
			nr++;
	}
	build_id__of(img, &id);
	if (!err)
		err = probes__print(probes, nr, opts->probe,
				    id.size ? build_id__hex(&id, hex) : NULL, stdout);
	for (i = 0; names && i < in->nr_sites; i++)
		free(names[i]);
	free(names);
	free(probes);
	places__destroy(&places);
	return err ?: failed;
}

static int print(const struct list_options *opts, const struct image *img,
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
		err = print(opts, img, &view);
	}
	inlined__free(in);
	image__close(img);
	return err ? EXIT_BAD : EXIT_DONE;
}
