/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the two checks of a body's parameters: signature.c proves them,
 * signature_pahole.c checks them like pahole.
 */
#ifndef ABTF_LOAD_SIGNATURE_H
#define ABTF_LOAD_SIGNATURE_H

#include "load/load.h"

/** pahole__nr_registers() - Return: number of argument registers that pahole assumes. */
unsigned int pahole__nr_registers(uint16_t machine);

/** loader__judge_as_pahole() - Return: DOUBT_* of a body according to pahole 1.32. */
uint16_t loader__judge_as_pahole(struct loader *l, const struct func_rec *func);

#endif /* ABTF_LOAD_SIGNATURE_H */
