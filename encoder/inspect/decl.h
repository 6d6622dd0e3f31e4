/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where functions are declared, from DWARF: for readers who look for the
 * source of an instance.
 *
 * The encoder's own reading of the image, without the writing: what finds a
 * function's prototype finds its declaration, too.
 */
#ifndef ABTF_INSPECT_DECL_H
#define ABTF_INSPECT_DECL_H

#include "image/image.h"

struct encoding;

/**
 * struct decl - one function that is looked for
 * @address:	its entry
 * @name:	its name, @name_len characters, or that and a ".suffix"
 * @file:	DW_AT_decl_file as a path, relative like the names of units;
 *		malloc()ed, NULL if unknown
 * @line:	DW_AT_decl_line, 0 if unknown
 */
struct decl {
	uint64_t	address;
	const char	*name;
	uint32_t	name_len;
	char		*file;
	uint32_t	line;
};

/**
 * decls__find() - look declarations up
 * @img:	a linked image; without .debug_info nothing is found
 * @read:	its DWARF, if it was read before; else NULL
 * @decls:	@address and @name identify the function; @file and @line are zero, and are filled
 * @left_out:	gets the numbers of functions that are listed and omitted, see
 *		tally__text(); malloc()ed, NULL without DWARF
 *
 * One reading of the DWARF by all cores, whatever the number.
 *
 * Return: 0, or a negative errno after a message if the DWARF is malformed.
 */
int decls__find(const struct image *img, const struct encoding *read, struct decl *decls,
		size_t nr, char **left_out);

/** decls__release() - Free what decls__find() has filled, not the array itself. */
void decls__release(struct decl *decls, size_t nr);

#endif /* ABTF_INSPECT_DECL_H */
