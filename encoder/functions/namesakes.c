// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "functions/decision.h"
#include "functions/namesakes.h"

/* @base: symbols that are no clones by their base names; else all by their whole names. */
static bool has_name_of(const struct func_sym *sym, const struct func_sym *first, bool base)
{
	return base ? same_base(sym, first) : !strcmp(sym->name, first->name);
}

/* Symbols of one name are neighbours in both orders, in the order of places. */
static void count_places(uint32_t *nr_places, const struct symbols *syms, bool base)
{
	const uint32_t *index = base ? syms->by_base : syms->by_name;
	uint32_t i, k, end;

	for (i = 0; i < syms->nr_funcs; i = end) {
		const struct func_sym *first = &syms->funcs[index[i]], *last = NULL;
		uint32_t places = 0;

		for (end = i; end < syms->nr_funcs; end++) {
			const struct func_sym *sym = &syms->funcs[index[end]];

			if (end > i && !has_name_of(sym, first, base))
				break;
			if (base && func_sym__is_clone(sym))
				continue;
			places += !same_place(last, sym);
			last = sym;
		}
		for (k = i; k < end; k++)
			if (!base || !func_sym__is_clone(&syms->funcs[index[k]]))
				nr_places[index[k]] = places;
	}
}

uint32_t *namesakes__count(const struct symbols *syms)
{
	uint32_t *places = calloc(syms->nr_funcs + 1UL, sizeof(*places));

	if (!places)
		return NULL;
	count_places(places, syms, false);
	count_places(places, syms, true);
	return places;
}
