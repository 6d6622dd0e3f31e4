/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calling conventions: where a function gets its arguments and leaves its result.
 *
 * Kernels use the psABIs without floating-point registers.
 */
#ifndef ABTF_PROBE_ABI_H
#define ABTF_PROBE_ABI_H

#include "probe/args.h"

/**
 * abi__add_params() - add the parameters of a function, where it is entered
 * @func:	a FUNC with a proven prototype
 *
 * If BTF does not contain the alignment that decides where a parameter is, its place and the
 * places of later ones are unavailable.
 */
void abi__add_params(struct arg_list *list, const struct btf_data *btf, uint32_t func);

/** abi__add_result() - Add "$retval", the return value, where a function returns. */
void abi__add_result(struct arg_list *list, const struct btf_data *btf, uint32_t func);

/** abi__arg_index() - Return: the index of an argument register, -1 if it is another one. */
int abi__arg_index(uint16_t machine, uint8_t reg);

/**
 * abi__frame_on_entry() - find the canonical frame address (DWARF 5, 6.4) where a function is
 *	entered: @offset bytes from the register @reg
 *
 * Return: false if the machine is unknown.
 */
bool abi__frame_on_entry(uint16_t machine, uint32_t *reg, uint64_t *offset);

/** abi__register() - Return: the kernel's name for a register ("di"); NULL if it is unknown. */
const char *abi__register(uint16_t machine, uint8_t reg);

/** abi__register_in_c() - Return: its name in the kernel's struct pt_regs ("regs[1]"), or NULL. */
const char *abi__register_in_c(uint16_t machine, uint8_t reg);

/** abi__register_in_bpftrace() - Return: bpftrace's name for it, or NULL. */
const char *abi__register_in_bpftrace(uint16_t machine, uint8_t reg);

#endif /* ABTF_PROBE_ABI_H */
