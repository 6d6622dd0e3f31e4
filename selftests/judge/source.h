/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function in the source, found from the DWARF of its code: parameters, return type, and
 * the location of each parameter on entry in DWARF.
 */
#ifndef JUDGE_SOURCE_H
#define JUDGE_SOURCE_H

#include "arrival.h"

/* More parameters than any function of a kernel has. */
#define MAX_PARAMS	64

/**
 * struct param - a parameter of the source
 * @die:	as it was declared
 * @place:	where it is on entry
 * @kept:	the prototype in question has it
 */
struct param {
	Dwarf_Die	die;
	Dwarf_Die	type;
	const char	*name;
	struct place	place;
	bool		kept;
};

/**
 * struct source - a function in the source, and properties of its code
 * @body:	the code
 * @result:	the entry with the return type
 * @is_clone:	callers may not pass all arguments
 * @may_drop_result: the function may not return anything
 * @result_unknown: it is not known whether the function returns anything
 * @is_foreign: the calling convention is not C's
 * @dots:	"..." follows the parameters
 */
struct source {
	struct body	body;
	Dwarf_Die	result;
	const char	*name;
	struct param	params[MAX_PARAMS];
	unsigned int	nr;
	bool		is_clone;
	bool		may_drop_result;
	bool		result_unknown;
	bool		is_foreign;
	bool		dots;
};

/**
 * body__read() - read the code of a subprogram
 *
 * The first of several ranges has the entry.
 *
 * Return: false if the function has no body because it is declared or abstract.
 */
bool body__read(Dwarf_Die *die, struct body *body);

/**
 * source__read() - follow a subprogram's origin
 * @die:	has code
 * @body:	that code
 * @abi:	may be NULL
 *
 * @is_clone and @may_drop_result are set for DW_CC_nocall; other cases are determined by symbols.
 * Names point into the DWARF.
 *
 * Return: false if there are more parameters than any function has.
 */
bool source__read(struct source *src, Dwarf_Die *die, const struct body *body,
		  const struct abi *abi);

/** source__is_foreign() - Return: true if DWARF records another calling convention than C's. */
bool source__is_foreign(Dwarf_Die *die);

#endif /* JUDGE_SOURCE_H */
