/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The output of `abtf list`: instances, with their declarations and prototypes.
 *
 * Combines the instances of an input with declarations from its DWARF and prototypes in C.
 */
#ifndef ABTF_INSPECT_LISTING_H
#define ABTF_INSPECT_LISTING_H

#include <stdio.h>

#include "inspect/input.h"
#include "inspect/selector.h"

/**
 * struct listing_row - one instance
 * @into:	offset of the selected place in the function
 * @decl_file:	where it is declared, or NULL
 * @decl_line:	1-based, 0 if unknown
 * @prototype:	in C
 * @verdict:	whether the kernel accepts a kprobe at that place
 *
 * The row owns the strings, which have no control characters.
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
 * @has_verdicts: there was an image, or its cache entry
 * @left_out:	the numbers of listed and omitted functions, as text; NULL if unknown
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
 * @sel:	the instances to show; NULL for all names
 * @all:	without @sel: include instances with unique names
 *
 * Return: 0, or a negative errno after a message.  Must be freed in both cases.
 */
int listing__new(const struct input *in, const struct selection *sel, bool all,
		 struct listing **ret);

void listing__free(struct listing *list);

/**
 * listing__print() - print an array of objects, or a table for people
 * @width:	of the terminal, 0 if @f is not a terminal
 *
 * The table has one line per instance, if it fits; on a narrower terminal, instances are
 * grouped below the prototype that they share.
 */
void listing__print(const struct listing *list, bool json, unsigned int width, FILE *f);

#endif /* ABTF_INSPECT_LISTING_H */
