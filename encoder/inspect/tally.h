/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_INSPECT_TALLY_H
#define ABTF_INSPECT_TALLY_H

#include "encode.h"

/**
 * tally__text() - count the functions of an image, and those that share a name
 * @e:		after encode__load()
 *
 * Return: two sentences, one per line; malloc()ed.
 */
char *tally__text(const struct encoding *e);

#endif /* ABTF_INSPECT_TALLY_H */
