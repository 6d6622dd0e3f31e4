/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls: which functions call a function, or contain its code.
 *
 * A probe on a function sees only calls of its body, not the calls that the compiler
 * replaced by the function's code.  DWARF has an entry for each of these
 * (DW_TAG_inlined_subroutine; DWARF 5, 3.3.8).  This reads all of them from an image, in
 * parallel, and returns how often each function was inlined and, for selected functions,
 * every place.  For these, it also returns the other calls that DWARF records
 * (DW_TAG_call_site; DWARF 5, 3.4.1).
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
 * enum call_kind - what became of a call in the source
 * @CALL_INLINED: the code of the function
 * @CALL_DIRECT: a call instruction
 * @CALL_TAIL:	a jump: the caller is not in stack traces
 */
enum call_kind { CALL_INLINED, CALL_DIRECT, CALL_TAIL };

/**
 * struct inlined_site - one call
 * @kind:	of the call
 * @is_external: of other calls than inlined ones: the function is not static
 * @ends_there: @address is the last byte of the instruction, and not its first one
 * @func:	index of the function; only of an inlined call
 * @name:	the function's name in the source; of another call: of its symbol, without a suffix
 * @home:	file of the unit with the function, "" if unknown; it may be another if
 *		@is_external
 * @section:	of a module, otherwise 0
 * @address:	the first instruction of inlined code (DW_AT_entry_pc), or in the instruction of
 *		another call; in a module, its offset in @section
 * @entry_section, @entry: the entry of the body that it is in
 * @die, @body:	offsets in .debug_info of an inlined call's entry, and of the body that it is in
 * @caller:	the function whose body it is in
 * @via:	the function that calls it and is inlined there, too; NULL: @caller
 * @unit:	file of the unit that the body is in, "" if unknown
 * @file:	of the call; NULL if unknown
 * @line:	there
 */
struct inlined_site {
	enum call_kind	kind;
	bool		is_external;
	bool		ends_there;
	uint32_t	func;
	const char	*name;
	const char	*home;
	uint32_t	section;
	uint32_t	entry_section;
	uint64_t	address;
	uint64_t	entry;
	uint64_t	die, body;
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
 * @sites:	inlined calls of the wanted functions, by address
 * @calls:	other calls of these functions, by address
 * @dw, @tree:	strings point into these; @own_dw: was opened for this, or NULL
 * @units:	by unit: its path in the source tree
 * @first:	functions at 0 and 1, the addresses that GNU ld gives to discarded code
 */
struct inlined {
	VECTOR(struct inlined_func) funcs;
	struct inlined_sites	sites, calls;
	struct dwarf		*dw, *own_dw;
	struct source_tree	tree;
	char			**units;
	VECTOR(struct symbol)	first;
};

/* Select the functions whose calls are recorded one by one.  Called by several threads. */
typedef bool inlined_wanted(const char *name, const void *arg);

/**
 * inlined__read() - read all inlined calls of an image
 * @wanted:	called with @arg for each function that is called; NULL: record no calls
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
 * inlined__read_with_body() - like inlined__read(), recording the inlined calls of functions whose
 *	names also have a body, but no other calls
 * @dw:		its units' first entries have been read; must outlive the result
 */
int inlined__read_with_body(struct dwarf *dw, unsigned int threads, struct inlined **ret);

void inlined__free(struct inlined *in);

#endif /* ABTF_INLINED_INLINED_H */
