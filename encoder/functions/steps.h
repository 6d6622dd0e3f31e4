/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of instances__decide(), and what they share. */
#ifndef ABTF_FUNCTIONS_STEPS_H
#define ABTF_FUNCTIONS_STEPS_H

#include "functions/decide.h"

static inline bool same_place(const struct symbol *a, const struct symbol *b)
{
	return a && !cmp_place(a, b);
}

/* The string id of a symbol's stem, 0 if neither DWARF nor BTF has this name. */
static inline uint32_t stem_string(const struct decision *d, const struct symbol *sym)
{
	uint32_t id = strings__find(&d->store->strings, sym->name, sym->stem_len);

	return id < d->nr_strings ? id : 0;
}

/**
 * decision__mentions() - find the mentions of a name
 * @declared:	return the declarations, not the other mentions
 *
 * Return: the first one, sorted by unit, and in @nr their number.
 */
static inline const struct func_mention *decision__mentions(const struct decision *d, uint32_t name,
							    bool declared, uint32_t *nr)
{
	const struct func_mention *m = d->seen->mentions.array;
	uint32_t end = d->seen->mentions.nr;
	uint32_t first = first_not_before(i, end, m[i].facts.name != name ?
					  m[i].facts.name < name : m[i].declared < declared);

	for (*nr = 0; first + *nr < end && m[first + *nr].facts.name == name &&
	     m[first + *nr].declared == declared; ++*nr)
		;
	return m + first;
}

/* Skip a function, unless it is skipped already: the first reason is kept. */
static inline void instance__skip(struct instance *in, enum func_reason reason)
{
	if (in->reason == FUNC_ENCODED)
		in->reason = reason;
}

/** decision__as_pahole() - Apply the rules of pahole 1.32. */
void decision__as_pahole(struct decision *d);

/**
 * decision__sort() - sort instances by name, then by place, and find those that share a name
 *
 * Fills @in->sorted.
 */
void decision__sort(struct decision *d);

/**
 * decision__name() - name FUNCs with addresses
 *
 * With @files, a function that shares its name with others of the image
 * becomes NAME@FILE.  Several of one file become NAME@FILE#1, #2 and so on, sorted by
 * address, whether they are all encoded or not, so that FUNC names are unique.  Functions
 * that share a name are skipped if they have no record or, without @untraceable, if ftrace
 * cannot patch them: no program could attach there.
 */
void decision__name(struct decision *d);

#endif /* ABTF_FUNCTIONS_STEPS_H */
