// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "inspect/selector.h"
#include "util/msg.h"

/* Maximum number of functions in a message; a kernel has 22 with one name. */
#define MAX_CANDIDATES	32

static bool is_glob(const char *s)
{
	return strpbrk(s, "*?[");
}

/* "kernel/sched/core.c" ends in "sched/core.c" and "core.c", not in "ore.c". */
static bool ends_in(const char *path, const char *file)
{
	size_t path_len = strlen(path), len = strlen(file);

	if (len > path_len || strcmp(path + path_len - len, file))
		return false;
	return len == path_len || path[path_len - len - 1] == '/';
}

/* A pattern matches the whole path or, like a name, the rest of it after any '/'. */
static bool matches_end(const char *path, const struct selector *sel)
{
	if (!sel->file_glob)
		return sel->whole ? !strcmp(path, sel->file) : ends_in(path, sel->file);
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

bool selector__names_source(const struct selector *sel, const char *name)
{
	size_t len = strlen(name);

	return selector__names(sel, name) ||
	       (!strncmp(sel->name, name, len) && sel->name[len] == '.');
}

bool selection__names_source(const char *name, const void *selection)
{
	const struct selection *s = selection;

	for_each(sel, s)
		if (selector__names_source(sel, name))
			return true;
	return false;
}

bool selection__fits(struct selection *s, const char *name, const char *file)
{
	bool fits = false;

	for_each(sel, s) {
		bool matches = selector__names(sel, name) && selector__fits(sel, file);

		sel->nr_matches += matches;
		fits |= matches;
	}
	return fits;
}

/*
 * "+16" or "+0x10" at the end is a place; as in libbpf's section names, it ends FILE.  But
 * "_text+0x10", or ".text+0x10" in a module, replaces FILE.
 */
static void cut_place(struct selector *sel)
{
	char *plus = strrchr(sel->name, '+'), *at = strchr(sel->name, '@'), *end;
	uint64_t into;

	if (!plus || !isdigit((unsigned char)plus[1]))
		return;
	if (at && ((at[1] == '.' && !strchr("./", at[2])) || !strncmp(at + 1, "_text+", 6)) && strchr(at, '+') == plus)
		return;
	errno = 0;
	into = strtoull(plus + 1, &end, strncmp(plus + 1, "0x", 2) ? 10 : 16);
	/* otherwise, it is a part of FILE */
	if (*end || errno)
		return;
	sel->into = into;
	sel->has_place = true;
	*plus = 0;
}

/* ":12" at the end of FILE is a line. Names of source files in BTF have no ':'. */
static void cut_line(struct selector *sel)
{
	char *colon = strrchr(sel->file, ':');
	size_t len = colon ? strlen(colon + 1) : 0;

	if (!len || len > 9 || colon[1] == '0' || strspn(colon + 1, "0123456789") != len)
		return;
	sel->line = strtoul(colon + 1, NULL, 10);
	*colon = 0;
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
		cut_line(ret);
		ret->file_glob = is_glob(ret->file);
	}
	ret->name_glob = is_glob(ret->name);
	if (*ret->name && (!ret->file || *ret->file))
		return 0;
	return msg_fail(-EINVAL, "selector '%s': expected NAME or NAME@FILE", text);
}

int selection__parse(struct selection *s, char **texts, uint32_t nr)
{
	struct selector sel;
	int err = 0;

	*s = (struct selection){};
	for (uint32_t i = 0; i < nr && !err; i++) {
		err = parse_selector(texts[i], &sel);
		push(s, sel);
	}
	return err;
}

void selection__destroy(struct selection *s)
{
	for_each(sel, s)
		free(sel->name);
	free(s->array);
	free(s->funcs.array);
	*s = (struct selection){};
}

/* The candidates: for a pattern, all functions; otherwise, all symbols of a source function. */
static struct named_functions find_named(const struct selector *sel, const struct function_map *map)
{
	return sel->name_glob ? (struct named_functions){ map->array, map->nr } :
				function_map__named(map, sel->name, strlen(sel->name));
}

/* Compare with the name of the source function, or, if there is a suffix, of the symbol. */
static bool matches_name(const struct selector *sel, const struct function *f, bool all)
{
	char *source __cleanup(free_pointer) = NULL;
	bool suffixed = strchr(sel->name + 1, '.');

	if (f->kind == CODE_PADDING || (f->kind == CODE_PART && !all && !suffixed))
		return false;
	if (!sel->name_glob)
		return !suffixed || !strcmp(f->symbol, sel->name);
	source = xstrndup(f->name, f->source_len);
	return selector__names(sel, source) || selector__names(sel, f->symbol);
}

/*
 * FILE is the file in the function's name ("FILE#2", "_text+0x10"), or its unit's.  If no other
 * function has the name, it may also be the file that declares the function.  With a LINE, FILE
 * has to declare it.
 */
static bool matches_file(const struct selector *sel, const struct function *f)
{
	const char *at = strchr(f->name, '@');

	if (sel->line && (f->decl_line != sel->line || !selector__fits(sel, f->decl_file)))
		return false;
	return !sel->file || (f->file && selector__fits(sel, f->file)) ||
	       selector__fits(sel, at ? at + 1 : f->decl_file);
}

static bool selector_matches(const struct selector *sel, const struct function *f, bool all)
{
	return matches_name(sel, f, all) && matches_file(sel, f);
}

/*
 * Suggestions: names and files that a user may have meant.  An unknown name is compared with the
 * names of all functions, by spelling.  This takes about 10 ms for a kernel, and only after an
 * error.
 */

#define MAX_SUGGESTIONS	3

/* Longer names and paths are not compared. */
#define MAX_LEN		128

/**
 * struct suggestions - the closest functions, best first
 * @all:	one for each name if only the name was misspelled
 * @distance:	number of wrong characters, equal for all of them
 */
struct suggestions {
	const struct function	*all[MAX_SUGGESTIONS];
	uint32_t		nr;
	uint32_t		distance;
};

/*
 * The number of characters to insert, remove or replace, and of neighbours to swap, that
 * turns one string into the other; more than @limit is not counted.
 */
static uint32_t count_edits(const char *a, size_t a_len, const char *b, size_t b_len,
			    uint32_t limit)
{
	uint32_t rows[3][MAX_LEN + 1], *before = rows[0], *last = rows[1], *row = rows[2], *free;

	if (a_len > MAX_LEN || b_len > MAX_LEN || labs((long)a_len - (long)b_len) > limit)
		return limit + 1;
	for (size_t k = 0; k <= b_len; k++)
		last[k] = k;
	for (size_t i = 1; i <= a_len; i++) {
		uint32_t best = row[0] = i;

		for (size_t k = 1; k <= b_len; k++) {
			row[k] = MIN(MIN(last[k], row[k - 1]) + 1,
					last[k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				row[k] = MIN(row[k], before[k - 2] + 1);
			best = MIN(best, row[k]);
		}
		if (best > limit)
			return limit + 1;
		free = before;
		before = last;
		last = row;
		row = free;
	}
	return last[b_len];
}

/* A third of the characters may be wrong, up to a limit. */
static uint32_t max_edits(size_t len)
{
	return len < 6 ? 1 : len < 12 ? 2 : 3;
}

/* Add a function, by @len characters of its name or file, if none is closer to what was @wanted. */
static void add_suggestion(struct suggestions *s, const struct function *func, const char *wanted,
			   const char *text, size_t len)
{
	uint32_t distance = count_edits(wanted, strlen(wanted), text, len, s->distance);

	if (distance > s->distance)
		return;
	if (distance < s->distance)
		s->nr = 0;
	s->distance = distance;
	if (s->nr < MAX_SUGGESTIONS)
		s->all[s->nr++] = func;
}

/*
 * Find source functions with names similar to a name that does not exist, in files that end in
 * @file unless that is NULL.
 */
static void suggest_names(const struct function_map *map, const char *name, const char *file,
			  struct suggestions *ret)
{
	const struct function *last = NULL;

	*ret = (struct suggestions){ .distance = max_edits(strlen(name)) };
	for_each(f, map) {
		bool same = last && same_source(last, f);

		if (f->kind != CODE_BODY || (file ? !f->file || !ends_in(f->file, file) : same))
			continue;
		last = f;
		add_suggestion(ret, f, name, f->name, f->source_len);
	}
}

/* The end of the path, with as many directories as in the selector */
static const char *cut_path(const char *path, const char *file)
{
	const char *tail = path + strlen(path);
	size_t slashes = 0;

	for (; *file; file++)
		slashes += *file == '/';
	for (; tail > path && (tail[-1] != '/' || slashes--); tail--)
		;
	return tail;
}

/* Find functions whose file is similar to @file. */
static void suggest_files(const struct named_functions *named, const char *file,
			  struct suggestions *ret)
{
	*ret = (struct suggestions){ .distance = max_edits(strlen(file)) };
	for_each(f, named) {
		const char *tail = f->file ? cut_path(f->file, file) : NULL;

		if (tail)
			add_suggestion(ret, f, file, tail, strlen(tail));
	}
}

static void print_suggestions(const struct suggestions *s, bool with_file)
{
	char *line __cleanup(free_pointer) = NULL;

	for (uint32_t i = 0; i < s->nr; i++)
		xappend(&line, "%s%.*s", !i ? "" : i + 1 == s->nr ? " or " : ", ",
			with_file ? (int)strlen(s->all[i]->name) : (int)s->all[i]->source_len,
			s->all[i]->name);
	if (line)
		msg_error("    did you mean %s?", line);
}

/* Report what the compiler left of a function. Return: false if it left nothing. */
static bool report_parts(const struct selector *sel, const struct function_map *map,
			 const struct named_functions *named)
{
	char *parts __cleanup(free_pointer) = NULL;

	for_each(f, named) {
		if (!matches_file(sel, f))
			continue;
		/* only the suffix was wrong */
		if (f->kind == CODE_BODY)
			return false;
		if (f->kind == CODE_PART)
			xappend(&parts, "%s%s", parts ? ", " : "", f->name);
	}
	if (!parts)
		return false;
	msg_error("%s: '%s' was split, and only parts of it have code: %s", map->subject, sel->text,
		  parts);
	msg_error("    to select parts, use their names or --all");
	return true;
}

static void report_missing_name(const struct selector *sel, const struct function_map *map)
{
	struct suggestions names = {};

	msg_error("%s: no function named '%s'", map->subject, sel->name);
	if (sel->file && !sel->file_glob)
		suggest_names(map, sel->name, sel->file, &names);
	print_suggestions(&names, true);
	if (!names.nr) {
		suggest_names(map, sel->name, NULL, &names);
		print_suggestions(&names, false);
	}
	if (!map->has_all)
		msg_error("    BTF without addresses omits names that several functions share: use --running, or the image with debug information");
	else if (!map->has_image)
		msg_error("    BTF omits functions whose prototype is not known: use --running, or the image with debug information");
	else
		msg_error("    if it was inlined everywhere, list --inlined shows where");
}

static void report_candidates(const struct named_functions *named, const struct selector *meant)
{
	struct {
		VECTOR(const char *);
	} names = {};

	for_each(f, named)
		if (f->kind == CODE_BODY && (!meant || selector_matches(meant, f, false)))
			push(&names, f->name);
	vector__sort(&names, compare_strings);
	for (uint32_t i = 0; i < names.nr && i < MAX_CANDIDATES; i++)
		msg_error("    %s", names.array[i]);
	if (names.nr > MAX_CANDIDATES)
		msg_error("    and %u more", names.nr - MAX_CANDIDATES);
	free(names.array);
}

static bool has_padding(const struct selector *sel, const struct named_functions *named)
{
	for_each(f, named)
		if (f->kind == CODE_PADDING && !strcmp(f->symbol, sel->name))
			return true;
	return false;
}

static void report_missing(const struct selector *sel, const struct function_map *map)
{
	const char *subject = map->subject;
	const struct named_functions named = find_named(sel, map);
	struct suggestions files = {};

	if (sel->name_glob) {
		msg_error("%s: no function matches '%s'", subject, sel->text);
		return;
	}
	if (report_parts(sel, map, &named))
		return;
	if (has_padding(sel, &named)) {
		msg_error("%s: '%s' is padding before a function, or a trampoline, which is not listed",
			  subject, sel->name);
		return;
	}
	if (!named_functions__have(&named, CODE_BODY)) {
		report_missing_name(sel, map);
		return;
	}
	if (sel->file && !sel->file_glob)
		suggest_files(&named, sel->file, &files);
	if (files.nr) {
		msg_error("%s: '%s' was not found", subject, sel->text);
		print_suggestions(&files, true);
		return;
	}
	msg_error("%s: '%s' was not found; functions with that name:", subject, sel->text);
	report_candidates(&named, NULL);
}

static int find_selector(struct selection *s, struct selector *sel, const struct function_map *map,
			 bool all)
{
	const struct named_functions named = find_named(sel, map);
	struct selector literal = *sel;
	uint32_t before = s->funcs.nr;
	bool exact = false;

	/*
	 * A wrong line in FILE must not select a function in DIR/FILE.  FILE of a printed name
	 * has a '?' for each character that names must not contain.
	 */
	literal.line = 0;
	literal.file_glob = false;
	for_each(f, &named)
		exact |= sel->file && f->file && !strcmp(f->file, sel->file) &&
			 selector_matches(&literal, f, all);
	sel->file_glob &= !exact;
	sel->whole |= exact;
	for_each(f, &named)
		if (selector_matches(sel, f, all))
			push(&s->funcs, (struct chosen){ f, sel->into });
	sel->nr_matches = s->funcs.nr - before;
	if (sel->nr_matches)
		return 0;
	report_missing(sel, map);
	return -ESRCH;
}

static int compare_chosen(const void *a, const void *b)
{
	const struct chosen *x = a, *y = b;

	return cmp_int(x->func, y->func) ?: cmp_int(x->into, y->into);
}

int selection__find(struct selection *s, const struct function_map *map, bool all)
{
	uint32_t nr = 0;
	int err = 0;

	for_each(f, map)
		if (!s->nr && (f->kind == CODE_BODY ? all || f->is_shared || strchr(f->name, '@') :
						      all && f->kind == CODE_PART))
			push(&s->funcs, (struct chosen){ .func = f });
	for_each(sel, s)
		err = find_selector(s, sel, map, all) ?: err;
	if (err)
		return err;
	vector__sort(&s->funcs, compare_chosen);
	for_each(chosen, &s->funcs)
		if (!nr || compare_chosen(&s->funcs.array[nr - 1], chosen))
			s->funcs.array[nr++] = *chosen;
	s->funcs.nr = nr;
	return 0;
}

/* Test whether all functions that a selector matches are in one file. */
static bool is_one_file(const struct selector *sel, const struct named_functions *named)
{
	const char *file = NULL;

	for_each(f, named) {
		if (!selector_matches(sel, f, false))
			continue;
		if (!f->file || (file && strcmp(file, f->file)))
			return false;
		file = f->file;
	}
	return true;
}

int selection__check_unique(const struct selection *s, const struct function_map *map)
{
	int err = 0;

	for_each(sel, s) {
		const struct named_functions named = find_named(sel, map);

		if (!sel->file || sel->name_glob || sel->file_glob || sel->nr_matches < 2 ||
		    is_one_file(sel, &named))
			continue;
		msg_error("%s: '%s' matches %u functions: name one of them, or use --all",
			  map->subject, sel->text, sel->nr_matches);
		report_candidates(&named, sel);
		err = -EINVAL;
	}
	return err;
}

int selection__check_places(const struct selection *s, const struct function_map *map)
{
	for_each(place, &s->funcs) {
		const struct function *f = place->func;
		uint64_t size = f->size ?: function_map__extent(map, f);

		if (place->into && place->into >= size)
			return msg_fail(-EINVAL, "%s: %s+0x%" PRIx64 ": is not in this function, which has 0x%" PRIx64 " bytes",
					map->subject, f->name, place->into, size);
	}
	return 0;
}
