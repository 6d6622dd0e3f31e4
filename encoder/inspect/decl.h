/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the declarations of functions in DWARF.
 *
 * Loads the image like the encoder, which finds a function's declaration along with its
 * prototype.
 */
#ifndef ABTF_INSPECT_DECL_H
#define ABTF_INSPECT_DECL_H

#include "image/image.h"

struct encoding;

/**
 * struct decl - a function to look up
 * @address:	its entry
 * @name:	its name, @name_len characters, optionally followed by a ".suffix" in the
 *		image
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
 * decls__find() - look up declarations
 * @img:	a linked image; without .debug_info nothing is found
 * @read:	its DWARF, if it was read before, otherwise NULL
 * @decls:	@address and @name identify the function; @file and @line are zero, and are filled
 * @left_out:	set to the numbers of listed and omitted functions, see tally__text();
 *		malloc()ed, NULL without DWARF
 *
 * Reads the DWARF once, with all cores.
 *
 * Return: 0, or a negative errno after a message if the DWARF is malformed.
 */
int decls__find(const struct image *img, const struct encoding *read, struct decl *decls,
		size_t nr, char **left_out);

/** decls__release() - Free the members that decls__find() has set, but not the array. */
void decls__release(struct decl *decls, size_t nr);

#endif /* ABTF_INSPECT_DECL_H */
