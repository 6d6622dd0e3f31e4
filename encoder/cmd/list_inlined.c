// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
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

static json_t *func_json(const struct inlined_func *func)
{
	return json_pack("{s:o, s:I, s:I, s:o, s:o}", "name", text_json(func->name),
			 "inlined", (json_int_t)func->calls, "bodies", (json_int_t)func->bodies,
			 "decl_file", text_json(func->file),
			 "decl_line", func->file ? json_integer(func->line) : json_null());
}

static json_t *site_json(const struct inlined *in, const struct inlined_site *s, uint64_t text)
{
	return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o}",
			 "name", text_json(in->funcs.array[s->func].name),
			 "offset", (json_int_t)(s->address - text),
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

enum { SITE_OFFSET, SITE_NAME };

static const struct column site_columns[] = {
	[SITE_OFFSET] = { "OFFSET", CELL_HEX, "offset", NULL, 10, 10 },
	[SITE_NAME] = { "NAME", CELL_TEXT, "name", NULL, 4, MAX_COLUMN },
	{ "IN", CELL_TEXT, "in", NULL, 2, MAX_COLUMN },
	{ "CALLER", CELL_TEXT, "caller", NULL, 6, MAX_COLUMN },
	{ "CALL", CELL_PLACE, "call_file", "call_line", 4, MAX_COLUMN },
};

/* Calls that are listed */
struct chosen_sites {
	VECTOR(const struct inlined_site *);
};

/* A probe can miss inlined calls only if the function also has a body. */
static void print_funcs(const struct list_options *opts, const struct inlined *in)
{
	struct rows rows __cleanup(rows__destroy) = { .f = stdout };

	if (!opts->json)
		rows__set_columns(&rows, func_columns, ARRAY_SIZE(func_columns));
	for_each(func, &in->funcs)
		if (opts->all || func->bodies)
			rows__add(&rows, func_json(func));
	rows__end(&rows);
}

static void print_sites(const struct list_options *opts, const struct symbols *syms,
			const struct inlined *in, const struct chosen_sites *sites)
{
	/* if all calls are of one function, omit its name */
	struct rows rows __cleanup(rows__destroy) = {
		.f = stdout, .hidden = 1U << SITE_NAME, .varying = 1U << SITE_NAME,
	};

	if (!opts->json)
		rows__set_columns(&rows, site_columns, ARRAY_SIZE(site_columns));
	for_each(site, sites)
		rows__add(&rows, site_json(in, *site, syms->text_start));
	rows__end(&rows);
}

int list__warn_inlined(struct input *in, const struct selection *sel)
{
	const struct func *first = sel->funcs.nr ? sel->funcs.array[0].func : NULL;
	bool *seen __cleanup(free_pointer) = NULL;
	bool same_name = true;
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
	char *name = xasprintf("%s in %s at ", in->funcs.array[site->func].name, site->caller);

	if (site->file)
		xappend(&name, "%s:%u", site->file, site->line);
	else
		xappend(&name, "-");
	return text_clean(name);
}

static int print_probes(const struct list_options *opts, const struct symbols *syms,
			const struct inlined *in, const struct chosen_sites *sites)
{
	VECTOR(char *) names = {};
	struct kprobes k __cleanup(kprobes__destroy) = {};
	struct list_probes p __cleanup(list_probes__destroy) = { .opts = opts };
	int err = places__init(&p.places, syms) ?: kprobes__read(syms, &k);

	for (uint32_t i = 0; i < sites->nr && !err; i++) {
		const struct inlined_site *site = sites->array[i];
		struct probe probe;
		char *name;

		if (!list_probes__wants(&p, kprobes__verdict(&k, site->section, site->address)))
			continue;
		name = make_name(in, site);
		push(&names, name);
		if (places__find_at(&p.places, name, site->section, site->address, &probe))
			p.failed = true;
		else
			push(&p.list, probe);
	}
	err = err ?: list_probes__print(&p, "places");
	for_each(name, &names)
		free(*name);
	free(names.array);
	return err;
}

/* Each selector must select a call. */
static int select_sites(const struct list_options *opts, const struct inlined *in,
			struct selection *sel, struct chosen_sites *ret)
{
	int err = 0;

	for_each(site, &in->sites)
		if (selection__fits(sel, in->funcs.array[site->func].name,
				    *site->unit ? site->unit : NULL))
			push(ret, site);
	for_each(s, sel)
		if (!s->nr_matches)
			err = msg_fail(-ENOENT, "%s: no call to '%s' was inlined", opts->path,
				       s->text);
	return err;
}

int list_inlined(const struct list_options *opts, struct selection *sel)
{
	struct chosen_sites sites = {};
	struct symbols *syms = NULL;
	struct image *img = NULL;
	struct inlined *in = NULL;
	int err = image__open(opts->image ?: opts->path, &img);

	if (!err && !image__section(img, ".debug_info"))
		err = msg_fail(-EINVAL, "%s: no debug information (.debug_info), from which inlined calls are read",
			       img->path);
	err = err ?: inlined__read(img, sel->nr ? selection__names : NULL, sel, nr_cores(), &in);
	err = err ?: select_sites(opts, in, sel, &sites);
	if (!err && sel->nr)
		err = symbols__new(img, &syms);
	if (!err && opts->probe != NR_PROBE_FORMATS)
		err = print_probes(opts, syms, in, &sites);
	else if (!err && sel->nr)
		print_sites(opts, syms, in, &sites);
	else if (!err)
		print_funcs(opts, in);
	free(sites.array);
	inlined__free(in);
	symbols__free(syms);
	image__close(img);
	return err ? EXIT_BAD : EXIT_DONE;
}
