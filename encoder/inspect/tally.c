// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "image/code_table.h"
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

void tally__init(struct tally *t, const struct instances *in)
{
	*t = (struct tally){};
	t->rows = xcalloc(in->nr, sizeof(*t->rows));
	for (uint32_t i = 0; i < in->nr; i++) {
		const struct instance *inst = &in->array[i];

		if (!inst->sym || inst->reason == FUNC_FRAGMENT)
			continue;
		t->rows[t->nr++] = (struct tally_row){
			.inst = inst, .name = inst->sym->name,
			.len = symbol__is_clone(inst->sym) ? strlen(inst->sym->name) :
			       inst->sym->base_len,
			.shared = inst->shared,
		};
	}
	qsort(t->rows, t->nr, sizeof(*t->rows), compare_rows);
}

void tally__destroy(struct tally *t)
{
	free(t->rows);
	*t = (struct tally){};
}

char *tally__text(const struct tally *t, const struct encoding *e)
{
	uint32_t listed = 0, addressed = 0, names = 0, shared = 0, shared_listed = 0;
	struct code_table ftrace __cleanup(code_table__destroy);
	uint32_t untraceable = 0;
	char *text = NULL;
	bool first = true;

	if (ftrace__read(e->syms, NULL, &ftrace))
		return NULL;
	for (uint32_t i = 0; i < t->nr; i++) {
		const struct tally_row *row = &t->rows[i];
		bool is_listed = row->inst->reason == FUNC_ENCODED;

		listed += is_listed;
		addressed += is_listed && row->inst->in_core_text;
		shared += row->shared;
		shared_listed += row->shared && is_listed;
		names += row->shared && (!i || !tally__same_name(row - 1, row));
		untraceable += row->shared && is_listed && ftrace.known &&
			       !ftrace__can_patch(&ftrace, row->inst->sym);
	}
	xappend(&text, "%u functions: %u listed, %u of them with an address; %u omitted", t->nr,
		listed, addressed, t->nr - listed);
	for (enum func_reason r = FUNC_FRAGMENT + 1; r < NR_FUNC_REASONS; r++) {
		if (!e->instances.by_reason[r])
			continue;
		xappend(&text, "%s%u %s", first ? " (" : ", ", e->instances.by_reason[r],
			func_reasons[r].name);
		first = false;
	}
	xappend(&text, "%s.\n%u functions share %u names: %u listed, %u omitted.",
		first ? "" : ")", shared, names, shared_listed, shared - shared_listed);
	if (untraceable)
		xappend(&text, " abtf encode also omits %u of them, which ftrace cannot patch.",
			untraceable);
	return text;
}
