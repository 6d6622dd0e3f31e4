/* SPDX-License-Identifier: GPL-2.0-only */
/* Decide which variables are encoded: those in per-CPU data, or all of them. */
#ifndef ABTF_FUNCTIONS_VARIABLES_H
#define ABTF_FUNCTIONS_VARIABLES_H

#include "btf/write.h"
#include "image/image.h"
#include "load/observe.h"

/**
 * variables__decide() - fill @out->vars
 * @force:	omit variables with an invalid name; otherwise, it is an error
 *
 * Omits variables whose section or size is unknown, that overlap an earlier one, that are
 * at the start of a section by accident (discarded ones have address 0), or that the build
 * generates (__UNIQUE_ID_x and the like).
 *
 * Return: 0, or a negative errno after a message.
 */
int variables__decide(struct btf_out *out, const struct symbols *syms,
		      const struct observed *observed, const struct store *store, bool force);

#endif /* ABTF_FUNCTIONS_VARIABLES_H */
