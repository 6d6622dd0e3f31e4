// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/ftrace.h"
#include "inspect/tally.h"
#include "util/memory.h"

static int compare_rows(const void *x, const void *y)
{
	const struct tally_row *a = x, *b = y;

	return memcmp(a->name, b->name, a->len < b->len ? a->len : b->len) ?:
	       cmp_int(a->len, b->len) ?: cmp_int(a->inst, b->inst);
}

bool tally__same_name(const struct tally_row *a, const struct tally_row *b)
{
	return a->len == b->len && !memcmp(a->name, b->name, a->len);
}

/* Symbols with the same name and address are one function. */
static bool same_address(const struct tally_row *a, const struct tally_row *b)
{
	return a->inst->sym->section == b->inst->sym->section &&
	       a->inst->sym->address == b->inst->sym->address;
}

static void mark_shared(struct tally *t)
{
	uint32_t i, k, end;
	bool shared;

	for (i = 0; i < t->nr; i = end) {
		shared = false;
		for (end = i + 1; end < t->nr && tally__same_name(&t->rows[i], &t->rows[end]); end++)
			shared |= !same_address(&t->rows[i], &t->rows[end]);
		for (k = i; k < end; k++)
			t->rows[k].shared = shared;
	}
}

int tally__init(struct tally *t, const struct instances *in)
{
	*t = (struct tally){};
	t->rows = xcalloc(in->nr + 1UL, sizeof(*t->rows));
	if (!t->rows)
		return -ENOMEM;
	for (uint32_t i = 0; i < in->nr; i++) {
		const struct instance *inst = &in->array[i];

		if (!inst->sym || inst->reason == FUNC_FRAGMENT)
			continue;
		t->rows[t->nr++] = (struct tally_row){
			.inst = inst, .name = inst->sym->name,
			.len = func_sym__is_clone(inst->sym) ? strlen(inst->sym->name) :
			       inst->sym->base_len,
		};
	}
	qsort(t->rows, t->nr, sizeof(*t->rows), compare_rows);
	mark_shared(t);
	return 0;
}

void tally__destroy(struct tally *t)
{
	free(t->rows);
	*t = (struct tally){};
}

/**
 * struct numbers - what is counted
 * @untraceable: listed, but omitted by `abtf encode`
 */
struct numbers {
	uint32_t	listed, addressed, names, shared, shared_listed, untraceable;
};

static int count_rows(const struct tally *t, const struct encoding *e, struct numbers *n)
{
	struct code_table ftrace __cleanup(code_table__destroy);
	int err = ftrace__read(e->syms, NULL, &ftrace);

	for (uint32_t i = 0; i < t->nr && !err; i++) {
		const struct tally_row *row = &t->rows[i];
		bool listed = row->inst->reason == FUNC_ENCODED;

		n->listed += listed;
		n->addressed += listed && row->inst->in_core_text;
		n->shared += row->shared;
		n->shared_listed += row->shared && listed;
		n->names += row->shared && (!i || !tally__same_name(row - 1, row));
		n->untraceable += row->shared && listed && ftrace.known &&
				  !ftrace__can_patch(&ftrace, row->inst->sym);
	}
	return err;
}

static void print_reasons(const struct instances *in, FILE *f)
{
	const char *before = " (";

	for (enum func_reason r = FUNC_FRAGMENT + 1; r < NR_FUNC_REASONS; r++) {
		if (!in->by_reason[r])
			continue;
		fprintf(f, "%s%u %s", before, in->by_reason[r], func_reason__name(r));
		before = ", ";
	}
	if (*before == ',')
		fputc(')', f);
}

char *tally__text(const struct tally *t, const struct encoding *e)
{
	struct numbers n = {};
	char *text = NULL;
	size_t size;
	FILE *f;

	if (count_rows(t, e, &n))
		return NULL;
	f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	fprintf(f, "%u functions: %u listed, %u of them with an address; %u omitted", t->nr,
		n.listed, n.addressed, t->nr - n.listed);
	print_reasons(&e->instances, f);
	fprintf(f, ".\n%u functions share %u names: %u listed, %u omitted.", n.shared, n.names,
		n.shared_listed, n.shared - n.shared_listed);
	if (n.untraceable)
		fprintf(f, " abtf encode also omits %u of them, which ftrace cannot patch.",
			n.untraceable);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
