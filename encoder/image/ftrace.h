/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace's table: the places in code that ftrace can patch.
 *
 * In vmlinux, the words from __start_mcount_loc to __stop_mcount_loc, before or after the
 * kernel's build has sorted them.  Where the image is position independent, the words are
 * zero and their values are addends of relative relocations (.rela.dyn); with .relr.dyn, the
 * words have their values.  In a module, the sections __mcount_loc or
 * __patchable_function_entries and their relocations.  See FTRACE_CALLSITE_SECTION and
 * ftrace_process_locs() of the kernel.
 */
#ifndef ABTF_IMAGE_FTRACE_H
#define ABTF_IMAGE_FTRACE_H

#include "image/relocate.h"
#include "image/symbols.h"

/** struct ftrace_place - a place in code; @section is 0 in a linked image */
struct ftrace_place {
	uint64_t	address;
	uint32_t	section;
};

/**
 * struct ftrace_table - all of them
 * @places:	ordered by (section, address)
 * @known:	the image has the table; without it, nothing is known of any function
 */
struct ftrace_table {
	struct ftrace_place *places;
	uint32_t	nr, cap;
	bool		known;
};

/**
 * ftrace_table__read() - read the table of an image
 * @relocator:	of a relocatable file, or NULL to use one of our own
 *
 * An image without the table, or without its bytes (a file with debug information only),
 * gives one that is not @known.
 *
 * Return: 0, or a negative errno after a message.
 */
int ftrace_table__read(const struct symbols *syms, struct relocator *relocator,
		       struct ftrace_table *ret);

void ftrace_table__destroy(struct ftrace_table *table);

/**
 * ftrace_table__has() - test whether ftrace can patch a function
 *
 * As the kernel's ftrace_location() has it, an entry anywhere in the function counts.
 * With DYNAMIC_FTRACE_WITH_CALL_OPS, the compiler's entries are 8 bytes before it, see
 * ftrace_call_adjust() of arm64 and riscv.
 */
bool ftrace_table__has(const struct ftrace_table *table, const struct func_sym *sym);

#endif /* ABTF_IMAGE_FTRACE_H */
