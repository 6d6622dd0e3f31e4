/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Suggest: names and files that a user may have meant, for "did you mean".
 *
 * Compares an unknown name with the names of all functions, by spelling, and returns
 * the closest ones.  Takes about 10 ms for a kernel, and only after an error.
 */
#ifndef ABTF_INSPECT_SUGGEST_H
#define ABTF_INSPECT_SUGGEST_H

#include "inspect/funcs.h"

#define MAX_SUGGESTIONS	3

/**
 * struct suggestions - the closest functions, best first
 * @all:	one for each name if only the name was misspelt
 * @distance:	how many characters are wrong in all of them
 */
struct suggestions {
	const struct func	*all[MAX_SUGGESTIONS];
	uint32_t		nr;
	uint32_t		distance;
};

/**
 * suggest_names() - find functions whose names look like one that is not there
 * @file:	only functions whose file ends in this; NULL for any
 *
 * A clone (NAME.isra.0) is as close as a single wrong character.
 */
void suggest_names(const struct funcs *funcs, const char *name, const char *file,
		   struct suggestions *ret);

/** suggest_files() - Find those of @nr functions with the same name whose file looks like @file. */
void suggest_files(const struct func *first, uint32_t nr, const char *file,
		   struct suggestions *ret);

/** path__ends_in() - Is @file the end of @path, from a '/' on, or all of it? */
bool path__ends_in(const char *path, const char *file);

#endif /* ABTF_INSPECT_SUGGEST_H */
