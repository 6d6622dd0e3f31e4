/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selectors: arguments that select functions.
 *
 *	NAME		every body of the source function NAME, also clones (NAME.isra.0)
 *	NAME.isra.0	the body with that symbol, or the part (NAME.part.0)
 *	NAME@FILE	the one in that file, or those whose file ends in "/FILE"
 *	NAME@/FILE	the one in that file: no other whose path ends so
 *	NAME@FILE:LINE	the one that is declared there, as the list on a terminal names it
 *	NAME@FILE+0x10	a place in it, for a probe
 *
 * For a function with a unique name, FILE may also be the file that declares it.
 *
 * NAME and FILE may be patterns with *, ? and [...], which match a '/', too.
 *
 * A selection consists of the functions that match any of several selectors.
 */
#ifndef ABTF_INSPECT_SELECTOR_H
#define ABTF_INSPECT_SELECTOR_H

#include "inspect/function_map.h"

/**
 * struct selector - a parsed selector
 * @text:	as the user wrote it
 * @name:	NAME; allocated, and @file points into it
 * @file:	FILE without a '/' at the start, or NULL
 * @line:	of the declaration, 0: any
 * @into:	offset in the function; @has_place: an offset was given
 * @whole:	FILE is a whole path
 * @nr_matches:	number of functions that it matches: selection__find() sets it, and each time that
 *		selection__fits() finds one (such as a call), it adds one
 * @name_glob:	NAME is a pattern; @file_glob: FILE is
 */
struct selector {
	const char	*text;
	char		*name;
	char		*file;
	uint32_t	line;
	uint64_t	into;
	bool		has_place;
	uint32_t	nr_matches;
	bool		whole;
	bool		name_glob;
	bool		file_glob;
};

/** struct chosen - a function that was selected, and the place in it */
struct chosen {
	const struct function	*func;
	uint64_t		into;
};

/**
 * struct selection - selectors, and the functions that match
 * @funcs:	the functions that match, sorted like the map, each once
 */
struct selection {
	VECTOR(struct selector);
	VECTOR(struct chosen)	funcs;
};

/**
 * selection__parse() - parse selectors
 * @texts:	@nr of them, which must outlive the selection
 *
 * Return: 0, or -EINVAL after a message.  Must be destroyed in both cases.
 */
int selection__parse(struct selection *s, char **texts, uint32_t nr);

void selection__destroy(struct selection *s);

/**
 * selection__find() - find the functions that match
 * @all:	without selectors: choose all functions, and not only those that share a name;
 *		also choose parts of functions
 *
 * If the file of a function is exactly FILE, other files do not match.
 *
 * Return: 0, or -ESRCH after a message for each selector without a match, with
 * suggestions.
 */
int selection__find(struct selection *s, const struct function_map *map, bool all);

/**
 * selection__check_unique() - test that each NAME@FILE matches functions in a single file
 *
 * Return: 0, or -EINVAL after a message that lists the functions.
 */
int selection__check_unique(const struct selection *s, const struct function_map *map);

/**
 * selection__check_places() - test that each place is in its function
 *
 * Return: 0, or -EINVAL after a message.
 */
int selection__check_places(const struct selection *s, const struct function_map *map);

/** selector__names() - Test whether a selector may match functions with that name. */
bool selector__names(const struct selector *sel, const char *name);

/**
 * selector__fits() - Test whether a selector matches a function in @file (NULL: unknown)
 *
 * LINE is not compared.  It adds nothing for the callers, which have a name and the unit: C has
 * no two functions with one name in a file.
 */
bool selector__fits(const struct selector *sel, const char *file);

/**
 * selector__names_source() - Test whether a selector may match functions with that name, or is
 *	the name of a clone: names in DWARF have no suffix
 */
bool selector__names_source(const struct selector *sel, const char *name);

/** selection__names_source() - The same, for any selector of @selection. */
bool selection__names_source(const char *name, const void *selection);

/** selection__fits() - Test whether a selector matches NAME in @file, and count the matches. */
bool selection__fits(struct selection *s, const char *name, const char *file);

#endif /* ABTF_INSPECT_SELECTOR_H */
