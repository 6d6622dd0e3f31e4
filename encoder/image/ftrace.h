/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace's table: the places in code that ftrace can patch.
 *
 * In vmlinux, the words from __start_mcount_loc to __stop_mcount_loc.  In a module, the
 * sections __mcount_loc or __patchable_function_entries.  See FTRACE_CALLSITE_SECTION and
 * ftrace_process_locs() of the kernel.
 */
#ifndef ABTF_IMAGE_FTRACE_H
#define ABTF_IMAGE_FTRACE_H

#include "image/code_table.h"

/**
 * ftrace__read() - read the table of an image
 * @relocator:	of a relocatable file, or NULL to use a temporary one
 *
 * An image without the table, or without its bytes (a file with debug information only),
 * gives one that is not known.
 *
 * Return: 0, or a negative errno after a message.
 */
int ftrace__read(const struct symbols *syms, struct relocator *relocator, struct code_table *ret);

/**
 * ftrace__can_patch() - test whether ftrace can patch a function
 *
 * As the kernel's ftrace_location() has it, an entry anywhere in the function is enough.
 * With DYNAMIC_FTRACE_WITH_CALL_OPS, the compiler's entries are 8 bytes before it, see
 * ftrace_call_adjust() of arm64 and riscv.
 */
bool ftrace__can_patch(const struct code_table *table, const struct func_sym *sym);

#endif /* ABTF_IMAGE_FTRACE_H */
