/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbolize: from an address, as tools print it, to NAME@FILE.
 *
 * Given a map of the code, and where the kernel was loaded if that is known; reads what
 * a user wrote, or replaces addresses in the output of a tool:
 *
 *	_text+0x16ce70, _text+1494640	the second as bpftrace prints it
 *	0xffffffff8116ce70		an address of this kernel, with or without 0x
 *	-2129211792			the same in decimal, as bpftrace prints reg("ip")
 *	SYMBOL+0x40 [MODULE]		in a module
 */
#ifndef ABTF_INSPECT_SYMBOLIZE_H
#define ABTF_INSPECT_SYMBOLIZE_H

#include <stdio.h>

#include "inspect/code_map.h"
#include "util/grow.h"

/** struct loaded_section - @size bytes of a module's code, and where they were loaded */
struct loaded_section {
	uint64_t	address, size;
	uint32_t	section;
};

/**
 * struct symbolizer - a map of code and the address of _text
 * @base:	the address of _text that addresses are relative to; 0 if it is not known
 * @loaded:	of a module: where its code is; empty if it is not known
 * @unknown:	why it is not, as text
 * @subject:	what is searched, for messages
 */
struct symbolizer {
	const struct code_map	*map;
	uint64_t		base;
	VECTOR(struct loaded_section) loaded;
	bool			module;
	const char		*unknown;
	const char		*subject;
};

/**
 * struct place_in - an address, resolved
 * @offset:	from _text; in a module, in the section
 * @into:	from the start of the function
 */
struct place_in {
	const struct extent	*extent;
	uint64_t		offset;
	uint64_t		into;
};

/** symbolizer__find() - Resolve what a user wrote. Return: 0, or -EINVAL after a message. */
int symbolizer__find(const struct symbolizer *s, const char *text, struct place_in *ret);

/** place_in__print() - Print NAME@FILE, and +0x10 if it is not the start. */
void place_in__print(const struct place_in *p, FILE *f);

/**
 * symbolizer__filter() - copy lines, with names in the place of addresses
 *
 * Of bare numbers, only addresses in the kernel's code are replaced.  Each line is written
 * as soon as it was read.
 *
 * Return: 0, or a negative errno after a message.
 */
int symbolizer__filter(const struct symbolizer *s, FILE *in, FILE *out);

#endif /* ABTF_INSPECT_SYMBOLIZE_H */
