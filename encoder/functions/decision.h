/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the rules for functions share: decide.c has those of a FUNC with an address,
 * as_pahole.c those of one without.
 */
#ifndef ABTF_FUNCTIONS_DECISION_H
#define ABTF_FUNCTIONS_DECISION_H

#include <string.h>

#include "functions/decide.h"
#include "util/search.h"

/**
 * struct decision - what instances__decide() works with
 * @mentions:	indexes into the mentions, by (name, unit); those that are only
 *		declared come last in each name
 * @first_mention: by string id: place in @mentions, + 1
 * @nr_strings:	how many there were before names were made up: room by string id
 * @has_body:	by string id: the code of some symbol is a body of that name
 */
struct decision {
	struct instances	*in;
	const struct symbols	*syms;
	struct observed		*seen;
	struct store		*store;
	const struct func_options *opts;
	uint32_t		nr_strings;
	uint32_t		*mentions;
	uint32_t		*first_mention;
	bool			*has_body;
};

static inline bool same_place(const struct func_sym *a, const struct func_sym *b)
{
	return a && a->section == b->section && a->address == b->address;
}

/** instances__of() - Return: a symbol's instance; duplicate symbols share the first one's. */
static inline struct instance *instances__of(const struct instances *in, const struct func_sym *sym)
{
	uint32_t i = first_not_before(at, in->nr, in->array[at].sym <= sym);

	return i ? &in->array[i - 1] : NULL;
}

static inline bool same_base(const struct func_sym *a, const struct func_sym *b)
{
	return a->base_len == b->base_len && !memcmp(a->name, b->name, a->base_len);
}

/* The string id of a symbol's base name in the store, 0 if nothing ever says it. */
static inline uint32_t base_string(const struct decision *d, const struct func_sym *sym)
{
	uint32_t id = strings__find(&d->store->strings, sym->name, sym->base_len);

	return id < d->nr_strings ? id : 0;
}

/**
 * decision__mentions() - the mentions of a name
 * @declared:	those that are only declarations, or those that are not
 *
 * Return: the first one's place in @d->mentions, and in @nr their number.
 */
static inline uint32_t decision__mentions(const struct decision *d, uint32_t name,
					  bool declared, uint32_t *nr)
{
	uint32_t i = d->first_mention[name] - 1;

	*nr = 0;
	if (!d->first_mention[name])
		return 0;
	for (; d->mentions[i] != UINT32_MAX; i++) {
		const struct func_mention *m = &d->seen->mentions[d->mentions[i]];

		if (m->name != name || m->declared > declared)
			break;
		*nr += m->declared == declared;
	}
	return i - *nr;
}

/** decision__as_pahole() - Judge all instances as pahole 1.32 does. Return: 0 or -ENOMEM. */
int decision__as_pahole(struct decision *d);

#endif /* ABTF_FUNCTIONS_DECISION_H */
