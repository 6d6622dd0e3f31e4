// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/list.h"
#include "inlined/inlined.h"
#include "inspect/facts.h"
#include "inspect/text.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

/* Maximum width; longer cells overlap the next column. */
#define MAX_COLUMN	48

/**
 * struct inlined_view - which inlined calls to show
 * @sel:	the calls of these; without selectors: functions
 * @all:	without @sel: also functions without a body
 * @text:	the address that offsets are relative to; 0 in a module
 */
struct inlined_view {
	const struct inlined	*in;
	const struct selection	*sel;
	bool			all;
	uint64_t		text;
};

static bool is_selected(const struct inlined_view *view, const struct inlined_site *site)
{
	return selection__fits(view->sel, view->in->funcs[site->func].name,
			       *site->unit ? site->unit : NULL);
}

/* The offset of a site: from _text; in a module, in its section. */
static uint64_t offset_of_site(const struct inlined_view *view, const struct inlined_site *site)
{
	uint64_t offset = site->address - view->text;
	uint32_t section;

	inlined__place(view->in, site->address, &section, &offset);
	return offset;
}

/* A probe can miss inlined calls only if the function also has a body. */
static bool is_shown(const struct inlined_view *view, const struct inlined_func *func)
{
	return view->all || func->bodies;
}

static json_t *func_json(const struct inlined_func *func)
{
	return json_pack("{s:o, s:I, s:I, s:o, s:o}", "name", text_json(func->name),
			 "inlined", (json_int_t)func->calls, "bodies", (json_int_t)func->bodies,
			 "decl_file", text_json(func->file),
			 "decl_line", func->file ? json_integer(func->line) : json_null());
}

static json_t *site_json(const struct inlined_view *view, const struct inlined_site *s)
{
	return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o}",
			 "name", text_json(view->in->funcs[s->func].name),
			 "offset", (json_int_t)offset_of_site(view, s),
			 "in", text_json(s->caller), "caller", text_json(s->via ?: s->caller),
			 "unit", text_json(*s->unit ? s->unit : NULL),
			 "call_file", text_json(s->file),
			 "call_line", s->file ? json_integer(s->line) : json_null());
}

static const struct column func_columns[] = {
	{ "INLINED", CELL_NUMBER, "inlined", NULL, 8, 8 },
	{ "BODIES", CELL_NUMBER, "bodies", NULL, 6, 6 },
	{ "NAME", CELL_TEXT, "name", NULL, 4, MAX_COLUMN },
	{ "DECLARED", CELL_PLACE, "decl_file", "decl_line", 8, MAX_COLUMN },
};

static const struct column site_columns[] = {
	{ "OFFSET", CELL_HEX, "offset", NULL, 10, 10 },
	{ "NAME", CELL_TEXT, "name", NULL, 4, MAX_COLUMN },
	{ "IN", CELL_TEXT, "in", NULL, 2, MAX_COLUMN },
	{ "CALLER", CELL_TEXT, "caller", NULL, 6, MAX_COLUMN },
	{ "CALL", CELL_PLACE, "call_file", "call_line", 4, MAX_COLUMN },
};

static void print_rows(const struct inlined_view *view, bool json)
{
	const struct inlined *in = view->in;
	struct rows rows __cleanup(rows__destroy) = { .f = stdout };

	if (!json && view->sel->nr)
		rows__set_columns(&rows, site_columns, ARRAY_SIZE(site_columns));
	else if (!json)
		rows__set_columns(&rows, func_columns, ARRAY_SIZE(func_columns));
	/* if all calls are of one function, omit its name */
	if (view->sel->nr)
		rows.hidden = rows.varying = 1U << 1;
	for (uint32_t i = 0; i < in->nr_funcs && !view->sel->nr; i++)
		if (is_shown(view, &in->funcs[i]))
			rows__add(&rows, func_json(&in->funcs[i]));
	for (uint32_t i = 0; i < in->nr_sites && view->sel->nr; i++)
		if (is_selected(view, &in->sites[i]))
			rows__add(&rows, site_json(view, &in->sites[i]));
	rows__end(&rows);
}

int list__warn_inlined(struct input *in, const struct selection *sel)
{
	const struct func *first = sel->funcs.nr ? sel->funcs.array[0].func : NULL;
	bool *seen __cleanup(free_pointer) = NULL, same_name = true;
	uint64_t nr = 0;
	int err = first ? facts__find_inlined(in) : 0;

	seen = xcalloc(in->nr_calls + 1, sizeof(*seen));
	for_each(chosen, &sel->funcs) {
		uint32_t i = chosen->func->inlined;

		same_name &= !compare_names(first, chosen->func);
		if (i && !seen[i])
			nr += in->calls[i - 1];
		seen[i] = true;
	}
	if (nr)
		msg_warn("%" PRIu64 " call%s to %.*s %s inlined, so a probe will not see %s: see list --inlined",
			 nr, nr == 1 ? "" : "s", same_name ? (int)first->name_len : INT_MAX,
			 same_name ? first->full : "these functions",
			 nr == 1 ? "was" : "were", nr == 1 ? "it" : "them");
	return err;
}

static char *make_name(const struct inlined *in, const struct inlined_site *site)
{
	char *name = xasprintf("%s in %s at ", in->funcs[site->func].name, site->caller);

	if (site->file)
		xappend(&name, "%s:%u", site->file, site->line);
	else
		xappend(&name, "-");
	return text_clean(name);
}

static int print_probes(const struct list_options *opts, const struct image *img,
			const struct inlined_view *view)
{
	const struct inlined *in = view->in;
	VECTOR(char *) names = {};
	struct kprobes k = {};
	struct list_probes p __cleanup(list_probes__destroy) = { .opts = opts };
	int err = places__init(&p.places, img) ?: kprobes__read(img, NULL, &k);

	for (uint32_t i = 0; i < in->nr_sites && !err; i++) {
		const struct inlined_site *site = &in->sites[i];
		uint64_t offset = site->address;
		struct probe probe;
		uint32_t section = 0;
		char *name;

		if (!is_selected(view, site))
			continue;
		inlined__place(in, site->address, &section, &offset);
		if (!list_probes__wants(&p, kprobes__verdict(&k, section, offset)))
			continue;
		name = make_name(in, site);
		push(&names, name);
		if (places__find_at(&p.places, name, section, offset, &probe))
			p.failed = true;
		else
			push(&p.probes, probe);
	}
	err = err ?: list_probes__print(&p, "places");
	for_each(name, &names)
		free(*name);
	free(names.array);
	kprobes__destroy(&k);
	return err;
}

/* Each selector must select a call. */
static int check_selectors(const struct list_options *opts, const struct inlined_view *view)
{
	int err = 0;

	for (uint32_t k = 0; k < view->sel->nr; k++) {
		const struct selection one = { .all = &view->sel->all[k], .nr = 1 };
		const struct inlined_view part = { .in = view->in, .sel = &one };
		uint32_t i = 0;

		while (i < view->in->nr_sites && !is_selected(&part, &view->in->sites[i]))
			i++;
		if (i == view->in->nr_sites)
			err = msg_fail(-ENOENT, "%s: no call to '%s' was inlined", opts->path,
				       one.all->text);
	}
	return err;
}

int list_inlined(const struct list_options *opts, const struct selection *sel)
{
	struct inlined_view view = { .sel = sel, .all = opts->all };
	struct image *img = NULL;
	struct inlined *in = NULL;
	int err = image__open(opts->image ?: opts->path, &img);

	if (!err && !image__section(img, ".debug_info"))
		err = msg_fail(-EINVAL, "%s: no debug information (.debug_info), from which inlined calls are read",
			       img->path);
	err = err ?: inlined__read(img, sel->nr ? selection__names : NULL, sel, nr_cores(), &in);
	if (!err) {
		view.in = in;
		image__symbol(img, "_text", &view.text);
		err = check_selectors(opts, &view);
	}
	if (!err && opts->probe != NR_PROBE_FORMATS)
		err = print_probes(opts, img, &view);
	else if (!err)
		print_rows(&view, opts->json);
	inlined__free(in);
	image__close(img);
	return err ? EXIT_BAD : EXIT_DONE;
}
