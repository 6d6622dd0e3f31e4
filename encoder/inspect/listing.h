/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `abtf list` shows: instances with everything a user chooses them by.
 *
 * Given an input; joins its instances with
 * declarations from its DWARF and prototypes in C, and prints the outcome.
 */
#ifndef ABTF_INSPECT_LISTING_H
#define ABTF_INSPECT_LISTING_H

#include <stdio.h>

#include "inspect/input.h"
#include "inspect/selector.h"

/**
 * struct listing_row - one instance
 * @into:	bytes from its start to the place that was selected
 * @decl_file:	where it is declared, or NULL
 * @decl_line:	1-based, 0 if unknown
 * @prototype:	in C
 * @verdict:	whether the kernel accepts a kprobe there
 *
 * The strings are its own, and fit for a terminal.
 */
struct listing_row {
	const struct func	*inst;
	uint64_t		into;
	char			*decl_file;
	uint32_t		decl_line;
	char			*prototype;
	enum kprobe_verdict	verdict;
};

/**
 * struct listing - the rows, sorted by id
 * @has_ids:	the ids come from BTF in a file, not from BTF generated in memory
 * @has_verdicts: there was an image, or what is kept of one
 * @left_out:	how many functions of the image are listed and omitted, as text; NULL if
 *		unknown
 */
struct listing {
	struct listing_row	*rows;
	uint32_t		nr;
	bool			has_ids;
	bool			has_verdicts;
	char			*left_out;
};

/**
 * listing__new() - collect rows
 * @in:		must outlive the listing
 * @sel:	what to show; NULL for all names
 * @all:	without @sel: also those that share their name with none
 *
 * Return: 0, or a negative errno after a message.  To be freed also after an error.
 */
int listing__new(const struct input *in, const struct selection *sel, bool all,
		 struct listing **ret);

void listing__free(struct listing *list);

/**
 * listing__print() - print it for people
 * @columns:	width of the terminal, 0 if @f is not a terminal
 *
 * A table of one line per instance, if that fits; on a narrower terminal
 * instances stand below the prototype they share.
 */
void listing__print(const struct listing *list, FILE *f, unsigned int columns);

/** listing__print_json() - Print an array of objects. */
void listing__print_json(const struct listing *list, FILE *f);

#endif /* ABTF_INSPECT_LISTING_H */
