/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of places in code, which the kernel uses: arrays of addresses, between two symbols
 * of vmlinux or in a section of a module.
 *
 * The kernel's build may have sorted them or not.  In a position-independent image, the
 * words are zero, and their values are addends of relative relocations (.rela.dyn); with
 * .relr.dyn, the words have their values.  In a module, the relocations have the values.
 */
#ifndef ABTF_IMAGE_CODE_TABLE_H
#define ABTF_IMAGE_CODE_TABLE_H

#include "image/relocate.h"
#include "image/symbols.h"

/** struct code_place - a place in code; @section is 0 in a linked image */
struct code_place {
	uint64_t	address;
	uint32_t	section;
};

/**
 * struct code_table - all of them
 * @array:	sorted by (section, address)
 * @before:	how far before a function its entry may be, in bytes
 * @known:	the image has the table and its bytes
 */
struct code_table {
	VECTOR(struct code_place);
	uint8_t		before;
	bool		known;
};

/** struct table_bounds - the symbols around a table of vmlinux; @machine: EM_*, 0: all */
struct table_bounds {
	const char	*start, *end;
	uint16_t	machine;
};

/**
 * table_bounds__find() - find the addresses of tables
 * @ret:	of @nr tables; 0 without the symbol, or for another machine
 *
 * Return: 0, or a negative errno after a message.
 */
int table_bounds__find(const struct table_bounds *wanted, size_t nr, const struct image *img,
		       struct section_range *ret);

/**
 * code_table__read_linked() - read the table between two addresses of a linked image
 *
 * The table is not @known if no section of the image has these bytes.
 */
void code_table__read_linked(const struct image *img, uint64_t start, uint64_t end,
			     struct code_table *ret);

/**
 * code_table__read_sections() - read the sections with this name of a relocatable file
 *
 * The table is @known if there is such a section with bytes, or with relocations for all of it.
 *
 * Return: 0, or a negative errno after a message.
 */
int code_table__read_sections(const struct image *img, const char *name, struct code_table *ret);

/**
 * code_table__read_entries() - add a table of entries that start with the distance to the code
 * @name:	the section in a relocatable file; in a linked image, the table is between
 *		@start and @end
 * @size:	of an entry in bytes; the first 4 are the distance
 *
 * For example, jump labels.  32-bit images are not read.
 *
 * Return: 0, or a negative errno after a message.
 */
int code_table__read_entries(const struct image *img, const char *name, uint64_t start,
			     uint64_t end, unsigned int size, struct code_table *table);

/** code_table__sort() - Sort the entries, which code_table__has() expects. */
void code_table__sort(struct code_table *table);

void code_table__destroy(struct code_table *table);

/**
 * code_table__first() - find the first entry at or after a place
 * @section:	ignored in a linked image
 *
 * Return: the entry, or NULL if none follows in the section.
 */
const struct code_place *code_table__first(const struct code_table *table, uint32_t section,
					   uint64_t address);

/**
 * code_table__has() - test whether an entry is in [@address, @address + @size)
 * @section:	ignored in a linked image
 */
bool code_table__has(const struct code_table *table, uint32_t section, uint64_t address,
		     uint64_t size);

/**
 * ftrace__read() - read ftrace's table: the places in code that ftrace can patch
 *
 * In vmlinux, the words from __start_mcount_loc to __stop_mcount_loc.  In a module, the
 * sections __mcount_loc or __patchable_function_entries.  See FTRACE_CALLSITE_SECTION and
 * ftrace_process_locs() of the kernel.
 *
 * The table is not @known if the image lacks it, or its bytes (a file with debug
 * information only).
 *
 * Return: 0, or a negative errno after a message.
 */
int ftrace__read(const struct symbols *syms, struct code_table *ret);

/**
 * ftrace__can_patch() - test whether ftrace can patch a function
 *
 * Like the kernel's ftrace_location(), accept an entry anywhere in the function.  With
 * DYNAMIC_FTRACE_WITH_CALL_OPS, the compiler's entries are 8 bytes before it, see
 * ftrace_call_adjust() of arm64 and riscv.
 */
bool ftrace__can_patch(const struct code_table *table, const struct symbol *sym);

#endif /* ABTF_IMAGE_CODE_TABLE_H */
