/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `abtf check`: check BTF with addresses against the symbol table of its image.
 *
 * Prototypes are not checked: selftests/judge does that.  The reader has already rejected
 * malformed BTF.
 */
#ifndef ABTF_INSPECT_VERIFY_H
#define ABTF_INSPECT_VERIFY_H

#include <jansson.h>
#include <stdio.h>

#include "inspect/funcs.h"

/**
 * struct verify_counts - statistics
 * @records:	FUNCs with an address
 * @symbols:	places where function symbols start, without fragments
 * @unencoded:	places without a FUNC
 * @violations:	lines printed
 */
struct verify_counts {
	uint32_t	records;
	uint32_t	symbols;
	uint32_t	unencoded;
	uint64_t	violations;
};

/**
 * verify_image() - check all rules of the format
 * @insts:	instances of the BTF
 * @subject:	its name in messages (a path)
 * @img:	the image
 * @detached:	the BTF is not the image's own .BTF
 * @f:		gets a line for each violation
 * @found:	NULL; or an array that gets an object for each violation instead
 *
 * - a record points to the start of a function symbol with the FUNC's name; the
 *   symbol may also have ThinLTO's suffix (.llvm. and digits), and the FUNC's name
 *   may continue with '@'; the symbol is not a fragment, and ends within its section
 * - every FUNC with a symbol has a record, except in init and exit text, where
 *   FUNCs have no records
 * - FUNC names are unique; a bare name means that only one function symbol has the
 *   name, and NAME@FILE, which has a record, that several do
 * - if no FUNC names a file, FUNCs with the same name are sorted by address, and
 *   their addresses differ
 *
 * In a relocatable file, a record is an offset into a section, and an entry in
 * .rela.BTF identifies the section.  There is exactly one entry per record: 64-bit
 * absolute, with addend 0, against the function's symbol.  Addresses are sorted by
 * (section, offset).  Detached BTF has no relocations: a function NAME only has to
 * start at that offset in any section.
 *
 * Plain BTF promises none of this: it is checked only if its FUNCs name files,
 * because such BTF once had addresses.
 *
 * Return: 0, or a negative errno after a message if the image cannot be used;
 * violations are no error.
 */
int verify_image(const struct funcs *insts, const char *subject, const struct image *img,
		 bool detached, FILE *f, json_t *found, struct verify_counts *counts);

#endif /* ABTF_INSPECT_VERIFY_H */
