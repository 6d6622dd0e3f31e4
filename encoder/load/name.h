/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a record says a name: by NAME_OFFSET and the offset in .debug_str, by
 * NAME_BRIEF and up to three characters, the first one lowest, or by string id;
 * 0 for none.
 *
 * A full link leaves one copy of every string in .debug_str, so that the offset
 * says as much as the string; only the few that become part of the store are ever
 * looked up.  Should a string have two copies after all, two nodes come of it, and
 * types/unify.h folds them.
 */
#ifndef ABTF_LOAD_NAME_H
#define ABTF_LOAD_NAME_H

#include "load/load.h"
#include "util/grow.h"

#define NAME_OFFSET	(1U << 31)
#define NAME_BRIEF	(1U << 30)

/** name__hash() - Return: what a name counts as in hashes. */
static inline uint64_t name__hash(const struct loader *l, uint32_t name)
{
	/* ids are rare, and no name is a name */
	return likely(name - 1 >= NAME_BRIEF - 1) ? name * HASH_K0 :
	       l->store.strings.array[name].hash;
}

/**
 * name__settle() - a record is complete but for its items: does it go by its name?
 *
 * A reference to a named struct, union or enum counts as that name.
 *
 * Return: 0 or -ENOMEM.
 */
static inline int name__settle(struct loader *l, uint32_t i)
{
	struct records *r = &l->records;
	struct rec *rec = &r->recs[i];

	if (!rec->name || !kind__is_tagged(rec->kind))
		return 0;
	if (grow(&r->named, &r->cap_named, (uint64_t)r->nr_named + 1, sizeof(*r->named)))
		return -ENOMEM;
	r->named[r->nr_named++] = i;
	/* a declaration "enum e" does not say whether its values need 64 bits */
	rec->key = hash__new(rec->kind == BTF_KIND_ENUM64 ? BTF_KIND_ENUM : rec->kind);
	hash__add(&rec->key, name__hash(l, rec->name), 0);
	rec->state = REC_NAMED;
	return 0;
}

#endif /* ABTF_LOAD_NAME_H */
