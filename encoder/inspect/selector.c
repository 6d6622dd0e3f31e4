// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/selector.h"
#include "inspect/suggest.h"
#include "util/msg.h"

/* A message lists so many functions; a kernel has 22 with one name. */
#define MAX_CANDIDATES	32

static bool is_glob(const char *s)
{
	return strpbrk(s, "*?[");
}

/* A pattern matches the whole path or, like a name, what follows any '/' in it. */
static bool matches_end(const char *path, const struct selector *sel)
{
	if (!sel->file_glob)
		return sel->whole ? !strcmp(path, sel->file) : path__ends_in(path, sel->file);
	for (const char *end = path; end; end = strchr(end, '/')) {
		end += end != path;
		if (!fnmatch(sel->file, end, FNM_NOESCAPE))
			return true;
		if (sel->whole)
			break;
	}
	return false;
}

bool selector__fits(const struct selector *sel, const char *file)
{
	return !sel->file || (file && matches_end(file, sel));
}

bool selector__names(const struct selector *sel, const char *name)
{
	return sel->name_glob ? !fnmatch(sel->name, name, FNM_NOESCAPE) : !strcmp(name, sel->name);
}

bool selection__names(const char *name, const void *selection)
{
	const struct selection *s = selection;

	for (uint32_t i = 0; i < s->nr; i++)
		if (selector__names(&s->all[i], name))
			return true;
	return false;
}

bool selection__fits(const struct selection *s, const char *name, const char *file)
{
	for (uint32_t i = 0; i < s->nr; i++)
		if (selector__names(&s->all[i], name) && selector__fits(&s->all[i], file))
			return true;
	return false;
}

/* "+16" or "+0x10" at the end is a place; as in libbpf's section names, it ends FILE. */
static void cut_place(struct selector *sel)
{
	char *plus = strrchr(sel->name, '+'), *end;

	if (!plus || !isdigit((unsigned char)plus[1]))
		return;
	errno = 0;
	sel->into = strtoull(plus + 1, &end, strncmp(plus + 1, "0x", 2) ? 10 : 16);
	if (*end || errno)
		return;
	sel->has_place = true;
	*plus = 0;
}

static int parse_selector(const char *text, struct selector *ret)
{
	char *at;

	*ret = (struct selector){ .text = text, .name = xstrdup(text) };
	cut_place(ret);
	at = strchr(ret->name, '@');
	if (at) {
		*at = 0;
		ret->whole = at[1] == '/';
		ret->file = at + 1 + ret->whole;
		ret->file_glob = is_glob(ret->file);
	}
	ret->name_glob = is_glob(ret->name);
	if (*ret->name && (!ret->file || *ret->file))
		return 0;
	return msg_fail(-EINVAL, "selector '%s': expected NAME or NAME@FILE", text);
}

int selection__parse(struct selection *s, char **texts, uint32_t nr)
{
	int err = 0;

	*s = (struct selection){ .all = xcalloc(nr, sizeof(*s->all)) };
	for (uint32_t i = 0; i < nr && !err; i++)
		err = parse_selector(texts[i], &s->all[s->nr++]);
	return err;
}

void selection__destroy(struct selection *s)
{
	for (uint32_t i = 0; i < s->nr; i++)
		free(s->all[i].name);
	free(s->all);
	free(s->funcs.array);
	*s = (struct selection){};
}

/* The functions to look at: for a pattern, all. */
static const struct func *find_named(const struct selector *sel, const struct funcs *funcs,
				     uint32_t *nr)
{
	*nr = funcs->nr;
	return sel->name_glob ? funcs->all :
				funcs__named(funcs, sel->name, strlen(sel->name), nr);
}

/* The name of a symbol is no longer than 511 characters (KSYM_NAME_LEN). */
static bool is_meant(const struct selector *sel, const struct func *func)
{
	char name[512];

	if (!selector__fits(sel, func->file ?: func->declared))
		return false;
	if (!sel->name_glob)
		return true;
	snprintf(name, sizeof(name), "%.*s", (int)func->name_len, func->full);
	return selector__names(sel, name);
}

bool selection__needs_declared(const struct selection *s, const struct funcs *funcs)
{
	for (uint32_t i = 0; i < s->nr; i++) {
		uint32_t nr;
		const struct func *first = find_named(&s->all[i], funcs, &nr);

		if (s->all[i].file && nr && (s->all[i].name_glob || !first->file))
			return true;
	}
	return false;
}

static void print_suggestions(const struct suggestions *s, bool with_file)
{
	char *line __cleanup(free_pointer) = NULL;

	for (uint32_t i = 0; i < s->nr; i++)
		xappend(&line, "%s%.*s", !i ? "" : i + 1 == s->nr ? " or " : ", ",
			with_file ? (int)strlen(s->all[i]->full) : (int)s->all[i]->name_len,
			s->all[i]->full);
	if (line)
		msg_error("    did you mean %s?", line);
}

static void report_missing_name(const struct selector *sel, const struct funcs *funcs,
				const char *subject)
{
	struct suggestions names = {};

	msg_error("%s: no function named '%s'", subject, sel->name);
	if (sel->file && !sel->file_glob)
		suggest_names(funcs, sel->name, sel->file, &names);
	print_suggestions(&names, true);
	if (!names.nr) {
		suggest_names(funcs, sel->name, NULL, &names);
		print_suggestions(&names, false);
	}
	if (!funcs->btf->nr_records)
		msg_error("    BTF without addresses omits names that several functions share: use --running, or the image with debug information");
	else
		msg_error("    if it was inlined everywhere, list --inlined shows where; if it was omitted, report shows why");
}

static void report_candidates(const struct func *first, uint32_t nr,
			      const struct selector *meant)
{
	uint32_t left = 0, shown = 0;

	for (uint32_t i = 0; i < nr; i++) {
		if (meant && !is_meant(meant, &first[i]))
			continue;
		if (shown++ < MAX_CANDIDATES)
			msg_error("    %s", first[i].full);
		else
			left++;
	}
	if (left)
		msg_error("    and %u more", left);
}

static void report_missing(const struct selector *sel, const struct funcs *funcs,
			   const char *subject)
{
	struct suggestions files = {};
	const struct func *first;
	uint32_t nr;

	if (sel->name_glob) {
		msg_error("%s: no function matches '%s'", subject, sel->text);
		return;
	}
	first = funcs__named(funcs, sel->name, strlen(sel->name), &nr);
	if (!nr) {
		report_missing_name(sel, funcs, subject);
		return;
	}
	if (!sel->file_glob)
		suggest_files(first, nr, sel->file, &files);
	if (files.nr) {
		msg_error("%s: '%s' was not found", subject, sel->text);
		print_suggestions(&files, true);
		return;
	}
	msg_error("%s: '%s' was not found; functions with that name:", subject, sel->text);
	report_candidates(first, nr, NULL);
}

static int find_selector(struct selection *s, struct selector *sel, const struct funcs *funcs,
			 const char *subject)
{
	uint32_t nr, before = s->funcs.nr;
	const struct func *first = find_named(sel, funcs, &nr);

	for (uint32_t i = 0; sel->file && !sel->file_glob && i < nr; i++)
		sel->whole |= first[i].file && !strcmp(first[i].file, sel->file) &&
			      is_meant(sel, &first[i]);
	for (uint32_t i = 0; i < nr; i++)
		if (is_meant(sel, &first[i]))
			push(&s->funcs, (struct chosen){ &first[i], sel->into });
	if (s->funcs.nr > before)
		return 0;
	report_missing(sel, funcs, subject);
	return -ENOENT;
}

static int compare_chosen(const void *a, const void *b)
{
	const struct chosen *x = a, *y = b;

	return cmp_int(x->func->id, y->func->id) ?: cmp_int(x->into, y->into);
}

int selection__find(struct selection *s, const struct funcs *funcs, const char *subject)
{
	uint32_t nr = 0;
	int err = 0;

	for (uint32_t i = 0; i < s->nr; i++)
		err = find_selector(s, &s->all[i], funcs, subject) ?: err;
	if (err)
		return err;
	qsort(s->funcs.array, s->funcs.nr, sizeof(*s->funcs.array), compare_chosen);
	for_each(chosen, &s->funcs)
		if (!nr || compare_chosen(&s->funcs.array[nr - 1], chosen))
			s->funcs.array[nr++] = *chosen;
	s->funcs.nr = nr;
	return 0;
}

int selection__check_unique(const struct selection *s, const struct funcs *funcs,
			    const char *subject)
{
	int err = 0;

	for (uint32_t i = 0; i < s->nr; i++) {
		const struct selector *sel = &s->all[i];
		uint32_t nr, meant = 0;
		const struct func *first;

		if (!sel->file || sel->name_glob || sel->file_glob)
			continue;
		first = find_named(sel, funcs, &nr);
		for (uint32_t k = 0; k < nr; k++)
			meant += is_meant(sel, &first[k]);
		if (meant < 2)
			continue;
		msg_error("%s: '%s' matches %u functions: name one of them, or use --all",
			  subject, sel->text, meant);
		report_candidates(first, nr, sel);
		err = -EINVAL;
	}
	return err;
}

/* Return: the distance to the next function, UINT64_MAX if there is none. */
static uint64_t find_next(const struct funcs *funcs, const struct func *func)
{
	uint64_t start = btf_func__offset(func->record), distance = UINT64_MAX;

	for (uint32_t i = 0; i < funcs->nr; i++) {
		const struct btf_func *next = funcs->all[i].record;
		uint64_t offset = next ? btf_func__offset(next) : 0;

		if (next && offset > start && offset - start < distance)
			distance = offset - start;
	}
	return distance;
}

int selection__check_places(const struct selection *s, const struct funcs *funcs,
			    const char *subject)
{
	for_each(place, &s->funcs) {
		if (!place->into || !place->func->record ||
		    place->into < find_next(funcs, place->func))
			continue;
		return msg_fail(-EINVAL, "%s: %s+0x%llx: is in another function", subject,
				place->func->full, (unsigned long long)place->into);
	}
	return 0;
}

const struct selector *selection__has_place(const struct selection *s)
{
	for (uint32_t i = 0; i < s->nr; i++)
		if (s->all[i].has_place)
			return &s->all[i];
	return NULL;
}
