/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read the location of a parameter, to find the argument when the function is entered.
 *
 * This only collects facts; load/signature.c checks them.  There are two kinds: pahole
 * uses the first location of a list, and a proof uses the location that is valid
 * at the function's first instruction.
 */
#ifndef ABTF_LOAD_PARAMS_H
#define ABTF_LOAD_PARAMS_H

#include "dwarf/unit.h"

enum param_flags {
	PARAM_LOCATION	= 1 << 0,	/* it has a DW_AT_location */
	PARAM_VALUE	= 1 << 1,	/* it has a DW_AT_const_value */
	PARAM_CONSTANT	= 1 << 2,	/* its first location is a constant */
	PARAM_STACK	= 1 << 3,	/* its first location is in the frame */
	/* results of load/signature.c */
	PARAM_OPTIMIZED	= 1 << 4,	/* it has no location, according to pahole */
	PARAM_MISPLACED	= 1 << 5,	/* it is in another register */
	PARAM_MEMBER	= 1 << 6,	/* only a member of it is passed */
};

enum param_entry {
	ENTRY_UNKNOWN,			/* not valid on entry, or a computed value */
	ENTRY_LATE,			/* not valid on entry, but later */
	ENTRY_REGISTER,			/* a whole register, @entry_register */
	ENTRY_COMPUTED,			/* a value computed from @entry_register */
	ENTRY_CONSTANT,			/* not an argument, but a value that all callers pass */
	ENTRY_PIECES,			/* in pieces, of which @pieces have a location */
	ENTRY_CALLER,			/* in the caller's frame; gcc only */
	ENTRY_FRAME,			/* in the function's own frame; gcc only */
	ENTRY_MEMORY,			/* in memory to which @entry_register points, or 0xff: memory */
	ENTRY_OTHER,			/* in other memory, or of another function */
};

/**
 * struct param_facts - facts about one parameter
 * @flags:	PARAM_*
 * @at_entry:	enum param_entry: where it is when the function is entered
 * @entry_register: DWARF number; for pieces, of the first piece (on x86-64, a general one),
 *		0xff if it is not in one
 * @seen:	DWARF number + 1 of the register that pahole assumes if its type
 *		fits into a register, 0 for none
 * @seen_large:	the same for a larger type
 * @pieces:	bytes of the first and second word at which pieces start
 */
struct param_facts {
	uint8_t	flags;
	uint8_t	at_entry;
	uint8_t	entry_register;
	uint8_t	seen;
	uint8_t	seen_large;
	uint8_t	pieces[2];
};

/* Which facts are needed; location lists are only read as far as necessary. */
enum param_reader {
	READER_PROOF,			/* @at_entry, and @pieces of larger types */
	READER_PAHOLE,			/* @seen and @seen_large */
	READER_PAHOLE_TRUE,		/* and @pieces */
};

/**
 * param__facts() - read one parameter's DIE
 * @entry:	address of the body's first instruction, UINT64_MAX if unknown
 */
struct param_facts param__facts(const struct dwarf *dw, const struct unit *u,
				const struct die *die, uint64_t entry,
				enum param_reader reader);

/**
 * code__is_idle() - test for code that does not change registers
 * @from, @to:	addresses, as in DWARF
 *
 * True for landing pads (endbr64, bti), the space that ftrace patches, and other
 * instructions without an effect.  clang describes parameters only after these.
 *
 * Return: true, or false if there is other code, or the image does not contain the code.
 */
bool code__is_idle(const struct dwarf *dw, uint64_t from, uint64_t to);

#endif /* ABTF_LOAD_PARAMS_H */
