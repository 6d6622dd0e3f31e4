/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compare the prototypes of FUNCs with the DWARF at their addresses.
 *
 * Gets the FUNCs and the symbols of their code; reads DWARF with libdw.
 */
#ifndef JUDGE_DWARF_H
#define JUDGE_DWARF_H

#include "../compare/raw.h"
#include "symbols.h"

/**
 * enum verdict - result of comparing a FUNC with DWARF
 * @SILENT:	DWARF does not describe code there
 * @AGREES:	DWARF does not contradict the FUNC
 * @CONTRADICTS: DWARF contradicts the FUNC
 */
enum verdict {
	SILENT,
	AGREES,
	CONTRADICTS,
};

/**
 * struct func - a FUNC whose code has a symbol
 * @id:		BTF id
 * @sym:	the symbol with its name if there is one at the address, otherwise another one
 * @verdict:	the outcome
 * @reason:	a sentence if DWARF contradicts
 * @by_name:	a DIE with the FUNC's name was checked; others no longer matter
 * @in_assembly: the unit of an assembler describes it
 * @unit:	of a static name without a body: offset of the unit that has the code, in
 *		.debug_info; otherwise 0
 */
struct func {
	uint32_t		id;
	const struct symbol	*sym;
	enum verdict		verdict;
	char			*reason;
	bool			by_name;
	bool			in_assembly;
	uint64_t		unit;
};

/**
 * check_prototypes() - find a verdict for each FUNC
 * @funcs:	sorted by (section, address) of their symbols, then by name
 * @verbose:	print a line for each function that is missing
 *
 * DWARF contradicts a prototype
 * - whose parameters or return type differ from the source;
 * - of an ordinary function, if a parameter arrives in the register of another one;
 * - of a clone (a suffix, or DW_CC_nocall), unless each parameter of the source is where the
 *   ABI puts it among the remaining ones, or a constant that the prototype omits; and unless
 *   a function that may no longer return anything (.isra, nocall) returns void;
 * - of empty code;
 * - of a static function without a body, unless the unit of the code there has a function
 *   with the name, too;
 * - of a function in assembly, unless the C units that declare it agree.
 *
 * Functions and clones of C units are missing if their prototype is proven, a symbol has
 * their own name, and BTF has no FUNC at its address.
 *
 * Return: the number of missing functions.  Ends the program if DWARF cannot be read.
 */
uint32_t check_prototypes(const struct image *img, const struct btf *btf, struct func *funcs,
			  uint32_t nr, bool verbose);

#endif /* JUDGE_DWARF_H */
