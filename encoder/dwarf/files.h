/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolve the file numbers in DW_AT_decl_file with the header of a unit's line number
 * program (DWARF 5, 6.2.4, and the same in DWARF 2 to 4).  lines.h runs the program.
 */
#ifndef ABTF_DWARF_FILES_H
#define ABTF_DWARF_FILES_H

#include "dwarf/unit.h"

/**
 * struct line_file - one entry of file_names
 * @name:	as in DWARF; points into its section
 * @dir:	index of its directory
 */
struct line_file {
	const char	*name;
	uint64_t	dir;
};

/**
 * struct line_program - the fields of the header that lines.c needs
 * @opcodes:	the program
 * @line_range:	0 if it cannot be run: it is malformed, or for a VLIW machine
 * @nr_operands: by opcode - 1, below @opcode_base
 */
struct line_program {
	struct cursor	opcodes;
	const uint8_t	*nr_operands;
	uint8_t		min_length;
	uint8_t		line_range;
	uint8_t		opcode_base;
	int8_t		line_base;
};

/**
 * struct files - the tables of one header
 * @dirs:	include_directories by index; before DWARF 5 [0] is NULL
 * @files:	file_names by number; before DWARF 5 [0] is empty
 * @comp_dir:	DW_AT_comp_dir, or NULL
 */
struct files {
	VECTOR(const char *)	dirs;
	VECTOR(struct line_file) files;
	const char		*comp_dir;
	struct line_program	program;
};

/**
 * files__read() - read the tables of one header
 * @stmt_list:	offset in .debug_line
 * @comp_dir:	DW_AT_comp_dir of the unit, or NULL
 * @ret:	must be released, also after an error
 *
 * Return: 0, or -EINVAL after a message if the header is malformed.
 */
int files__read(const struct dwarf *dw, uint64_t stmt_list, const char *comp_dir,
		struct files *ret);

void files__release(struct files *f);

/** files__join() - Return: the malloc()ed path of a file, relative to @comp_dir if below it. */
char *files__join(const char *dir, const char *name, const char *comp_dir);

/**
 * files__path() - the path of a file
 * @number:	DW_AT_decl_file
 *
 * A path below the compilation directory is returned relative to it, even if it is
 * absolute or starts with "./" in DWARF: "include/linux/cpumask.h".
 *
 * Return: a malloc()ed path, or NULL if there is no such file.
 */
char *files__path(const struct files *f, uint64_t number);

#endif /* ABTF_DWARF_FILES_H */
