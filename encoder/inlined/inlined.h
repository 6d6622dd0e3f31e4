/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inlined calls: where other functions contain a function's code.
 *
 * A probe on a function sees only calls of its body, not the calls that the compiler
 * replaced by the function's code.  DWARF has an entry for each of these
 * (DW_TAG_inlined_subroutine; DWARF 5, 3.3.8).  This reads all of them from an image, in
 * parallel, and returns how often each function was inlined and, for selected functions,
 * every place.
 */
#ifndef ABTF_INLINED_INLINED_H
#define ABTF_INLINED_INLINED_H

#include <stdbool.h>

#include "functions/source_tree.h"

/**
 * struct inlined_func - a function that was inlined
 * @name:	its name in the source
 * @file:	the file that declares it, in the source tree; NULL if unknown
 * @line:	there
 * @calls:	inlined calls that have code
 * @bodies:	out-of-line copies, which probes by name can see
 */
struct inlined_func {
	const char	*name;
	char		*file;
	uint32_t	line;
	uint32_t	calls;
	uint32_t	bodies;
};

/**
 * struct inlined_site - one inlined call, or a function whose code calls another
 * @func:	index of the function
 * @section:	of a module, otherwise 0
 * @address:	the first instruction of its code (DW_AT_entry_pc); in a module, its offset
 *		in @section
 * @caller:	the function whose body it is in
 * @via:	the function that calls it and is inlined there, too; NULL: @caller
 * @unit:	file of the unit that the body is in, "" if unknown
 * @file:	of the call; NULL if unknown
 * @line:	there
 *
 * For a caller, only @caller, its entry (@section, @address) and @unit are set.
 */
struct inlined_site {
	uint32_t	func;
	uint32_t	section;
	uint64_t	address;
	const char	*caller;
	const char	*via;
	const char	*unit;
	char		*file;
	uint32_t	line;
};

struct inlined_sites {
	VECTOR(struct inlined_site);
};

/**
 * struct inlined - the result
 * @funcs:	ordered by name, file and line
 * @sites:	calls of the wanted functions, by address
 * @callers:	of these functions, by address, as far as DWARF has
 *		DW_TAG_call_site for the calls
 * @dw, @tree:	strings point into these; @own_dw: was opened for this, or NULL
 * @units:	by unit: its path in the source tree
 */
struct inlined {
	VECTOR(struct inlined_func) funcs;
	struct inlined_sites	sites, callers;
	struct dwarf		*dw, *own_dw;
	struct source_tree	tree;
	char			**units;
};

/* Select the functions whose calls are recorded one by one.  Called by several threads. */
typedef bool inlined_wanted(const char *name, const void *arg);

/**
 * inlined__read() - read all inlined calls of an image
 * @wanted:	called with @arg for each function that was inlined; NULL: record no calls
 * @threads:	at least 1
 * @ret:	strings point into the image, which must outlive it
 *
 * The result does not depend on the number of threads.
 *
 * Return: 0, or a negative errno after a message.
 */
int inlined__read(const struct image *img, inlined_wanted *wanted, const void *arg,
		  unsigned int threads, struct inlined **ret);

/**
 * inlined__read_with_body() - like inlined__read(), recording the calls of functions that also
 *	have a body, but no callers
 * @dw:		its units' first entries have been read; must outlive the result
 */
int inlined__read_with_body(struct dwarf *dw, unsigned int threads, struct inlined **ret);

void inlined__free(struct inlined *in);

#endif /* ABTF_INLINED_INLINED_H */
