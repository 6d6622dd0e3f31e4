/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Match FUNCs that were read from BTF with function symbols.
 *
 * Such a FUNC has a name, and perhaps a file and an address.  If these identify one
 * function, the FUNC is added as a body, as if DWARF had described it.  With addresses,
 * a FUNC that matches no function, or several, is omitted.
 */
#ifndef ABTF_FUNCTIONS_FUNCS_READ_H
#define ABTF_FUNCTIONS_FUNCS_READ_H

#include "functions/decide.h"

extern const struct outcome_text read_outcomes[NR_READ_OUTCOMES];

/**
 * funcs_read__join() - find the function of each FUNC
 * @observed:	gets a body for each that was found
 * @store:	gets the names of bodies
 * @files:	by unit: the file in its FUNCs' names, "" for none
 *
 * An address is used if a function symbol with that name, or with that name and a suffix,
 * is there, and is not in another file than in the FUNC's name.  If there is none at some
 * FUNC's address, this BTF is of another link of the image, where another function with the
 * same name may be at an address by chance: then no address of an ambiguous name is used.
 *
 * A name matches the functions with exactly that name or, if there are none, those with
 * that name and a suffix.  There must be one; or one of those with exactly that name in
 * the file that the FUNC's name contains.
 *
 * Return: 0, or a negative errno after a message.
 */
int funcs_read__join(struct funcs_read *funcs, const struct symbols *syms,
		     struct observed *observed, struct store *store, const char *const *files);

/**
 * funcs_read__finish() - find the result for each FUNC, once all functions are decided
 *
 * Without addresses, FUNCs that match no function become instances without a symbol, after
 * all others.
 */
void funcs_read__finish(struct decision *d);

#endif /* ABTF_FUNCTIONS_FUNCS_READ_H */
