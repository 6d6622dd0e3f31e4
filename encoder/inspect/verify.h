/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `abtf check`: check BTF with addresses against the symbol table of its image.
 *
 * Prototypes are not checked: selftests/judge does that.  Neither is well-formedness, because
 * the reader rejects malformed BTF.
 */
#ifndef ABTF_INSPECT_VERIFY_H
#define ABTF_INSPECT_VERIFY_H

#include <stdio.h>

#include "inspect/funcs.h"

/**
 * struct verify_counts - what was looked at
 * @funcs:	FUNCs
 * @records:	those with an address
 * @with_file:	those called NAME@FILE
 * @symbols:	places where a function symbol starts that is no fragment's
 * @unencoded:	those where no FUNC is
 * @violations:	lines printed
 */
struct verify_counts {
	uint32_t	funcs;
	uint32_t	records;
	uint32_t	with_file;
	uint32_t	symbols;
	uint32_t	unencoded;
	uint64_t	violations;
};

/**
 * verify_image() - check every promise of the format
 * @insts:	instances of the BTF
 * @subject:	what lines call it (a path)
 * @img:	the image
 * @detached:	the BTF is not the image's own .BTF
 * @f:		where each violation goes, as one line
 *
 * - a record is the start of a function symbol of just that name, which may have
 *   ThinLTO's suffix (.llvm. and digits), while the FUNC's may go on from an '@';
 *   the symbol is no fragment, and within its section
 * - every FUNC that has a symbol has a record, except in init and exit text, where
 *   none has
 * - no two FUNCs have one name; a bare one is that of the only function symbol of
 *   that name, and NAME@FILE, which has a record, is one of several
 * - where no FUNC says a file, namesakes are in the order of their addresses, no
 *   two of which are the same
 *
 * In a relocatable file a record is an offset in a section, which its entry in
 * .rela.BTF names: one for each record and none beside, 64-bit absolute, with
 * addend 0, against the function's symbol; the order of addresses
 * is that of (section, offset).  Detached BTF has no relocations: of it
 * only is asked that a function NAME starts at that offset of some section.
 *
 * Plain BTF promises none of this: it is checked only if its FUNCs say files,
 * for then it once had addresses.
 *
 * Return: 0, or a negative errno after a message if the image cannot be used;
 * violations are no error.
 */
int verify_image(const struct funcs *insts, const char *subject, const struct image *img,
		 bool detached, FILE *f, struct verify_counts *counts);

#endif /* ABTF_INSPECT_VERIFY_H */
