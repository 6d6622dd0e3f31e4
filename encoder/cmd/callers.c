// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "cmd/list.h"
#include "inspect/text.h"
#include "util/jobserver.h"
#include "util/document.h"
#include "util/json.h"
#include "util/memory.h"
#include "util/msg.h"

/* Maximum width; longer cells overlap the next column. */
#define MAX_COLUMN	48

static const char *const kinds[] = {
	[CALL_INLINED] = "inlined", [CALL_DIRECT] = "call", [CALL_TAIL] = "tail call",
};

/* --- the calls of selected functions --------------------------------------------------- */

/* Test whether a call may be of a function, given that it has the name. */
static bool may_call(const struct inlined_site *call, const struct function *f)
{
	if (call->is_external)
		return f->linkage == BTF_FUNC_GLOBAL;
	return f->file && !strcmp(f->file, call->home);
}

/* @chosen: by index in @map: the function was selected */
static bool is_selected(const struct inlined_site *call, const struct function_map *map,
			const bool *chosen, struct selection *sel)
{
	const char *home = *call->home ? call->home : NULL;
	bool is_inlined = call->kind == CALL_INLINED;
	const struct named_functions named =
		function_map__named(map, call->name, strlen(call->name));

	/* the compiler has split the function, and this is a call of the part */
	if (!is_inlined && !strcmp(call->via ?: call->caller, call->name) &&
	    named_functions__have(&named, CODE_PART))
		return false;
	for_each(f, &named)
		if (f->kind == CODE_BODY && chosen[f - map->array] && may_call(call, f))
			return true;
	/* a function of another image, or one that was inlined everywhere */
	return selection__fits(sel, call->name, is_inlined || !call->is_external ? home : NULL);
}

static int compare_calls(const void *a, const void *b)
{
	const struct inlined_site *x = *(const struct inlined_site *const *)a;
	const struct inlined_site *y = *(const struct inlined_site *const *)b;

	return cmp_place(x, y) ?: cmp_int(x->kind != CALL_INLINED, y->kind != CALL_INLINED) ?:
	       cmp_int(x, y);
}

int callers__find(struct callers *c, const struct image *img, const struct function_map *map,
		  struct selection *sel)
{
	bool *chosen __cleanup(free_pointer) = xcalloc(map->nr, sizeof(*chosen));
	int err = inlined__read(img, selection__names_source, sel, nr_cores(), &c->in);

	if (err)
		return err;
	for_each(s, &sel->funcs)
		chosen[s->func - map->array] = true;
	for_each(site, &c->in->sites)
		if (is_selected(site, map, chosen, sel))
			push(c, site);
	for_each(call, &c->in->calls)
		if (is_selected(call, map, chosen, sel))
			push(c, call);
	vector__sort(c, compare_calls);
	return 0;
}

/* Return: the function whose body has the call, or NULL. */
static const struct function *find_body(const struct inlined_site *call,
					const struct function_map *map)
{
	return function_map__find(map, call->entry_section, call->entry - map->text);
}

const char *call__container(const struct inlined_site *call, const struct function_map *map)
{
	const struct function *f = function_map__find(map, call->section,
						      call->address - map->text);

	f = f ?: find_body(call, map);
	return f ? f->name : call->caller;
}

void callers__free(struct callers *c)
{
	free(c->array);
	inlined__free(c->in);
}

/* --- printing them -------------------------------------------------------------------- */

static json_t *call_json(const struct inlined_site *call, const struct function_map *map)
{
	const struct function *body = find_body(call, map);

	return json_pack("{s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "function", text_json(call->name), "kind", kinds[call->kind],
			 "section", text_json(function_map__section(map, call->section)),
			 "offset", (json_int_t)(call->address - map->text + call->ends_there),
			 "in", text_json(call__container(call, map)),
			 "caller", text_json(call->via ?: call->caller),
			 "file", text_json(*call->unit ? call->unit : NULL),
			 "call_file", text_json(call->file),
			 "call_line", call->file ? json_integer(call->line) : json_null(),
			 "flags", body ? function__flags_json(body) : json_pack("[s]", "unknown"));
}

enum { CALL_OFFSET, CALL_FLAGS, CALL_KIND, CALL_NAME };

static const struct column columns[] = {
	[CALL_OFFSET] = { "OFFSET", CELL_HEX, "offset", NULL, 10, 10 },
	[CALL_FLAGS] = { "FLAGS", CELL_TEXT, "flags", NULL, 7, 7 },
	[CALL_KIND] = { "KIND", CELL_TEXT, "kind", NULL, 4, 9 },
	[CALL_NAME] = { "NAME", CELL_TEXT, "function", NULL, 4, MAX_COLUMN },
	{ "IN", CELL_TEXT, "in", NULL, 2, MAX_COLUMN },
	{ "CALLER", CELL_TEXT, "caller", NULL, 6, MAX_COLUMN },
	{ "CALL", CELL_PLACE, "call_file", "call_line", 4, MAX_COLUMN },
};

void callers__print(const struct callers *c, const struct function_map *map,
		    const struct list_options *opts)
{
	/* if all calls are of one function, omit its name */
	struct rows rows __cleanup(rows__destroy) = {
		.f = stdout, .varying = 1U << CALL_NAME, .hidden = 1U << CALL_NAME |
			opts->inlined << CALL_FLAGS | opts->inlined << CALL_KIND,
	};

	if (opts->json)
		document__begin("calls", function_map__head(map));
	else
		rows__set_columns(&rows, columns, ARRAY_SIZE(columns));
	for_each(call, c)
		rows__add(&rows, call_json(*call, map));
	rows__end(&rows);
	if (!opts->json && !opts->inlined)
		puts("\n" UNKNOWN_CALLS);
}

void callers__select(const struct callers *c, const struct function_map *map,
		     struct selection *ret)
{
	bool *seen __cleanup(free_pointer) = xcalloc(map->nr, sizeof(*seen));

	for_each(call, c) {
		const struct function *f = find_body(*call, map);

		if (!f)
			msg_warn("%s: %s calls %s, but has no symbol", map->subject,
				 (*call)->caller, (*call)->name);
		else if (!seen[f - map->array])
			push(&ret->funcs, (struct chosen){ .func = f });
		if (f)
			seen[f - map->array] = true;
	}
}
