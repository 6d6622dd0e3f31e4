/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the files that declare functions, in line number tables of DWARF. */
#ifndef ABTF_INSPECT_DECL_H
#define ABTF_INSPECT_DECL_H

#include "encode.h"

/**
 * struct decl - a declaration to look up
 * @inst:	the function, or NULL
 * @file:	DW_AT_decl_file as a path, relative like the names of units; malloc()ed, NULL if
 *		unknown
 */
struct decl {
	const struct instance	*inst;
	char			*file;
};

/**
 * decls__find() - look up declarations
 * @dw:		the DWARF that the functions were read from
 * @decls:	with @inst; @file is NULL, and is filled
 *
 * Return: 0, or a negative errno after a message if the DWARF is malformed.
 */
int decls__find(const struct dwarf *dw, struct decl *decls, size_t nr);

/** decls__free() - Free an array from malloc(), and the members that decls__find() has set. */
void decls__free(struct decl *decls, size_t nr);

#endif /* ABTF_INSPECT_DECL_H */
