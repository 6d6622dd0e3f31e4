/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `abtf check --dwarf` asks: does DWARF contradict the prototype of a FUNC?
 *
 * Given the functions that BTF has at symbols of the image; reads the DWARF with
 * libdw, and by rules of its own.  Neither the loaders nor what decides about
 * functions have a part in it, for they are what it judges.
 */
#ifndef ABTF_INSPECT_DWARF_H
#define ABTF_INSPECT_DWARF_H

#include <stdio.h>

#include "btf/read.h"
#include "image/symbols.h"

/**
 * enum dwarf_verdict - what DWARF says of a FUNC
 * @DWARF_SILENT: it describes no body there
 * @DWARF_AGREES: nothing contradicts
 * @DWARF_CONTRADICTS: something does
 */
enum dwarf_verdict {
	DWARF_SILENT,
	DWARF_AGREES,
	DWARF_CONTRADICTS,
};

/**
 * struct dwarf_func - a FUNC that has a symbol
 * @id:		BTF id
 * @sym:	the symbol it is of: of its name if there is one at the address
 * @verdict:	the outcome
 * @reason:	a sentence if DWARF contradicts; malloc()ed
 * @by_name:	for the judge: an entry of the FUNC's name was heard, others do
 *		not count any more
 * @in_assembler: for the judge: an assembler's unit describes it
 * @unit:	for the judge: of a static name without a body, where the code's unit is in
 *		.debug_info; 0 otherwise
 */
struct dwarf_func {
	uint32_t		id;
	const struct func_sym	*sym;
	enum dwarf_verdict	verdict;
	char			*reason;
	bool			by_name;
	bool			in_assembler;
	uint64_t		unit;
};

/**
 * struct dwarf_missing - functions that could be encoded
 * @list:	where each of them goes, as one line, or NULL
 * @subject:	what lines begin with
 * @nr:		their number
 */
struct dwarf_missing {
	FILE		*list;
	const char	*subject;
	uint32_t	nr;
};

/**
 * dwarf_judge() - hear the DWARF of an image
 * @funcs:	ordered by (section, address) of their symbols
 * @missing:	what is provable as much as those that BTF has, but is not there
 *
 * Contradicted is a prototype
 * - whose parameters or return type are not those of the source;
 * - of an ordinary function, if a parameter arrives in another one's register;
 * - of a clone (a suffix, or DW_CC_nocall), unless each parameter of the source
 *   is where the ABI puts it among those that are left, or a constant that the
 *   prototype lacks; and unless what .isra or nocall may return no longer is void;
 * - of code that is empty;
 * - of a static function without a body, unless the unit of the code there has one of
 *   the name, too;
 * - of a function in assembler, unless the C units that declare it agree.
 *
 * Missing are functions and clones of C units with such proof at a symbol of
 * their own name, at whose address BTF has no FUNC at all.
 *
 * Return: 0, or a negative errno after a message if the DWARF cannot be read.
 */
int dwarf_judge(const struct image *img, const struct symbols *syms, const struct btf_data *btf,
		struct dwarf_func *funcs, uint32_t nr, struct dwarf_missing *missing);

#endif /* ABTF_INSPECT_DWARF_H */
