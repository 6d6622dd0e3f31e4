// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "inspect/show_inlined.h"
#include "inspect/text.h"
#include "util/memory.h"

/* A cell that is longer sticks out of its column. */
#define MAX_COLUMN	48

bool inlined_view__shows(const struct inlined_view *view, const struct inlined_site *site)
{
	return selection__fits(view->sel, view->in->funcs[site->func].name,
			       *site->unit ? site->unit : NULL);
}

uint32_t inlined_view__count(const struct inlined_view *view)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < view->in->nr_sites; i++)
		nr += inlined_view__shows(view, &view->in->sites[i]);
	return nr;
}

/* Of a site, from _text; in a module, in its section. */
static uint64_t offset_of_site(const struct inlined_view *view, const struct inlined_site *site)
{
	uint64_t offset = site->address - view->text;
	uint32_t section;

	inlined__place(view->in, site->address, &section, &offset);
	return offset;
}

/* Clean a name from DWARF, which may contain anything.  Does not allocate: truncates to @size. */
static const char *clean_name(const char *s, char *buf, size_t size)
{
	snprintf(buf, size, "%s", s);
	return text_clean(buf);
}

static char *make_place(const char *file, uint32_t line)
{
	char *place;

	if (!file)
		return xstrdup("-");
	return asprintf(&place, "%s:%u", file, line) < 0 ? NULL : text_clean(place);
}

char *inlined_site__name(const struct inlined *in, const struct inlined_site *site)
{
	char *place = make_place(site->file, site->line), *name;
	int len = asprintf(&name, "%s in %s at %s", in->funcs[site->func].name, site->caller,
			   place ?: "-");

	free(place);
	return len < 0 ? NULL : text_clean(name);
}

/* A probe can miss inlined calls only if the function also has a body. */
static bool is_shown(const struct inlined_view *view, const struct inlined_func *func)
{
	return view->all || func->bodies;
}

static void widen_column(int *width, size_t len)
{
	if (len > MAX_COLUMN)
		len = MAX_COLUMN;
	if (*width < (int)len)
		*width = len;
}

static void print_funcs(const struct inlined_view *view, FILE *f)
{
	const struct inlined *in = view->in;
	int width = 4;

	for (uint32_t i = 0; i < in->nr_funcs; i++)
		if (is_shown(view, &in->funcs[i]))
			widen_column(&width, strlen(in->funcs[i].name));
	fprintf(f, "%8s  %6s  %-*s  %s\n", "INLINED", "BODIES", width, "NAME", "DECLARED");
	for (uint32_t i = 0; i < in->nr_funcs; i++) {
		const struct inlined_func *func = &in->funcs[i];
		char *place, name[512];

		if (!is_shown(view, func))
			continue;
		place = make_place(func->file, func->line);
		fprintf(f, "%8u  %6u  %-*s  %s\n", func->calls, func->bodies, width,
			clean_name(func->name, name, sizeof(name)), place ?: "-");
		free(place);
	}
}

/* Widths of columns; @name is 0 if all calls are of one function, which needs no column. */
struct site_columns {
	int	name;
	int	caller;
	int	via;
};

static struct site_columns measure_sites(const struct inlined_view *view)
{
	struct site_columns col = { .name = 4, .caller = 2, .via = 6 };
	const struct inlined *in = view->in;
	const char *name = NULL;
	bool several = false;

	for (uint32_t i = 0; i < in->nr_sites; i++) {
		const struct inlined_site *s = &in->sites[i];

		if (!inlined_view__shows(view, s))
			continue;
		several |= name && strcmp(name, in->funcs[s->func].name);
		name = in->funcs[s->func].name;
		widen_column(&col.name, strlen(name));
		widen_column(&col.caller, strlen(s->caller));
		widen_column(&col.via, strlen(s->via ?: s->caller));
	}
	if (!several)
		col.name = 0;
	return col;
}

static void print_sites(const struct inlined_view *view, FILE *f)
{
	const struct site_columns col = measure_sites(view);
	const struct inlined *in = view->in;

	fprintf(f, "%10s  ", "OFFSET");
	if (col.name)
		fprintf(f, "%-*s  ", col.name, "NAME");
	fprintf(f, "%-*s  %-*s  %s\n", col.caller, "IN", col.via, "CALLER", "CALL");
	for (uint32_t i = 0; i < in->nr_sites; i++) {
		const struct inlined_site *s = &in->sites[i];
		char *place, offset[24], name[512];

		if (!inlined_view__shows(view, s))
			continue;
		place = make_place(s->file, s->line);
		snprintf(offset, sizeof(offset), "0x%" PRIx64, offset_of_site(view, s));
		fprintf(f, "%10s  ", offset);
		if (col.name)
			fprintf(f, "%-*s  ", col.name,
				clean_name(in->funcs[s->func].name, name, sizeof(name)));
		fprintf(f, "%-*s  ", col.caller, clean_name(s->caller, name, sizeof(name)));
		fprintf(f, "%-*s  %s\n", col.via,
			clean_name(s->via ?: s->caller, name, sizeof(name)), place ?: "-");
		free(place);
	}
}

void inlined_view__print(const struct inlined_view *view, FILE *f)
{
	if (view->sel)
		print_sites(view, f);
	else
		print_funcs(view, f);
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

int inlined_view__print_json(const struct inlined_view *view, FILE *f)
{
	const struct inlined *in = view->in;
	bool first = true;
	int err = 0;

	fputc('[', f);
	for (uint32_t i = 0; i < in->nr_funcs && !view->sel && !err; i++)
		if (is_shown(view, &in->funcs[i]))
			err = text_json_line(f, func_json(&in->funcs[i]), &first);
	for (uint32_t i = 0; i < in->nr_sites && view->sel && !err; i++)
		if (inlined_view__shows(view, &in->sites[i]))
			err = text_json_line(f, site_json(view, &in->sites[i]), &first);
	fputs(first ? "]\n" : "\n]\n", f);
	return err;
}
