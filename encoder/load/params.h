/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the location of a parameter says: where the argument is when the function
 * is entered.
 *
 * Facts only; load/signature.c judges them.  Two readers want two kinds of them:
 * pahole goes by what a list of locations begins with, and a proof by what holds
 * at the function's first instruction.
 */
#ifndef ABTF_LOAD_PARAMS_H
#define ABTF_LOAD_PARAMS_H

#include "load/unit.h"

enum param_flags {
	PARAM_LOCATION	= 1 << 0,	/* it has a DW_AT_location */
	PARAM_VALUE	= 1 << 1,	/* it has a DW_AT_const_value */
	PARAM_CONSTANT	= 1 << 2,	/* its first location is a constant */
	PARAM_STACK	= 1 << 3,	/* its first location is in the frame */
	/* what load/signature.c made of it */
	PARAM_OPTIMIZED	= 1 << 4,	/* it has no place, in pahole's words */
	PARAM_MISPLACED	= 1 << 5,	/* it is in another register */
	PARAM_MEMBER	= 1 << 6,	/* only a member of it is passed */
};

enum param_entry {
	ENTRY_UNKNOWN,			/* nothing that holds on entry, or what is computed */
	ENTRY_REGISTER,			/* a whole register, @entry_register */
	ENTRY_COMPUTED,			/* a value computed of what is in @entry_register */
	ENTRY_CONSTANT,			/* no argument, but one value for all callers */
	ENTRY_PIECES,			/* in pieces: of @pieces it is said where they are */
	ENTRY_OTHER,			/* in memory, of another function */
};

/**
 * struct param_facts - of one parameter
 * @flags:	PARAM_*
 * @entry:	enum param_entry
 * @entry_register: DWARF number
 * @seen:	DWARF number + 1 of the register that pahole takes it to be in if
 *		its type fits into one, 0 for none
 * @seen_large:	the same for a larger type
 * @pieces:	bytes of the first and second word that pieces begin at
 */
struct param_facts {
	uint8_t	flags;
	uint8_t	entry;
	uint8_t	entry_register;
	uint8_t	seen;
	uint8_t	seen_large;
	uint8_t	pieces[2];
};

/* Whose facts are wanted; a list of locations is read no further than that takes. */
enum param_reader {
	READER_PROOF,			/* @entry, and @pieces of what is larger */
	READER_PAHOLE,			/* @seen and @seen_large */
	READER_PAHOLE_TRUE,		/* and @pieces */
};

/**
 * param__facts() - read one parameter's DIE
 * @entry:	address of the body's first instruction, UINT64_MAX if that is unknown
 */
struct param_facts param__facts(const struct dwarf *dw, const struct unit *u,
				const struct die *die, uint64_t entry,
				enum param_reader reader);

/** params__nr_registers() - Return: how many arguments a machine passes in registers. */
unsigned int params__nr_registers(uint16_t machine);

/** params__register() - Return: DWARF number of the @index-th of them, or -1 if unknown. */
int params__register(uint16_t machine, unsigned int index);

#endif /* ABTF_LOAD_PARAMS_H */
