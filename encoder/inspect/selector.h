/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selectors: how a user names functions, on the command line.
 *
 *	NAME		every function with that name
 *	NAME@FILE	the one in that file, or those whose file ends in "/FILE"
 *	NAME@/FILE	the one in that file: no other whose path ends so
 *	NAME@FILE+0x10	a place in it, for a probe
 *
 * A function that shares its name with none has no file: FILE is where it is declared.
 *
 * NAME and FILE may be patterns with *, ? and [...], which match a '/', too.
 *
 * A selection is several of them: given functions, it hands on those that any of its
 * selectors matches.
 */
#ifndef ABTF_INSPECT_SELECTOR_H
#define ABTF_INSPECT_SELECTOR_H

#include "inspect/funcs.h"
#include "util/grow.h"

/**
 * struct selector - one
 * @text:	as the user wrote it
 * @name:	NAME; allocated, and @file points into it
 * @file:	FILE without the '/' in front, or NULL
 * @into:	bytes from the start of the function; @has_place: they were given
 * @whole:	FILE is a whole path
 * @nr_meant:	the number of functions that it means, after selection__find()
 * @name_glob:	NAME is a pattern; @file_glob: FILE is
 */
struct selector {
	const char	*text;
	char		*name;
	char		*file;
	uint64_t	into;
	bool		has_place;
	uint32_t	nr_meant;
	bool		whole;
	bool		name_glob;
	bool		file_glob;
};

/** struct chosen - a function that was selected, and the place in it */
struct chosen {
	const struct func	*func;
	uint64_t		into;
};

/**
 * struct selection - selectors, and what they mean
 * @funcs:	what they mean, by id and place, each once
 */
struct selection {
	struct selector		*all;
	uint32_t		nr;
	VECTOR(struct chosen)	funcs;
};

/**
 * selection__parse() - read selectors
 * @texts:	@nr of them, which have to outlive the selection
 *
 * Return: 0, or -EINVAL after a message.  To be destroyed also after an error.
 */
int selection__parse(struct selection *s, char **texts, uint32_t nr);

void selection__destroy(struct selection *s);

/**
 * selection__find() - find the functions
 * @subject:	what is searched, for messages
 *
 * If a file is called exactly FILE, no other one is meant.
 *
 * Return: 0, or -ENOENT after a message for each selector that means none, with what may
 * have been meant.
 */
int selection__find(struct selection *s, const struct funcs *funcs, const char *subject);

/** selection__needs_declared() - Does it mean functions without a file by their FILE? */
bool selection__needs_declared(const struct selection *s, const struct funcs *funcs);

/**
 * selection__check_unique() - test that each NAME@FILE means a single function
 *
 * Return: 0, or -EINVAL after a message that lists what it may mean.
 */
int selection__check_unique(const struct selection *s, const struct funcs *funcs,
			    const char *subject);

/**
 * selection__check_places() - test that no place is past the start of the next function
 * @funcs:	those of a linked image
 *
 * Return: 0, or -EINVAL after a message.
 */
int selection__check_places(const struct selection *s, const struct funcs *funcs,
			    const char *subject);

/** selector__names() - Does it mean functions with that name? */
bool selector__names(const struct selector *sel, const char *name);

/** selector__fits() - Does it mean a function with that name in @file (NULL: unknown)? */
bool selector__fits(const struct selector *sel, const char *file);

/** selection__names() - As selector__names(), for any of them; @selection is one. */
bool selection__names(const char *name, const void *selection);

/** selection__fits() - Does any of them mean a function with that name in @file? */
bool selection__fits(const struct selection *s, const char *name, const char *file);

#endif /* ABTF_INSPECT_SELECTOR_H */
