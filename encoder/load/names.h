/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of an image's functions, as a set: is a name that DWARF says worth
 * remembering?  Built once, shared by all threads.
 */
#ifndef ABTF_LOAD_NAMES_H
#define ABTF_LOAD_NAMES_H

#include "image/symbols.h"
#include "types/strings.h"

/**
 * struct names - hashes of the base names of all function symbols
 * @slots:	open addressing, 0 is free.  Two names of one hash do no harm:
 *		a function is then remembered in vain.
 */
struct names {
	uint64_t	*slots;
	uint32_t	nr_slots;
};

/** names__init() - Return: 0 or -ENOMEM. */
int names__init(struct names *n, const struct symbols *syms);

void names__destroy(struct names *n);

/** names__has() - is there a function symbol NAME or NAME.suffix? */
bool names__has(const struct names *n, const struct string *name);

#endif /* ABTF_LOAD_NAMES_H */
