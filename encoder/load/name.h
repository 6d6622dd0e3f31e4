/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names in records: NAME_OFFSET and the offset in .debug_str, NAME_BRIEF and up to
 * three characters, the first one lowest, or a string id; 0 is no name.
 *
 * In a linked image, .debug_str has one copy of each string, so the offset identifies
 * the string.  Only the few strings that become part of the store are looked up.  If a
 * string has two copies nevertheless, there are two nodes, and types/unify.h folds
 * them.
 */
#ifndef ABTF_LOAD_NAME_H
#define ABTF_LOAD_NAME_H

#include "load/load.h"
#include "util/grow.h"

#define NAME_OFFSET	(1U << 31)
#define NAME_BRIEF	(1U << 30)

/** name__hash() - Return: the hash of a name. */
static inline uint64_t name__hash(const struct loader *l, uint32_t name)
{
	/* ids are rare, and 0 is hashed like a name */
	return likely(name - 1 >= NAME_BRIEF - 1) ? name * HASH_K0 :
	       l->store.strings.array[name].hash;
}

/**
 * name__settle() - set the key of a record that is identified by its name
 *
 * Called once the record is complete except for its items.  A reference to a named
 * struct, union or enum is hashed as kind and name.
 *
 * Return: 0 or -ENOMEM.
 */
static inline int name__settle(struct loader *l, uint32_t i)
{
	struct records *r = &l->records;
	struct rec *rec = &r->recs.array[i];

	if (!rec->name || !kind__is_tagged(rec->kind))
		return 0;
	if (push(&r->named, i))
		return -ENOMEM;
	rec->key = hash__new(kind__of_name(rec->kind));
	hash__add(&rec->key, name__hash(l, rec->name), 0);
	rec->state = REC_NAMED;
	return 0;
}

#endif /* ABTF_LOAD_NAME_H */
