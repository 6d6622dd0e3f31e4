// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions/decision.h"
#include "functions/names.h"
#include "util/grow.h"

/* KSYM_NAME_LEN: the kernel takes no longer name, its end included */
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

/* What stands behind the '@' has to be seen, and to end where the name ends. */
static bool file_is_valid(const char *file)
{
	const char *p = file;

	for (; isgraph((unsigned char)*p) && p - file < MAX_NAME; p++)
		;
	return !*p;
}

/**
 * struct namesake - an instance of a name that several functions bear
 * @file:	of its unit, NULL if that is not known
 * @number:	its place in the group, which is in the order of addresses
 */
struct namesake {
	struct instance	*inst;
	const char	*file;
	uint32_t	number;
};

/* The functions of one name. */
struct group {
	struct namesake	*array;
	uint32_t	nr, cap;
	uint32_t	places;
};

/*
 * @files: by unit, NULL without func_unit
 * @ftrace: NULL if it does not matter whether functions can be traced
 */
struct naming {
	struct instances	*in;
	char *const		*files;
	const struct code_table *ftrace;
	struct group		group;
};

static void skip_instance(struct instance *inst, enum func_reason reason)
{
	if (inst->reason == FUNC_ENCODED)
		inst->reason = reason;
}

static int compare_files(const void *x, const void *y)
{
	const struct namesake *a = x, *b = y;
	int diff = a->file && b->file ? strcmp(a->file, b->file) : !a->file - !b->file;

	return diff ?: a->number < b->number ? -1 : a->number > b->number;
}

static bool same_file(const struct namesake *a, const struct namesake *b)
{
	return a->file && b->file && !strcmp(a->file, b->file);
}

/* @number: among those of its file, 0 for the only one. */
static int give_name(struct instances *in, const struct namesake *n, uint32_t number)
{
	struct instance *inst = n->inst;
	char *name;
	int len;

	if (inst->reason != FUNC_ENCODED)
		return 0;
	if (number)
		len = asprintf(&name, "%s@%s#%u", inst->name, n->file, number);
	else
		len = asprintf(&name, "%s@%s", inst->name, n->file);
	if (len < 0)
		return -ENOMEM;
	if (len >= MAX_NAME || grow(&in->made, &in->cap_made, (uint64_t)in->nr_made + 1,
				    sizeof(*in->made))) {
		free(name);
		skip_instance(inst, FUNC_NAME);
		return len >= MAX_NAME ? 0 : -ENOMEM;
	}
	in->made[in->nr_made++] = name;
	inst->name = name;
	return 0;
}

/* The file of a unit, if it can stand in a name; else what needs one is skipped. */
static const char *file_of(struct naming *n, struct instance *inst)
{
	const char *file = inst->unit == NO_UNIT ? "" : n->files[inst->unit];

	if (!*file)
		skip_instance(inst, FUNC_NO_FILE);
	else if (!file_is_valid(file))
		skip_instance(inst, FUNC_NAME);
	else
		return file;
	return NULL;
}

static int name_by_file(struct naming *n)
{
	struct group *g = &n->group;
	bool numbered = false;
	uint32_t i, number = 0;
	int err = 0;

	for (i = 0; i < g->nr; i++)
		g->array[i].file = file_of(n, g->array[i].inst);
	qsort(g->array, g->nr, sizeof(*g->array), compare_files);
	for (i = 1; i < g->nr; i++)
		numbered |= same_file(&g->array[i - 1], &g->array[i]);
	for (i = 0; !err && i < g->nr && g->array[i].file; i++) {
		const struct namesake *s = &g->array[i];
		bool first = !i || !same_file(s - 1, s);

		number = first ? 1 : number + 1;
		/* a file may be called as one with a number behind it is */
		if (numbered && strchr(s->file, '#'))
			skip_instance(s->inst, FUNC_NAME);
		else if (first && (i + 1 == g->nr || !same_file(s, s + 1)))
			err = give_name(n->in, s, 0);
		else
			err = give_name(n->in, s, number);
	}
	return err;
}

/* A unique function keeps the bare name. */
static int end_group(struct naming *n)
{
	struct group *g = &n->group;
	uint32_t i;
	int err = 0;

	for (i = 0; g->places > 1 && i < g->nr; i++) {
		struct instance *inst = g->array[i].inst;

		if (!inst->in_core_text)
			skip_instance(inst, FUNC_INIT_TEXT);
		else if (n->ftrace && !ftrace__can_patch(n->ftrace, inst->sym))
			skip_instance(inst, FUNC_NOT_TRACEABLE);
	}
	if (g->places > 1 && n->files)
		err = name_by_file(n);
	g->nr = g->places = 0;
	return err;
}

static int add_to_group(struct group *g, struct instance *inst)
{
	const struct instance *last = g->nr ? g->array[g->nr - 1].inst : NULL;

	if (grow(&g->array, &g->cap, (uint64_t)g->nr + 1, sizeof(*g->array)))
		return -ENOMEM;
	g->array[g->nr] = (struct namesake){ .inst = inst, .number = g->nr };
	g->nr++;
	if (last && last->sym->section == inst->sym->section &&
	    last->sym->address == inst->sym->address)
		return 0;
	g->places++;
	return 0;
}

/*
 * The name that a function has in the source, of which a clone is none: foo.llvm.123
 * is foo, and foo.isra.0 is foo.isra.0.
 */
static size_t own_name_len(const struct func_sym *sym)
{
	return func_sym__is_clone(sym) ? strlen(sym->name) : sym->base_len;
}

static int compare_own_names(const struct func_sym *a, const struct func_sym *b)
{
	size_t la = own_name_len(a), lb = own_name_len(b);

	return memcmp(a->name, b->name, la < lb ? la : lb) ?: (la > lb) - (la < lb);
}

static int name_groups(struct naming *n)
{
	const struct instances *in = n->in;
	const struct func_sym *last = NULL;
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < in->nr_encoded; i++) {
		struct instance *inst = &in->array[in->order[i]];

		if (last && compare_own_names(last, inst->sym))
			err = end_group(n);
		last = inst->sym;
		err = err ?: add_to_group(&n->group, inst);
	}
	return err ?: end_group(n);
}

static int compare_instances(const void *x, const void *y, void *arg)
{
	const struct instance *array = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return compare_own_names(array[a].sym, array[b].sym) ?: a < b ? -1 : a > b;
}

/* All that are functions of their own, by name and then by place. */
static int put_in_order(struct instances *in, const struct symbols *syms)
{
	uint32_t *of_sym = calloc(syms->nr_funcs + 1UL, sizeof(*of_sym)), i, end, start;

	in->order = calloc(in->nr + 1UL, sizeof(*in->order));
	if (!in->order || !of_sym) {
		free(of_sym);
		return -ENOMEM;
	}
	for (i = 0; i < in->nr; i++)
		if (in->array[i].reason != FUNC_FRAGMENT)
			of_sym[in->array[i].sym - syms->funcs] = i + 1;
	/* symbols of one base name are neighbours, and few */
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
	free(of_sym);
	return 0;
}

static void drop_skipped(struct instances *in)
{
	uint32_t i, nr = 0;

	for (i = 0; i < in->nr; i++)
		in->by_reason[in->array[i].reason]++;
	for (i = 0; i < in->nr_encoded; i++)
		if (in->array[in->order[i]].reason == FUNC_ENCODED)
			in->order[nr++] = in->order[i];
	in->nr_encoded = nr;
}

int instances__name(struct instances *in, const struct symbols *syms, char *const *files,
		    const struct code_table *ftrace, const struct func_options *opts)
{
	struct naming n = {
		.in = in, .files = opts->files ? files : NULL,
		.ftrace = opts->files && !opts->untraceable && ftrace->known ? ftrace : NULL,
	};
	int err;

	err = put_in_order(in, syms);
	if (!err && opts->address)
		err = name_groups(&n);
	drop_skipped(in);
	free(n.group.array);
	return err;
}
