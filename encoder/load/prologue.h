/* SPDX-License-Identifier: GPL-2.0-only */
/* Recognize instructions that a compiler inserts at the start of a function. */
#ifndef ABTF_LOAD_PROLOGUE_H
#define ABTF_LOAD_PROLOGUE_H

#include "load/unit.h"

/**
 * prologue__is_idle() - test for code that does not change registers
 * @from, @to:	addresses, as in DWARF
 *
 * True for landing pads (endbr64, bti), the space that ftrace patches, and other
 * instructions without an effect.  clang describes parameters only after these.
 *
 * Return: true, or false if there is other code, or the image does not contain the code.
 */
bool prologue__is_idle(const struct dwarf *dw, uint64_t from, uint64_t to);

#endif /* ABTF_LOAD_PROLOGUE_H */
