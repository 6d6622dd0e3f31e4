/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FUNCs that were read from BTF, joined with the function symbols.
 *
 * Such a FUNC says a name, and perhaps a file and an address.  Where these mean
 * one function, it is handed on as what DWARF would say of it: as a body, for
 * functions/decide.h to judge.  A FUNC that means none, or could mean several,
 * is left out where FUNCs have addresses.
 */
#ifndef ABTF_FUNCTIONS_JOIN_H
#define ABTF_FUNCTIONS_JOIN_H

#include "functions/decide.h"
#include "load/funcs_read.h"

/** func_fate__name() - Return: a fate's name in reports, "ambiguous_address". */
const char *func_fate__name(enum func_fate fate);

/** func_fate__text() - Return: a fate in words. */
const char *func_fate__text(enum func_fate fate);

/**
 * funcs_read__join() - find the function of each FUNC
 * @observed:	gets a body for each that was found
 * @store:	gets the names of bodies
 * @units:	files by number; [0] is that of none
 *
 * An address counts if a function symbol of that name, or of that name and a
 * suffix, is there, and not in a file where the FUNC's name says another.  If
 * one that should be is not, this BTF is of another link of the image, where
 * another function of the same name may by chance be where one was: then no address
 * of an ambiguous name counts.
 *
 * By its name a FUNC means the functions of exactly that name, or if there are
 * none, those of that name and a suffix.  It has to be one; or one of those of
 * exactly that name in the file that its name says.
 *
 * Return: 0 or -ENOMEM.
 */
int funcs_read__join(struct funcs_read *funcs, const struct symbols *syms,
		     struct observed *observed, struct store *store, const char **units);

/**
 * funcs_read__settle() - once the instances are decided, what became of FUNCs?
 *
 * Those that are kept become instances without a symbol, behind all others.  What the instances that nothing describes
 * have for a reason is put in the words of BTF.
 *
 * Return: 0 or -ENOMEM.
 */
int funcs_read__settle(struct funcs_read *funcs, const struct symbols *syms,
		       const struct store *store, const struct func_options *opts,
		       struct instances *in);

#endif /* ABTF_FUNCTIONS_JOIN_H */
