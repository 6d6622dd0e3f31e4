// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/list.h"
#include "image/identity.h"
#include "inspect/text.h"
#include "util/document.h"
#include "util/jobserver.h"
#include "util/json.h"
#include "util/memory.h"
#include "util/msg.h"

/* Maximum width; longer cells overlap the next column. */
#define MAX_COLUMN	48

static json_t *func_json(const struct inlined_func *func)
{
	return json_pack("{s:o, s:I, s:I, s:o, s:o}", "function", text_json(func->name),
			 "inlined_calls", (json_int_t)func->calls, "bodies", (json_int_t)func->bodies,
			 "decl_file", text_json(func->file),
			 "decl_line", func->file ? json_integer(func->line) : json_null());
}

static const struct column func_columns[] = {
	{ "INLINED", CELL_NUMBER, "inlined_calls", NULL, 8, 8 },
	{ "BODIES", CELL_NUMBER, "bodies", NULL, 6, 6 },
	{ "NAME", CELL_TEXT, "function", NULL, 4, MAX_COLUMN },
	{ "DECLARED", CELL_PLACE, "decl_file", "decl_line", 8, MAX_COLUMN },
};

/* A probe can miss inlined calls only if the function also has a body. */
static void print_funcs(const struct list_options *opts, const struct image *img,
			const struct inlined *in)
{
	struct rows rows __cleanup(rows__destroy) = { .f = stdout };

	if (opts->json)
		document__begin("inlined", image__head(img));
	else
		rows__set_columns(&rows, func_columns, ARRAY_SIZE(func_columns));
	for_each(func, &in->funcs)
		if (opts->all || func->bodies)
			rows__add(&rows, func_json(func));
	rows__end(&rows);
}

/* Test whether --inlined lists calls; with a clone's name, of its source function. */
static bool is_selected(const struct inlined_calls *calls, const struct selection *sel)
{
	for_each(s, sel)
		if (selector__fits(s, *calls->home ? calls->home : NULL) &&
		    selector__names_source(s, calls->name))
			return true;
	return false;
}

/* Test whether any body of a function is selected: in that file, others may only be inlined. */
static bool has_body(const struct function_map *map, const struct selection *sel, const char *name)
{
	const struct chosen *chosen = sel->funcs.array;
	const struct named_functions named = function_map__named(map, name, strlen(name));
	uint32_t i = first_not_before(m, sel->funcs.nr, chosen[m].func < named.array);

	return i < sel->funcs.nr && chosen[i].func < named.array + named.nr;
}

int list__warn_inlined(const struct input *in, struct function_map *map,
		       const struct selection *sel)
{
	const char *name = NULL;
	bool same_name = true;
	uint64_t nr = 0;
	int err = function_map__read_inlined(map, in);

	for_each(calls, &map->calls) {
		if (err || !is_selected(calls, sel) || !has_body(map, sel, calls->name))
			continue;
		same_name &= !name || !strcmp(name, calls->name);
		name = calls->name;
		nr += calls->nr;
	}
	if (nr)
		msg_warn("%" PRIu64 " call%s to %s %s inlined, so a probe will not see %s: see list --inlined",
			 nr, nr == 1 ? "" : "s", same_name ? name : "these functions",
			 nr == 1 ? "was" : "were", nr == 1 ? "it" : "them");
	return err;
}

static int print_probes(const struct list_options *opts, const struct function_map *map,
			const struct callers *c)
{
	struct list_probes p __cleanup(list_probes__destroy) = {};
	int err = list_probes__init(&p, opts, map);

	for (uint32_t i = 0; i < c->nr && !err; i++) {
		uint64_t offset = c->array[i]->address - map->text;
		const struct function *f = function_map__find(map, c->array[i]->section, offset);

		err = list_probes__add(&p, f, f ? offset - f->offset : 0, c->array[i]);
	}
	return err ?: list_probes__print(&p, "places");
}

/* Each selector must select a call. */
static int select_calls(const struct list_options *opts, struct callers *c, struct selection *sel)
{
	int err = 0;

	for_each(site, &c->in->sites)
		if (selection__fits(sel, site->name, *site->home ? site->home : NULL))
			push(c, site);
	for_each(s, sel)
		if (!s->nr_matches)
			err = msg_fail(-ESRCH, "%s: no call to '%s' was inlined", opts->path,
				       s->text);
	return err;
}

static int list_calls(const struct list_options *opts, struct input *in, struct callers *c,
		      struct selection *sel)
{
	struct function_map map __cleanup(function_map__destroy) = {};
	int err = select_calls(opts, c, sel) ?: function_map__read(&map, in);

	if (err || opts->probe != NR_PROBE_FORMATS)
		return err ?: print_probes(opts, &map, c);
	callers__print(c, &map, opts);
	return 0;
}

int list__open_dwarf(const struct list_options *opts, struct input *in)
{
	int err = input__open_image(in, opts->image ?: opts->path, opts->found);

	if (!err && document__is_used())
		document__identify(image__head(in->img));
	if (!err && !image__section(in->img, ".debug_info"))
		err = msg_fail(-EINVAL, "%s: no debug information (.debug_info), from which calls are read",
			       in->path);
	return err;
}

int list_inlined(const struct list_options *opts, struct selection *sel)
{
	struct input in __cleanup(input__close) = {};
	struct callers c __cleanup(callers__free) = {};
	int err = list__open_dwarf(opts, &in) ?:
		  inlined__read(in.img, sel->nr ? selection__names_source : NULL, sel, nr_cores(),
				&c.in);

	if (!err && sel->nr)
		err = list_calls(opts, &in, &c, sel);
	else if (!err)
		print_funcs(opts, in.img, c.in);
	return exit_code(err);
}
