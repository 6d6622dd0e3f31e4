/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where functions are declared, from DWARF: for readers who look for the
 * source of an instance, not for the encoder.
 */
#ifndef ABTF_LOAD_DECL_H
#define ABTF_LOAD_DECL_H

#include "image/symbols.h"

/**
 * struct decl - one function that is looked for
 * @address:	its entry; with ET_REL the offset in the section
 * @section:	index of its section
 * @name:	its name, or that and a ".suffix"
 * @file:	DW_AT_decl_file as a path, relative to the unit's compilation
 *		directory where that is a prefix; malloc()ed, NULL if unknown
 * @line:	DW_AT_decl_line, 0 if unknown
 * @external:	DW_AT_external
 * @found:	some DIE has a body there; else the last three mean nothing
 */
struct decl {
	uint64_t	address;
	uint32_t	section;
	const char	*name;
	char		*file;
	uint32_t	line;
	bool		external;
	bool		found;
};

/**
 * decls__find() - look declarations up
 * @img:	an image; without .debug_info nothing is found
 * @decls:	@address, @section and @name say what; the rest is filled
 *
 * One pass over the DWARF, whatever the number.
 *
 * Return: 0, or a negative errno after a message if the DWARF is malformed.
 */
int decls__find(const struct image *img, const struct symbols *syms, struct decl *decls,
		size_t nr);

/** decls__release() - Free what decls__find() has filled, not the array itself. */
void decls__release(struct decl *decls, size_t nr);

#endif /* ABTF_LOAD_DECL_H */
