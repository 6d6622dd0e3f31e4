/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments at any instruction, from DWARF: in inlined calls, at a place in a function, and in
 * functions whose prototype is not proven.
 *
 * Locations are symbolic: a register, memory relative to a register, or a constant.  Everything
 * else has a reason, such as a value that only DWARF's caller knew (DW_OP_entry_value).
 */
#ifndef ABTF_PROBE_DWARF_ARGS_H
#define ABTF_PROBE_DWARF_ARGS_H

#include "dwarf/unit.h"
#include "probe/args.h"

struct dwarf_args;

/**
 * dwarf_args__open() - open the DWARF of an image
 * @btf:	the types of arguments; must outlive the result
 *
 * Return: 0, or a negative errno after a message.
 */
int dwarf_args__open(const struct image *img, const struct btf_data *btf, struct dwarf_args **ret);

void dwarf_args__close(struct dwarf_args *d);

/**
 * dwarf_args__at_call() - add the arguments of an inlined call
 * @die, @body:	its entry, and the entry of the body that contains it; offsets in .debug_info
 * @address:	of the instruction; in a module, an offset in @section
 *
 * Return: 0, or a negative errno after a message.
 */
int dwarf_args__at_call(struct dwarf_args *d, uint64_t die, uint64_t body, uint32_t section,
			uint64_t address, struct arg_list *list);

/**
 * dwarf_args__in_function() - add the arguments of a function at an instruction in it
 * @start:	address of the function, or in a module, its offset in @section
 * @into:	offset of the instruction
 * @is_cold:	it is the function's unlikely code, and the function is not entered there
 */
int dwarf_args__in_function(struct dwarf_args *d, uint32_t section, uint64_t start, uint64_t into,
			    bool is_cold, struct arg_list *list);

#endif /* ABTF_PROBE_DWARF_ARGS_H */
