// SPDX-License-Identifier: GPL-2.0-only
/* Names of FUNCs: NAME, or NAME@FILE if several functions share the name. */
#include <ctype.h>

#include "functions/steps.h"
#include "util/memory.h"
#include "util/text.h"

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

static bool file_is_valid(const char *file)
{
	const char *p = file;

	for (; text__is_plain(*p) && p - file < MAX_NAME; p++)
		;
	return !*p;
}

/**
 * struct namesake - a function that shares its name
 * @file:	of its unit, NULL if unknown
 * @number:	its place among them, sorted by address
 */
struct namesake {
	struct instance	*inst;
	const char	*file;
	uint32_t	number;
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
static void give_name(struct decision *d, const struct namesake *n, uint32_t number)
{
	struct instances *in = d->in;
	const struct symbol *sym = n->inst->sym;
	char *name;

	if (n->inst->reason != FUNC_ENCODED && !d->opts->unproven)
		return;
	name = xasprintf("%.*s@%s", (int)symbol__name_len(sym), sym->name, n->file);
	if (number)
		xappend(&name, "#%u", number);
	if (strlen(name) >= MAX_NAME) {
		free(name);
		instance__skip(n->inst, FUNC_NAME);
		return;
	}
	push(&in->made, name);
	n->inst->out.name = name;
}

/*
 * The file of an instance's unit; if a name cannot contain it, the instance is skipped.  Names for
 * people only contain plain characters already.
 */
static const char *file_of(const struct decision *d, struct instance *inst)
{
	const char *file = inst->facts.unit == NO_UNIT ? "" : d->files[inst->facts.unit];

	if (*file && (d->opts->unproven || file_is_valid(file)))
		return file;
	instance__skip(inst, *file ? FUNC_NAME : FUNC_NO_FILE);
	return NULL;
}

static void name_by_file(struct decision *d, struct namesake *array, uint32_t nr)
{
	uint32_t i, number = 0;

	qsort(array, nr, sizeof(*array), compare_files);
	for (i = 0; i < nr && array[i].file; i++) {
		const struct namesake *s = &array[i];
		bool first = !i || !same_file(s - 1, s);

		number = first ? 1 : number + 1;
		if (first && (i + 1 == nr || !same_file(s, s + 1)))
			give_name(d, s, 0);
		else
			give_name(d, s, number);
	}
}

static void name_shared(struct decision *d, const uint32_t *sorted, uint32_t nr)
{
	const struct func_options *opts = d->opts;
	bool traceable = opts->files && !opts->untraceable && d->ftrace->known;
	struct namesake *array __cleanup(free_pointer) = xcalloc(nr, sizeof(*array));

	for (uint32_t i = 0; i < nr; i++) {
		struct instance *inst = &d->in->array[sorted[i]];

		if (!inst->out.record)
			instance__skip(inst, FUNC_INIT_TEXT);
		else if (traceable && !ftrace__can_patch(d->ftrace, inst->sym))
			instance__skip(inst, FUNC_NOT_TRACEABLE);
		array[i] = (struct namesake){ .inst = inst, .number = i,
					      .file = opts->files ? file_of(d, inst) : NULL };
	}
	name_by_file(d, array, nr);
}

/* The end of the functions in @in->sorted that share the name of number @i. */
static uint32_t end_of_name(const struct instances *in, uint32_t i)
{
	const uint32_t *sorted = in->sorted.array;
	const struct symbol *first = in->array[sorted[i]].sym;

	while (++i < in->sorted.nr && !symbol__compare_names(first, in->array[sorted[i]].sym))
		;
	return i;
}

static int compare_instances(const void *x, const void *y, void *arg)
{
	const struct instance *array = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return symbol__compare_names(array[a].sym, array[b].sym) ?: cmp_int(a, b);
}

void decision__sort(struct decision *d)
{
	const struct symbols *syms = d->syms;
	struct instances *in = d->in;
	uint32_t *of_sym __cleanup(free_pointer) = xcalloc(syms->nr_funcs + 1UL, sizeof(*of_sym));
	uint32_t i, end, start;

	for (i = 0; i < in->nr; i++)
		if (in->array[i].reason != FUNC_FRAGMENT)
			of_sym[in->array[i].sym - syms->funcs] = i + 1;
	/* symbols with one stem are adjacent, and few */
	for (i = 0; i < syms->nr_funcs; i = end) {
		const struct symbol *sym = &syms->funcs[syms->by_stem[i]];

		start = in->sorted.nr;
		for (end = i; end < syms->nr_funcs &&
		     same_stem(sym, &syms->funcs[syms->by_stem[end]]); end++)
			if (of_sym[syms->by_stem[end]])
				push(&in->sorted, of_sym[syms->by_stem[end]] - 1);
		if (in->sorted.nr - start > 1)
			qsort_r(in->sorted.array + start, in->sorted.nr - start, sizeof(uint32_t),
				compare_instances, in->array);
	}
	for (i = 0; i < in->sorted.nr; i = end) {
		const struct symbol *first = in->array[in->sorted.array[i]].sym, *last;

		end = end_of_name(in, i);
		last = in->array[in->sorted.array[end - 1]].sym;
		for (uint32_t k = i; k < end; k++)
			in->array[in->sorted.array[k]].shared = !same_place(first, last);
	}
}

void decision__name(struct decision *d)
{
	const struct instances *in = d->in;
	uint32_t end;

	for (uint32_t i = 0; i < in->sorted.nr; i = end) {
		end = end_of_name(in, i);
		if (in->array[in->sorted.array[i]].shared)
			name_shared(d, in->sorted.array + i, end - i);
	}
}
