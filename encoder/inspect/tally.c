// SPDX-License-Identifier: GPL-2.0-only
#include "image/code_table.h"
#include "inspect/tally.h"
#include "util/memory.h"

char *tally__text(const struct encoding *e)
{
	uint32_t listed = 0, addressed = 0, names = 0, shared = 0, shared_listed = 0;
	const struct instances *in = &e->instances;
	const struct symbol *last = NULL;
	uint32_t untraceable = 0;
	char *text = NULL;
	bool first = true;

	for_each(at, &in->sorted) {
		const struct instance *inst = &in->array[*at];
		bool is_listed = inst->reason == FUNC_ENCODED;

		listed += is_listed;
		addressed += is_listed && inst->in_core_text;
		shared += inst->shared;
		shared_listed += inst->shared && is_listed;
		names += inst->shared && (!last || symbol__compare_names(last, inst->sym));
		untraceable += inst->shared && is_listed && e->ftrace.known &&
			       !ftrace__can_patch(&e->ftrace, inst->sym);
		last = inst->sym;
	}
	xappend(&text, "%u functions: %u listed, %u of them with an address; %u omitted",
		in->sorted.nr, listed, addressed, in->sorted.nr - listed);
	for (enum func_reason r = FUNC_FRAGMENT + 1; r < NR_FUNC_REASONS; r++) {
		if (!in->by_reason[r])
			continue;
		xappend(&text, "%s%u %s", first ? " (" : ", ", in->by_reason[r],
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
