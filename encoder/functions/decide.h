/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions are encoded, under which name, and why the others are not.
 *
 * Joins what DWARF says with the function symbols, by place.  Every function
 * symbol becomes an instance, and every instance is either encoded or skipped
 * for a reason; the sums match.
 *
 * A FUNC with an address promises that a symbol of its name is there, and that its
 * prototype is that of the code.  Without addresses the functions are those of
 * pahole (functions/as_pahole.c).
 */
#ifndef ABTF_FUNCTIONS_DECIDE_H
#define ABTF_FUNCTIONS_DECIDE_H

#include "load/observe.h"
#include "image/symbols.h"

enum func_reason {
	FUNC_ENCODED,
	FUNC_FRAGMENT,		/* .part, .cold, __pfx_ and __cfi_: no function of its own */
	FUNC_ALIAS,		/* NAME.suffix at the place of NAME itself */
	FUNC_NO_DWARF,		/* no debug information describes it */
	FUNC_EMPTY,		/* it has no code, and runs into what comes next */
	FUNC_NO_BTF,		/* nor, where the input is BTF, a FUNC */
	FUNC_REGISTER,		/* an argument sits in an unexpected register */
	FUNC_PACKED,		/* an argument's place on the stack is uncertain */
	FUNC_REMOVED,		/* the compiler took parameters away */
	FUNC_OPTIMIZED,		/* as pahole says that, where there are no addresses */
	FUNC_UNPROVEN,		/* its signature was changed, and DWARF does not say how */
	FUNC_NO_PROTOTYPE,	/* an assembler's, whose declarations do not agree */
	FUNC_REORDERED,		/* or put them into another order */
	FUNC_UNNAMED,		/* a parameter has no name */
	FUNC_TYPE,		/* a type of it is none that BTF could hold */
	FUNC_PROTOTYPE,		/* one body, several prototypes */
	FUNC_CLONE,		/* an optimised copy, with optimized_func off */
	FUNC_AMBIGUOUS,		/* its name has several addresses, with func_addr off; or
				 * several sections have one of the name at its offset */
	FUNC_NO_OFFSET,		/* it lies below the text base */
	FUNC_NO_FILE,		/* it shares its name, and its file is not known */
	FUNC_NAME,		/* no name that BTF could hold */
	FUNC_INIT_TEXT,		/* not in core text, and its name is shared */
	FUNC_NOT_TRACEABLE,	/* ftrace cannot patch it, and its name is shared */
	NR_FUNC_REASONS,
};

/** func_reason__name() - Return: a reason's name in reports, "unexpected_register". */
const char *func_reason__name(enum func_reason reason);

/** func_reason__text() - Return: a reason in words, as pahole -V says it. */
const char *func_reason__text(enum func_reason reason);

/**
 * struct func_options - the rules that can be chosen
 * @address:	FUNCs in core text get a record; functions whose address
 *		does not fit are skipped
 * @detached:	a relocatable file's BTF will have no relocations; name and offset
 *		have to tell the section, so that who puts it there can make them
 * @files:	names of files tell those apart that share a name (functions/names.h)
 * @untraceable: with @files: also those that share a name and ftrace cannot patch
 * @optimized:	encode .isra, .constprop and the like (optimized_func)
 * @consistent:	without addresses: skip names with several prototypes
 *		(consistent_func); with them, nothing doubtful is encoded anyway
 * @true_signature: without addresses: clones by the name of their symbol
 * @pahole:	all FUNCs are static, as pahole writes them
 */
struct func_options {
	bool		address;
	bool		detached;
	bool		files;
	bool		untraceable;
	bool		optimized;
	bool		consistent;
	bool		true_signature;
	bool		pahole;
};

#define NO_UNIT	UINT32_MAX

/**
 * struct instance - a function symbol and what becomes of it
 * @sym:	the symbol; NULL for a FUNC of the input that means none, and is
 *		encoded as it is, without an address (functions/join.h)
 * @name:	name of its FUNC
 * @proto:	node id of its prototype
 * @unit:	number of the unit that describes it, or NO_UNIT
 * @die:	offset of its DIE in the unit's group, for its tags
 * @offset:	from the text base; in a relocatable file, from the section
 * @in_core_text: programs can attach to it, so its FUNC gets a record
 */
struct instance {
	const struct func_sym	*sym;
	const char		*name;
	uint64_t		offset;
	uint32_t		proto;
	uint32_t		unit;
	uint32_t		die;
	uint32_t		decl_file;
	uint32_t		decl_line;
	enum func_reason	reason;
	bool			external;
	bool			in_core_text;
};

/**
 * struct instances - all of them
 * @array:	in the order of the symbols: (section, address, name); then those
 *		without a symbol
 * @order:	those that are encoded, in the order of their ids, from
 *		instances__name() on, as @by_reason
 * @made:	names that are no symbol's
 * @by_reason:	how many there are of each
 * @bodies_without_symbol: bodies that DWARF describes and no symbol names, as
 *		those of overridden weak functions
 */
struct instances {
	struct instance	*array;
	uint32_t	nr;
	uint32_t	*order;
	uint32_t	nr_encoded;
	char		**made;
	uint32_t	nr_made, cap_made;
	uint32_t	by_reason[NR_FUNC_REASONS];
	uint32_t	bodies_without_symbol;
};

/**
 * instances__decide() - judge every function symbol, but for who shares its name
 * @observed:	merged lists; bodies are sorted here
 *
 * Return: 0 or -ENOMEM.
 */
int instances__decide(struct instances *ret, const struct symbols *syms,
		      struct observed *observed, struct store *store,
		      const struct func_options *opts);

void instances__destroy(struct instances *in);

#endif /* ABTF_FUNCTIONS_DECIDE_H */
