/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a function's arguments sit when it is entered.
 *
 * A tracer fetches an argument from the register that the calling convention
 * gives it.  An optimised body may expect it elsewhere; the location that the
 * compiler wrote for the parameter tells.
 */
#ifndef ABTF_LOAD_PARAMS_H
#define ABTF_LOAD_PARAMS_H

#include "load/unit.h"

enum param_place {
	PLACE_UNKNOWN,		/* beyond the registers, or a machine we do not know */
	PLACE_EXPECTED,		/* in the register of the calling convention */
	PLACE_ELSEWHERE,	/* in another register */
	PLACE_NO_REGISTER,	/* in memory, computed, or a constant */
	PLACE_NOWHERE,		/* neither location nor value: optimised out */
};

/** params__nr_registers() - Return: how many arguments a machine passes in registers. */
unsigned int params__nr_registers(uint16_t machine);

/**
 * param__place() - judge one parameter's DIE
 * @index:	of the parameter, from 0
 *
 * The first entry of the location must be the register, or one of its entries
 * must be the value that the register had on entry (DW_OP_entry_value).
 */
enum param_place param__place(const struct dwarf *dw, const struct unit *u,
			      const struct die *die, unsigned int index);

#endif /* ABTF_LOAD_PARAMS_H */
