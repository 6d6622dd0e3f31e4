// SPDX-License-Identifier: GPL-2.0-only
/* Names of FUNCs: NAME, or NAME@FILE if several functions have the name. */
#include <ctype.h>

#include "functions/decision.h"
#include "util/memory.h"

/* KSYM_NAME_LEN, including the NUL */
#define MAX_NAME	512

bool name__is_valid(const char *name)
{
	const char *p = name;

	if (isdigit((unsigned char)*p))
		return false;
	for (; isalnum((unsigned char)*p) || *p == '_' || *p == '.'; p++)
		;
	return p > name && !*p && p - name < MAX_NAME;
}

/* Printable characters of any kind, as after the '@'. */
static bool file_is_valid(const char *file)
{
	const char *p = file;

	for (; isgraph((unsigned char)*p) && p - file < MAX_NAME; p++)
		;
	return !*p;
}

/**
 * struct namesake - an instance whose name several functions have
 * @file:	of its unit, NULL if unknown
 * @number:	its place in the group, which is sorted by address
 */
struct namesake {
	struct instance	*inst;
	const char	*file;
	uint32_t	number;
};

/**
 * struct group - the functions with one name
 * @places:	number of addresses
 * @ftrace:	NULL if it does not matter whether functions can be traced
 */
struct group {
	struct decision		*d;
	const struct code_table	*ftrace;
	VECTOR(struct namesake);
	uint32_t		places;
};

static int compare_files(const void *x, const void *y)
{
	const struct namesake *a = x, *b = y;
	int diff = a->file && b->file ? strcmp(a->file, b->file) : !a->file - !b->file;

	return diff ?: cmp_int(a->number, b->number);
}

static bool same_file(const struct namesake *a, const struct namesake *b)
{
	return a->file && b->file && !strcmp(a->file, b->file);
}

/* @number: position in its file, 0 for the only one. */
static void give_name(struct instances *in, const struct namesake *n, uint32_t number)
{
	char *name;

	if (n->inst->reason != FUNC_ENCODED)
		return;
	name = number ? xasprintf("%s@%s#%u", n->inst->name, n->file, number) :
			xasprintf("%s@%s", n->inst->name, n->file);
	if (strlen(name) >= MAX_NAME) {
		free(name);
		instance__skip(n->inst, FUNC_NAME);
		return;
	}
	push(&in->made, name);
	n->inst->name = name;
}

/* The file of an instance's unit; if a name cannot contain it, the instance is skipped. */
static const char *file_of(const struct decision *d, struct instance *inst)
{
	const char *file = inst->facts.unit == NO_UNIT ? "" : d->files[inst->facts.unit];

	if (*file && file_is_valid(file))
		return file;
	instance__skip(inst, *file ? FUNC_NAME : FUNC_NO_FILE);
	return NULL;
}

static void name_by_file(struct group *g)
{
	bool numbered = false;
	uint32_t i, number = 0;

	for_each(n, g)
		n->file = file_of(g->d, n->inst);
	qsort(g->array, g->nr, sizeof(*g->array), compare_files);
	for (i = 1; i < g->nr; i++)
		numbered |= same_file(&g->array[i - 1], &g->array[i]);
	for (i = 0; i < g->nr && g->array[i].file; i++) {
		const struct namesake *s = &g->array[i];
		bool first = !i || !same_file(s - 1, s);

		number = first ? 1 : number + 1;
		/* the name of a file may end like a number */
		if (numbered && strchr(s->file, '#'))
			instance__skip(s->inst, FUNC_NAME);
		else if (first && (i + 1 == g->nr || !same_file(s, s + 1)))
			give_name(g->d->in, s, 0);
		else
			give_name(g->d->in, s, number);
	}
}

/* A unique function keeps the bare name. */
static void end_group(struct group *g)
{
	if (g->places > 1) {
		for_each(n, g) {
			if (!n->inst->in_core_text)
				instance__skip(n->inst, FUNC_INIT_TEXT);
			else if (g->ftrace && !ftrace__can_patch(g->ftrace, n->inst->sym))
				instance__skip(n->inst, FUNC_NOT_TRACEABLE);
		}
		if (g->d->opts->files)
			name_by_file(g);
	}
	g->nr = g->places = 0;
}

/* The name of a FUNC starts with this: foo for foo.llvm.123, and foo.isra.0 for foo.isra.0. */
static size_t own_name_len(const struct func_sym *sym)
{
	return func_sym__is_clone(sym) ? strlen(sym->name) : sym->base_len;
}

static int compare_own_names(const struct func_sym *a, const struct func_sym *b)
{
	size_t la = own_name_len(a), lb = own_name_len(b);

	return memcmp(a->name, b->name, la < lb ? la : lb) ?: cmp_int(la, lb);
}

static void name_groups(struct group *g)
{
	const struct instances *in = g->d->in;
	const struct func_sym *last = NULL;

	for (uint32_t i = 0; i < in->nr_encoded; i++) {
		struct instance *inst = &in->array[in->order[i]];

		if (last && compare_own_names(last, inst->sym)) {
			end_group(g);
			last = NULL;
		}
		g->places += !same_place(last, inst->sym);
		push(g, (struct namesake){ .inst = inst, .number = g->nr });
		last = inst->sym;
	}
	end_group(g);
}

static int compare_instances(const void *x, const void *y, void *arg)
{
	const struct instance *array = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return compare_own_names(array[a].sym, array[b].sym) ?: cmp_int(a, b);
}

/* Sort all that are not fragments, by name and then by place. */
static void put_in_order(struct instances *in, const struct symbols *syms)
{
	uint32_t *of_sym __cleanup(free_pointer) = xcalloc(syms->nr_funcs + 1UL, sizeof(*of_sym));
	uint32_t i, end, start;

	in->order = xcalloc(in->nr + 1UL, sizeof(*in->order));
	for (i = 0; i < in->nr; i++)
		if (in->array[i].reason != FUNC_FRAGMENT)
			of_sym[in->array[i].sym - syms->funcs] = i + 1;
	/* symbols with one base name are adjacent, and few */
	for (i = 0; i < syms->nr_funcs; i = end) {
		const struct func_sym *sym = &syms->funcs[syms->by_base[i]];

		start = in->nr_encoded;
		for (end = i; end < syms->nr_funcs &&
		     same_base(sym, &syms->funcs[syms->by_base[end]]); end++)
			if (of_sym[syms->by_base[end]])
				in->order[in->nr_encoded++] = of_sym[syms->by_base[end]] - 1;
		if (in->nr_encoded - start > 1)
			qsort_r(in->order + start, in->nr_encoded - start, sizeof(*in->order),
				compare_instances, in->array);
	}
}

void decision__name(struct decision *d)
{
	const struct func_options *opts = d->opts;
	struct group g = {
		.d = d, .ftrace = opts->files && !opts->untraceable && d->ftrace->known ? d->ftrace : NULL,
	};

	put_in_order(d->in, d->syms);
	if (opts->address)
		name_groups(&g);
	free(g.array);
}
