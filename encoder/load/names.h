/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions, as a set: is a name that DWARF says worth remembering?
 * Built once, shared by all threads.
 */
#ifndef ABTF_LOAD_NAMES_H
#define ABTF_LOAD_NAMES_H

#include "image/symbols.h"
#include "types/strings.h"

/**
 * struct names - hashes of names, 32 bits of each
 *
 * Two names of one hash do no harm: a function is then remembered in vain.
 */
struct names {
	struct hash_table	by_hash;
};

/** names__init() - The base names of all function symbols. Return: 0 or -ENOMEM. */
int names__init(struct names *n, const struct symbols *syms);

void names__destroy(struct names *n);

/** names__add() - Add one to an empty set or another. Return: 0 or -ENOMEM. */
int names__add(struct names *n, const struct string *name);

/** names__has() - is this name among them? */
bool names__has(const struct names *n, const struct string *name);

#endif /* ABTF_LOAD_NAMES_H */
