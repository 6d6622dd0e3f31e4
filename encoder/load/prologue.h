/* SPDX-License-Identifier: GPL-2.0-only */
/* What a compiler puts in front of a function's first own instruction. */
#ifndef ABTF_LOAD_PROLOGUE_H
#define ABTF_LOAD_PROLOGUE_H

#include "load/unit.h"

/**
 * prologue__is_idle() - is there nothing but what leaves all registers alone?
 * @from, @to:	addresses, as in DWARF
 *
 * That is landing pads (endbr64, bti), the space that ftrace patches, and other
 * instructions that do nothing.  clang describes parameters from behind them on only.
 *
 * Return: true if so; false if not, or if the image does not have the code.
 */
bool prologue__is_idle(const struct dwarf *dw, uint64_t from, uint64_t to);

#endif /* ABTF_LOAD_PROLOGUE_H */
