/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the two ways of judging a body's parameters share: signature.c goes by proof,
 * signature_pahole.c as pahole does.
 */
#ifndef ABTF_LOAD_SIGNATURE_H
#define ABTF_LOAD_SIGNATURE_H

#include "load/refs.h"

/** pahole__nr_registers() - Return: how many registers it takes arguments to be in. */
unsigned int pahole__nr_registers(uint16_t machine);

/** loader__judge_as_pahole() - Return: DOUBT_* that pahole 1.32 has of a body. */
uint16_t loader__judge_as_pahole(struct loader *l, const struct func_rec *func);

#endif /* ABTF_LOAD_SIGNATURE_H */
