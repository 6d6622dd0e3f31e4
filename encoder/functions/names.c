// SPDX-License-Identifier: GPL-2.0-only
/* Names of FUNCs: NAME, or NAME@FILE if several functions share the name. */
#include <ctype.h>

#include "functions/decide.h"
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
 * @number:	its position among them, sorted by address
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

	if (n->inst->reason != FUNC_ENCODED && !d->opts->for_map)
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
	const char *file = func_facts__exist(&inst->facts) ? d->files[inst->facts.unit] : "";

	if (*file && (d->opts->for_map || file_is_valid(file)))
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

void decision__name_shared(struct decision *d, const uint32_t *sorted, uint32_t nr)
{
	const struct func_options *opts = d->opts;
	bool traceable = opts->by_file && !opts->untraceable && d->ftrace->known;
	struct namesake *array __cleanup(free_pointer) = xcalloc(nr, sizeof(*array));

	for (uint32_t i = 0; i < nr; i++) {
		struct instance *inst = &d->in->array[sorted[i]];

		if (!inst->out.record)
			instance__skip(inst, FUNC_INIT_TEXT);
		else if (traceable && !ftrace__can_patch(d->ftrace, inst->sym))
			instance__skip(inst, FUNC_NOT_TRACEABLE);
		array[i] = (struct namesake){ .inst = inst, .number = i,
					      .file = opts->by_file ? file_of(d, inst) : NULL };
	}
	name_by_file(d, array, nr);
}
