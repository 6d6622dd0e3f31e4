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

/* What became of a FUNC; the sums match. */
enum func_fate {
	FATE_ENCODED,		/* it is the FUNC of a function symbol */
	FATE_MERGED,		/* another FUNC is, of the same function */
	FATE_SKIPPED,		/* the function is skipped, and its instance says why */
	FATE_AMBIGUOUS,		/* left out: several functions have its name */
	FATE_NO_SYMBOL,		/* left out: no function has its name */
	FATE_AS_IS,		/* no function has its name, and there are to be no addresses */
	FATE_UNNAMED,		/* left out: no one function, and a parameter has no name */
	FATE_EXTERN,		/* left out: declared only */
	NR_FUNC_FATES,
};

/** func_fate__name() - Return: a fate's name in reports, "ambiguous_address". */
const char *func_fate__name(enum func_fate fate);

/** func_fate__text() - Return: a fate in words. */
const char *func_fate__text(enum func_fate fate);

/**
 * struct func_read - one FUNC
 * @name:	string id
 * @proto:	node id
 * @id:		number, counted from 1 in the order of reading
 * @unit:	number of the file that its name says, 0 for none
 * @linkage:	BTF_FUNC_*
 * @unnamed:	a parameter has no name
 * @has_place:	it says an address:
 * @section:	in a relocatable file, the section that a relocation names
 * @address:	as symbols have it
 * @fate:	what becomes of it
 * @sym:	the symbol that it was joined with, or NULL
 */
struct func_read {
	uint32_t		name;
	uint32_t		proto;
	uint32_t		id;
	uint32_t		unit;
	uint32_t		section;
	uint64_t		address;
	uint8_t			linkage;
	bool			unnamed;
	bool			has_place;
	enum func_fate		fate;
	const struct func_sym	*sym;
};

/**
 * struct funcs_read - all of them
 * @array:	in the order of @id
 * @by_fate:	how many there are of each
 * @moved:	FUNCs whose address was that of no function of their name
 */
struct funcs_read {
	struct func_read	*array;
	uint32_t		nr, cap;
	uint32_t		by_fate[NR_FUNC_FATES];
	uint32_t		moved;
};

/** store__part() - Return: the id of a part of a string, as one of its own; or -ENOMEM. */
int64_t store__part(struct store *store, const char *s, size_t len);

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

void funcs_read__destroy(struct funcs_read *funcs);

#endif /* ABTF_FUNCTIONS_JOIN_H */
