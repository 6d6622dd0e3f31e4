/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Count the functions of an image, and those that share a name, for `abtf list` and the
 * page of `abtf report`.
 */
#ifndef ABTF_INSPECT_TALLY_H
#define ABTF_INSPECT_TALLY_H

#include "encode.h"

/**
 * struct tally_row - a function symbol that is not a fragment
 * @name:	name of the symbol without the suffix of ThinLTO, @len characters
 * @shared:	that of @inst
 */
struct tally_row {
	const struct instance	*inst;
	const char		*name;
	size_t			len;
	bool			shared;
};

/** struct tally - the functions, sorted by name and address */
struct tally {
	struct tally_row	*rows;
	uint32_t		nr;
};

/** tally__init() - Collect the functions. */
void tally__init(struct tally *t, const struct instances *in);

void tally__destroy(struct tally *t);

/** tally__same_name() - compare the names of two rows */
bool tally__same_name(const struct tally_row *a, const struct tally_row *b);

/**
 * tally__text() - describe the numbers in two sentences, one per line
 * @e:		after encode__load()
 *
 * Return: malloc()ed text, or NULL after a message.
 */
char *tally__text(const struct tally *t, const struct encoding *e);

#endif /* ABTF_INSPECT_TALLY_H */
