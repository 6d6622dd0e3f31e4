/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the source lines of instructions with a line number program (DWARF 5, 6.2.5, and the same
 * in DWARF 2 to 4).
 */
#ifndef ABTF_DWARF_LINES_H
#define ABTF_DWARF_LINES_H

#include "dwarf/files.h"

/**
 * struct line_place - an instruction
 * @address:	an address in it
 * @file:	number of the file; unchanged if the program does not have the address
 * @line:	there, 0 if the instruction has no line
 */
struct line_place {
	uint64_t	address;
	uint64_t	file;
	uint32_t	line;
};

/**
 * lines__find() - find the lines of several instructions of a unit
 * @files:	of the unit
 * @places:	@nr of them, sorted by address
 *
 * The program is run once.  If it is malformed, the lines after the error are not found.
 */
void lines__find(const struct files *files, struct line_place *places, uint32_t nr);

#endif /* ABTF_DWARF_LINES_H */
