/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of names of functions, to find out which functions in DWARF to remember.  Built
 * once, and shared by all threads.
 */
#ifndef ABTF_LOAD_NAMES_H
#define ABTF_LOAD_NAMES_H

#include "image/symbols.h"
#include "types/strings.h"

/**
 * struct names - hashes of names, 32 bits of each
 *
 * If two names have the same hash, a function is remembered that is not needed.
 */
struct names {
	struct hash_table	by_hash;
};

/** names__init() - Add the base names of all function symbols. Return: 0 or -ENOMEM. */
int names__init(struct names *n, const struct symbols *syms);

void names__destroy(struct names *n);

/** names__add() - Add a name to a set, which may be zeroed. Return: 0 or -ENOMEM. */
int names__add(struct names *n, const struct string *name);

/** names__has() - test whether a name is in the set */
bool names__has(const struct names *n, const struct string *name);

#endif /* ABTF_LOAD_NAMES_H */
