// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/list_args.h"
#include "image/identity.h"
#include "inspect/text.h"
#include "util/document.h"
#include "util/jobserver.h"
#include "util/json.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

/* Maximum width; longer cells overlap the next column. */
#define MAX_COLUMN	48

static json_t *func_json(const struct inlined_func *func)
{
	return json_pack("{s:o, s:I, s:I, s:o, s:o}", "function", text_json(func->name),
			 "inlined_calls", (json_int_t)func->calls, "bodies", (json_int_t)func->bodies,
			 "decl_file", text_json(func->file),
			 "decl_line", func->file ? json_integer(func->line) : json_null());
}

/** struct sites - inlined calls that are listed, and the functions that contain them */
struct sites {
	const struct inlined		*in;
	const struct function_map	*map;
	VECTOR(const struct inlined_site *);
};

static const struct function *find_function(const struct sites *sites, const struct inlined_site *s)
{
	return function_map__find(sites->map, s->section, s->address - sites->map->text);
}

/* The code may be in a part of the caller, or in a function that shares its name. */
static const char *name_container(const struct sites *sites, const struct inlined_site *s)
{
	const struct function *f = find_function(sites, s);

	return f ? f->name : s->caller;
}

static json_t *site_json(const struct sites *sites, const struct inlined_site *s)
{
	const struct function *body = callers__function(s, sites->map);

	return json_pack("{s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "function", text_json(s->name), "kind", "inlined",
			 "section", function_map__section_json(sites->map, s->section),
			 "offset", (json_int_t)(s->address - sites->map->text),
			 "in", text_json(name_container(sites, s)),
			 "caller", text_json(s->via ?: s->caller),
			 "file", text_json(*s->unit ? s->unit : NULL),
			 "call_file", text_json(s->file),
			 "call_line", s->file ? json_integer(s->line) : json_null(),
			 "flags", call_flags_json(body));
}

static const struct column func_columns[] = {
	{ "INLINED", CELL_NUMBER, "inlined_calls", NULL, 8, 8 },
	{ "BODIES", CELL_NUMBER, "bodies", NULL, 6, 6 },
	{ "NAME", CELL_TEXT, "function", NULL, 4, MAX_COLUMN },
	{ "DECLARED", CELL_PLACE, "decl_file", "decl_line", 8, MAX_COLUMN },
};

enum { SITE_OFFSET, SITE_NAME };

static const struct column site_columns[] = {
	[SITE_OFFSET] = { "OFFSET", CELL_HEX, "offset", NULL, 10, 10 },
	[SITE_NAME] = { "NAME", CELL_TEXT, "function", NULL, 4, MAX_COLUMN },
	{ "IN", CELL_TEXT, "in", NULL, 2, MAX_COLUMN },
	{ "CALLER", CELL_TEXT, "caller", NULL, 6, MAX_COLUMN },
	{ "CALL", CELL_PLACE, "call_file", "call_line", 4, MAX_COLUMN },
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

static void print_sites(const struct list_options *opts, const struct sites *sites)
{
	/* if all calls are of one function, omit its name */
	struct rows rows __cleanup(rows__destroy) = {
		.f = stdout, .hidden = 1U << SITE_NAME, .varying = 1U << SITE_NAME,
	};

	if (opts->json)
		document__begin("calls", function_map__head(sites->map));
	else
		rows__set_columns(&rows, site_columns, ARRAY_SIZE(site_columns));
	for_each(site, sites)
		rows__add(&rows, site_json(sites, *site));
	rows__end(&rows);
}

/* Test whether --inlined lists calls; with a clone's name, of its source function. */
static bool is_selected(const struct inlined_calls *calls, const struct selection *sel)
{
	size_t len = strlen(calls->name);

	for_each(s, sel)
		if (selector__fits(s, *calls->home ? calls->home : NULL) &&
		    (selector__names(s, calls->name) ||
		     (!strncmp(s->name, calls->name, len) && s->name[len] == '.')))
			return true;
	return false;
}

/* Test whether any body of a function is selected: in that file, others may only be inlined. */
static bool has_body(const struct function_map *map, const struct selection *sel, const char *name)
{
	const struct chosen *chosen = sel->funcs.array;
	uint32_t nr, i;
	const struct function *first = function_map__named(map, name, strlen(name), &nr);

	i = first_not_before(m, sel->funcs.nr, chosen[m].func < first);
	return i < sel->funcs.nr && chosen[i].func < first + nr;
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

static char *make_name(const struct sites *sites, const struct inlined_site *site)
{
	char *name = xasprintf("%s in %s at ", site->name, name_container(sites, site));

	if (site->file)
		xappend(&name, "%s:%u", site->file, site->line);
	else
		xappend(&name, "-");
	return text_clean(name);
}

static int print_probes(const struct list_options *opts, const struct sites *sites)
{
	struct list_probes p __cleanup(list_probes__destroy) = {};
	const struct function_map *map = sites->map;
	struct list_args all __cleanup(list_args__destroy) = { .opts = opts, .map = map };
	int err = list_probes__init(&p, opts, map);

	for (uint32_t i = 0; i < sites->nr && !err; i++) {
		const struct inlined_site *site = sites->array[i];
		const struct function *f = find_function(sites, site);
		uint64_t offset = site->address - map->text;
		const char *name = list_probes__name(&p, make_name(sites, site));
		struct arg_list *args;

		if (!list_probes__wants(&p, name, f, f ? offset - f->offset : 0))
			continue;
		err = list_args__find_at_call(&all, site, &args);
		list_probes__add(&p, name, name_container(sites, site), site->section, offset,
				 args);
	}
	err = err ?: list_probes__print(&p, "places");
	return err;
}

/* Each selector must select a call. */
static int select_sites(const struct list_options *opts, struct sites *sites,
			struct selection *sel)
{
	int err = 0;

	for_each(site, &sites->in->sites)
		if (selection__fits(sel, site->name, *site->home ? site->home : NULL))
			push(sites, site);
	for_each(s, sel)
		if (!s->nr_matches)
			err = msg_fail(-ESRCH, "%s: no call to '%s' was inlined", opts->path,
				       s->text);
	return err;
}

static int list_sites(const struct list_options *opts, struct input *in, const struct inlined *inlined,
		      struct selection *sel)
{
	struct function_map map __cleanup(function_map__destroy) = {};
	struct sites sites = { .in = inlined, .map = &map };
	int err = select_sites(opts, &sites, sel) ?: function_map__read(&map, in);

	if (!err && opts->probe != NR_PROBE_FORMATS)
		err = print_probes(opts, &sites);
	else if (!err)
		print_sites(opts, &sites);
	free(sites.array);
	return err;
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
	struct inlined *inlined = NULL;
	int err = list__open_dwarf(opts, &in) ?:
		  inlined__read(in.img, sel->nr ? selection__names : NULL, sel, nr_cores(),
				&inlined);

	if (!err && sel->nr)
		err = list_sites(opts, &in, inlined, sel);
	else if (!err)
		print_funcs(opts, in.img, inlined);
	inlined__free(inlined);
	return exit_code(err);
}
