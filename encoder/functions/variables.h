/* SPDX-License-Identifier: GPL-2.0-only */
/* Which variables are encoded: those in per-CPU data, or all of them. */
#ifndef ABTF_FUNCTIONS_VARIABLES_H
#define ABTF_FUNCTIONS_VARIABLES_H

#include "btf/write.h"
#include "load/observe.h"
#include "image/image.h"

/**
 * struct variables - what the writer needs
 * @vars:	in the order of (section, offset)
 * @origins:	by entry of @vars: unit << 32 | DIE, for tags
 * @sections:	their sections' names
 */
struct variables {
	struct out_var	*vars;
	uint64_t	*origins;
	uint32_t	nr;
	const char	**sections;
	uint32_t	nr_sections;
};

/**
 * variables__decide() - join variables with sections
 * @force:	an invalid name is left out; without it, it is an error
 *
 * Left out are variables whose section or size is unknown, that overlap an
 * earlier one, that stand at the start of a section by accident (the
 * addresses of discarded ones are 0), and what the build makes for itself
 * (__UNIQUE_ID_x and the like).
 *
 * Return: 0, or a negative errno after a message.
 */
int variables__decide(struct variables *ret, const struct symbols *syms,
		      const struct observed *observed, const struct store *store, bool force);

void variables__destroy(struct variables *v);

#endif /* ABTF_FUNCTIONS_VARIABLES_H */
