/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decide which functions are encoded, and under which name, and why others are not.
 *
 * Matches the descriptions of functions with function symbols, by place.  Every function
 * symbol becomes an instance, and every instance is either encoded or skipped for one
 * reason; the numbers add up.
 *
 * Of a symbol foo.isra.0, the stem is foo.  Clones and fragments have a suffix (image/symbols.h); core
 * text is the code that is never freed.
 *
 * A FUNC with an address guarantees that a symbol with its name is there, and that its
 * prototype matches the code.  Without addresses, the same functions as with pahole are
 * encoded (functions/as_pahole.c).
 */
#ifndef ABTF_FUNCTIONS_DECIDE_H
#define ABTF_FUNCTIONS_DECIDE_H

#include "btf/write.h"
#include "image/code_table.h"
#include "image/symbols.h"
#include "load/from_btf.h"

/* The cache stores these numbers: increment VERSION of inspect/kept.c after a change. */
enum func_reason {
	FUNC_ENCODED,
	FUNC_FRAGMENT,		/* .part, .cold, __pfx_ and __cfi_: not a function */
	FUNC_ALIAS,		/* NAME.suffix at the place of NAME itself */
	FUNC_NO_DWARF,		/* no debug information describes it */
	FUNC_OTHER_NAME,	/* only with another name, or without */
	FUNC_EMPTY,		/* it has no code; the next function follows */
	FUNC_NO_BTF,		/* the input is BTF, and no FUNC describes it */
	FUNC_REGISTER,		/* an argument is in an unexpected register */
	FUNC_PACKED,		/* an argument's place on the stack is uncertain */
	FUNC_REMOVED,		/* the compiler removed parameters */
	FUNC_OPTIMIZED,		/* the same according to pahole, without addresses */
	FUNC_UNPROVEN,		/* its signature was changed, and DWARF does not show how */
	FUNC_LATE,		/* DWARF only describes a parameter after the entry */
	FUNC_NO_PROTOTYPE,	/* written in assembly, and its declarations differ */
	FUNC_REORDERED,		/* the compiler reordered parameters */
	FUNC_UNNAMED,		/* a parameter has no name */
	FUNC_TYPE,		/* BTF cannot represent one of its types */
	FUNC_PROTOTYPE,		/* one body, several prototypes */
	FUNC_CLONE,		/* an optimized copy, with optimized_func off */
	FUNC_AMBIGUOUS,		/* its name has several addresses, with func_addr off; or
				 * several sections have such a function at its offset */
	FUNC_NO_OFFSET,		/* it is below the text base, or too far above */
	FUNC_NO_FILE,		/* it shares its name, and its file is unknown */
	FUNC_NAME,		/* BTF cannot represent its name */
	FUNC_INIT_TEXT,		/* not in core text, and its name is shared */
	FUNC_NOT_TRACEABLE,	/* ftrace cannot patch it, and its name is shared */
	NR_FUNC_REASONS,
};

/** struct outcome_text - @name: in reports, "unexpected_register"; @text: in words */
struct outcome_text {
	const char	*name, *text;
};

/* The texts are as pahole -V prints them. */
extern const struct outcome_text func_reasons[NR_FUNC_REASONS];

/**
 * struct func_options - the rules to apply
 * @address:	(func_addr) set by encode__open(): FUNCs in core text get a record; functions
 *		whose address does not fit are skipped
 * @detached:	a relocatable file's BTF will have no relocations; name and offset
 *		must identify the section, so that they can be made later
 * @by_file:	(func_unit) distinguish functions that share a name by their files
 * @untraceable: with @by_file: also encode those that ftrace cannot patch
 * @for_map:	for the function map: name every function by its file, and give a FUNC to those
 *		whose prototype is known only from the source, too
 * @optimized:	encode .isra, .constprop and the like (optimized_func)
 * @consistent:	without addresses: skip names with several prototypes
 *		(consistent_func); with addresses, these are always skipped
 * @true_signature: without addresses: name clones like their symbol
 * @pahole:	all FUNCs are static, as pahole writes them
 */
struct func_options {
	bool		address;
	bool		detached;
	bool		by_file;
	bool		untraceable;
	bool		for_map;
	bool		optimized;
	bool		consistent;
	bool		true_signature;
	bool		pahole;
};

/**
 * struct instance - a function symbol, and the decision about it
 * @sym:	the symbol; NULL for a FUNC of the input without one, which is encoded
 *		unmodified, without an address (functions/funcs_read.h)
 * @facts:	its description; the prototype that is written is in @out
 * @out:	its FUNC (name, node of the prototype, linkage, offset), which is written if the
 *		instance is in @order.  It has a record if the function is in core text
 * @reason:	FUNC_ENCODED, or why it is skipped: at first, that nothing describes it; last, that its
 *		shared name cannot be made unique
 * @shared:	several places have a function with its name; a clone has its symbol's name,
 *		while foo and foo.llvm.123 share one
 */
struct instance {
	const struct symbol	*sym;
	struct func_facts	facts;
	struct out_func		out;
	enum func_reason	reason;
	bool			shared;
};

/**
 * struct instances - all of them, sorted like the symbols, by (section, address, name); then
 *		those without a symbol
 * @sorted:	all but fragments and those without a symbol, sorted by name of the function,
 *		then by address
 * @order:	those that have a FUNC, in the order of their ids: as in @sorted, then those without
 *		a symbol
 * @made:	names that differ from the symbol's
 * @by_reason:	number of instances by reason
 * @bodies_without_symbol: places where DWARF says that a body starts, but no symbol of that name does,
 *		such as overridden weak functions
 */
struct instances {
	VECTOR(struct instance);
	VECTOR(uint32_t) sorted, order;
	VECTOR(char *)	made;
	uint32_t	by_reason[NR_FUNC_REASONS];
	uint32_t	bodies_without_symbol;
};

/**
 * struct decision - what instances__decide() uses
 * @observed:	merged lists; bodies are sorted by place, mentions by name
 * @read:	the FUNCs that were read, or NULL if DWARF was
 * @files:	by unit: its path in the source tree, "" if unknown
 * @ftrace:	what ftrace can patch
 * @in:		the result; this and the rest is filled by instances__decide()
 * @nr_strings:	number of strings before names were made, for arrays by string id
 */
struct decision {
	const struct symbols		*syms;
	struct observed			*observed;
	struct store			*store;
	struct funcs_read		*read;
	char *const			*files;
	const struct code_table		*ftrace;
	const struct func_options	*opts;
	struct instances		*in;
	uint32_t			nr_strings;
};

/** instances__decide() - Decide about all function symbols. Return: 0 or a negative errno. */
int instances__decide(struct instances *ret, struct decision *d);

void instances__destroy(struct instances *in);

/**
 * instance__is_unproven() - test for a function that is skipped, with the prototype of its source
 *
 * The compiler may have changed the arguments of this code.
 */
bool instance__is_unproven(const struct instance *inst);

/** instances__of() - Return: a symbol's instance; duplicate symbols share the first one's. */
static inline struct instance *instances__of(const struct instances *in, const struct symbol *sym)
{
	uint32_t i = first_not_before(at, in->nr, in->array[at].sym <= sym);

	return i ? &in->array[i - 1] : NULL;
}

/**
 * name__is_valid() - check the name of a function or variable against the kernel's rules
 *
 * kernel/bpf/btf.c, __btf_name_valid(): letters, digits, '_' and '.', not a
 * digit first, and shorter than KSYM_NAME_LEN (512).
 */
bool name__is_valid(const char *name);

/* --- the steps of instances__decide(), and what they share ----------------------- */

/* The string id of a symbol's stem, 0 if neither DWARF nor BTF has this name. */
static inline uint32_t stem_string(const struct decision *d, const struct symbol *sym)
{
	uint32_t id = strings__find(&d->store->strings, sym->name, sym->stem_len);

	return id < d->nr_strings ? id : 0;
}

/**
 * decision__mentions() - find the mentions of a name
 * @declared:	return the declarations, not the other mentions
 *
 * Return: the first one, sorted by unit, and in @nr their number.
 */
static inline const struct func_mention *decision__mentions(const struct decision *d, uint32_t name,
							    bool declared, uint32_t *nr)
{
	const struct func_mention *m = d->observed->mentions.array;
	uint32_t end = d->observed->mentions.nr;
	uint32_t first = first_not_before(i, end, m[i].facts.name != name ?
					  m[i].facts.name < name : m[i].declared < declared);

	for (*nr = 0; first + *nr < end && m[first + *nr].facts.name == name &&
	     m[first + *nr].declared == declared; ++*nr)
		;
	return m + first;
}

/* Skip a function, unless it is skipped already: the first reason is kept. */
static inline void instance__skip(struct instance *inst, enum func_reason reason)
{
	if (inst->reason == FUNC_ENCODED)
		inst->reason = reason;
}

/** decision__as_pahole() - Apply the rules of pahole 1.32. */
void decision__as_pahole(struct decision *d);

/**
 * decision__name_shared() - name FUNCs with addresses that share a name
 * @sorted:	indices of the @nr instances with this name, sorted by address
 *
 * With @by_file, they become NAME@FILE; FILE is the name of the unit, which may not contain the
 * declaration.  Several of one file become NAME@FILE#1, #2 and so on, whether they are all encoded or
 * not, so that FUNC names are unique.  They are skipped if they have no record or, without
 * @untraceable, if ftrace cannot patch them: no program could attach there.
 */
void decision__name_shared(struct decision *d, const uint32_t *sorted, uint32_t nr);

#endif /* ABTF_FUNCTIONS_DECIDE_H */
