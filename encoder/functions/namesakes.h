/* SPDX-License-Identifier: GPL-2.0-only */
/* How many places of an image have a function symbol of one name. */
#ifndef ABTF_FUNCTIONS_NAMESAKES_H
#define ABTF_FUNCTIONS_NAMESAKES_H

#include "image/symbols.h"

/**
 * namesakes__count() - count them for every function symbol
 *
 * The name is the one that the symbol's FUNC gets: a clone's is its own, while foo and
 * foo.llvm.123 have one in common.
 *
 * Return: by index in @syms->funcs, malloc()ed; NULL without memory.
 */
uint32_t *namesakes__count(const struct symbols *syms);

#endif /* ABTF_FUNCTIONS_NAMESAKES_H */
