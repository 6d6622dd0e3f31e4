/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call frame information (DWARF 5, 6.4): the canonical frame address (CFA) at an instruction.
 *
 * It is read from .debug_frame, or from .eh_frame if the image does not have that section.  Only
 * rules that consist of a register and an offset are understood.
 */
#ifndef ABTF_DWARF_FRAME_H
#define ABTF_DWARF_FRAME_H

#include "dwarf/unit.h"

struct frames;

/**
 * frames__open() - read the ranges of all functions
 *
 * Return: the result, which the caller closes; without functions if the section is missing or
 * malformed.  Prints no message.
 */
struct frames *frames__open(const struct dwarf *dw);

void frames__close(struct frames *f);

/**
 * struct cfa - the canonical frame address at an instruction
 * @reg:	DWARF number of a register; its contents before the instruction plus @offset are
 *		the address
 * @deepest:	the largest offset from the register that the function has it relative to on entry,
 *		anywhere in the function
 */
struct cfa {
	uint32_t	reg;
	uint64_t	offset;
	uint64_t	deepest;
};

/**
 * frames__find_cfa() - find the canonical frame address
 * @address:	of the instruction, as DWARF has it
 *
 * Return: false if it is not known.
 */
bool frames__find_cfa(const struct frames *f, uint64_t address, struct cfa *ret);

#endif /* ABTF_DWARF_FRAME_H */
