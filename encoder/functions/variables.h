/* SPDX-License-Identifier: GPL-2.0-only */
/* Decide which variables are encoded: those in per-CPU data, or all of them. */
#ifndef ABTF_FUNCTIONS_VARIABLES_H
#define ABTF_FUNCTIONS_VARIABLES_H

#include "btf/write.h"
#include "functions/decide.h"
#include "image/image.h"
#include "load/observe.h"

enum var_reason {
	VAR_ENCODED,
	VAR_LOCATION,		/* it is in pieces, or its location is not understood */
	VAR_NO_SECTION,		/* no section with data contains its address */
	VAR_NO_NAME,		/* it has a wrong DW_AT_specification */
	VAR_GENERATED,		/* __UNIQUE_ID_x and the like */
	VAR_NAME,		/* BTF cannot represent its name */
	VAR_SIZE,		/* 0, or too big */
	VAR_TYPE,		/* BTF cannot represent its type, or there is none */
	VAR_DISCARDED,		/* the linker has discarded it */
	VAR_HIDDEN,		/* the symbols have another object there */
	VAR_OVERLAP,		/* another variable is there */
	NR_VAR_REASONS,
};

extern const struct outcome_text var_reasons[NR_VAR_REASONS];

/**
 * struct decided_var - a variable in DWARF, and the decision about it
 * @out:	what is written; if @reason, only its name and, if known, its section
 * @desc:	desc__id() of its description, for its tags
 * @symbol_fit: how it fits a symbol at its place, see variables.c
 */
struct decided_var {
	struct out_var	out;
	uint64_t	address;
	uint64_t	desc;
	uint32_t	unit;
	enum var_reason	reason;
	uint8_t		symbol_fit;
};

/** struct decided_vars - all of them; those that are encoded are sorted by (section, offset) */
struct decided_vars {
	VECTOR(struct decided_var);
	uint32_t	by_reason[NR_VAR_REASONS];
};

/**
 * variables__decide() - decide about all variables
 * @syms:	with the objects of all sections that have variables
 * @files:	by unit: its path in the source tree
 * @force:	omit variables with an invalid name; otherwise, it is an error
 *
 * A variable belongs to the symbol with its address, size and name.  If symbols have another object
 * there, it is omitted: DWARF describes data that the linker has discarded, or merged.
 *
 * Return: 0, or a negative errno after a message.
 */
int variables__decide(struct decided_vars *ret, const struct symbols *syms,
		      const struct observed *observed, const struct store *store,
		      char *const *files, bool force);

void decided_vars__destroy(struct decided_vars *vars);

#endif /* ABTF_FUNCTIONS_VARIABLES_H */
