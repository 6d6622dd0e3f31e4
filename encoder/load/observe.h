/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Observations of functions, variables and decl tags in DWARF or BTF: ids of nodes and strings,
 * without pointers into a unit.  They are collected without conditions, and checked when
 * everything has been read (functions/decide.h).  Each thread has its own lists; they are
 * merged after all units have been read.
 */
#ifndef ABTF_LOAD_OBSERVE_H
#define ABTF_LOAD_OBSERVE_H

#include "types/store.h"
#include "util/grow.h"

/* Reasons why a body may not match its prototype. */
enum func_doubt {
	DOUBT_REGISTER	= 1 << 0,	/* an argument is in another register */
	DOUBT_PACKED	= 1 << 1,	/* a packed struct on the stack, at an unknown place */
	DOUBT_UNNAMED	= 1 << 2,	/* a parameter has no name: the kernel rejects this */
	DOUBT_REMOVED	= 1 << 3,	/* the body has not all parameters of its source, or more */
	DOUBT_REORDERED	= 1 << 4,	/* or the same parameters in another order */
	DOUBT_CHANGED	= 1 << 5,	/* marked as changed, or perhaps changed without a mark */
	DOUBT_NO_PROTOTYPE = 1 << 6,	/* described without one: assembly, or made by the compiler */
	DOUBT_OPTIMIZED	= 1 << 7,	/* a parameter has no location, according to pahole */
	DOUBT_MISFIT	= 1 << 9,	/* BTF cannot represent one of its types */
	DOUBT_PIECES	= 1 << 8,	/* its code is in pieces, pahole has no address */
	DOUBT_EMPTY	= 1 << 10,	/* no code, the next function follows */
	DOUBT_RESULT	= 1 << 11,	/* if local, the compiler may have removed its result */
	DOUBT_LATE	= 1 << 12,	/* DWARF only describes a parameter after the entry */
};

/* The signature may be another one. */
#define DOUBTS_CHANGED	(DOUBT_CHANGED | DOUBT_LATE)

#define NO_UNIT	UINT32_MAX

/**
 * struct func_facts - the description of a function, from its DIE to its FUNC
 * @name:	string id of its name in the source
 * @proto:	node id of its prototype; for an instance, of its FUNC's prototype
 * @proven:	node id of the prototype that is proven for its code, or 0
 * @unit:	number of the unit, or NO_UNIT
 * @key:	identifies the description in @unit: the offset of its DIE in the unit's group, or the
 *		number of its FUNC in BTF that was read, starting at 1; 0: none
 * @decl_file, @decl_line: its declaration; @decl_unit, which may be a partial unit, has the file
 *		with this number
 * @doubts:	DOUBT_*
 */
struct func_facts {
	uint32_t	name;
	uint32_t	proto;
	uint32_t	proven;
	uint32_t	unit;
	uint32_t	key;
	uint32_t	decl_unit;
	uint32_t	decl_file;
	uint32_t	decl_line;
	uint16_t	doubts;
	bool		external;
};

/**
 * struct func_body - a place where a body that DWARF describes may start; if it has ranges, there is
 *		one for each
 * @address:	of its entry
 * @size:	bytes of the range that starts there, 0 if unknown
 * @section:	its section; in a linked image, 0 until functions/decide.c knows the symbols
 */
struct func_body {
	uint64_t		address;
	uint64_t		size;
	uint32_t		section;
	struct func_facts	facts;
};

/**
 * struct func_mention - a function described without a body (inlined
 * everywhere in that unit, or folded into another), or only declared: one per
 * name and prototype, and per unit if it is static and may have been folded
 * @facts:	in the first unit with it
 * @count:	number of units with it
 * @folded:	in a unit, it is not an inlined "inline" function, so it may have
 *		code elsewhere
 */
struct func_mention {
	struct func_facts	facts;
	uint32_t		count;
	bool			declared;
	bool			folded;
};

/**
 * struct variable - a variable in static memory
 * @symbol:	the name of its symbol
 * @size:	in bytes; 0: use the size of the type
 * @key:	for its tags, like a function's
 * @maybe_dead:	it is relative to an address that linkers use for discarded data
 * @unknown:	its location is not understood: it has neither @address nor @section
 */
struct variable {
	uint64_t	address;
	uint32_t	section;
	uint32_t	name;
	uint32_t	symbol;
	uint32_t	type;
	uint32_t	size;
	uint32_t	unit;
	uint32_t	key;
	bool		external;
	bool		maybe_dead;
	bool		unknown;
};

/**
 * struct tag_seen - a btf_decl_tag
 * @target:	node id of a type; unit << 32 | key of a variable or function
 * @value:	string id
 * @component:	member or parameter, starting at 0; -1 for the whole target
 * @param:	string id of a parameter's name in DWARF, or 0
 * @attribute:	an arbitrary attribute (kind_flag)
 */
struct tag_seen {
	uint64_t	target;
	uint32_t	value;
	int32_t		component;
	uint32_t	param;
	enum tag_on	on;
	uint32_t	unit;
	bool		attribute;
};

struct fit;

/** struct unit_named - @start: index in @named of a unit's ids, which end at the next @start */
struct unit_named {
	uint32_t	unit;
	uint32_t	start;
};

/**
 * struct observed - one thread's lists
 * @named:	node ids of named structs, unions, enums and forwards, grouped by
 *		unit
 */
struct observed {
	VECTOR(struct func_body) bodies;
	VECTOR(struct func_mention) mentions;
	VECTOR(struct variable) vars;
	VECTOR(struct tag_seen)	tags;
	VECTOR(uint32_t)	named;
	VECTOR(struct unit_named) units;
	struct hash_table	mentioned;	/* indices in @mentions, starting at 1 */
};

/**
 * observed__expect() - allocate lists for @info bytes of .debug_info
 *
 * This is not a limit.  Unused parts do not use memory, but growing would copy the lists.
 */
void observed__expect(struct observed *o, uint64_t info);

/** observed__trim() - Free data that is unused once conflicting definitions are resolved. */
void observed__trim(struct observed *o);

void observed__destroy(struct observed *o);

/**
 * observed__mention() - add a mention, or add its count to an equal mention
 *
 * Return: 0, or -EINVAL after a message.
 */
int observed__mention(struct observed *o, const struct func_mention *mention);

/** observed__unmention() - Decrement the count, because a unit is read again. */
void observed__unmention(struct observed *o, const struct func_mention *mention);

/**
 * observed__merge() - add another thread's lists, which are modified
 * @map, @strings: new node and string ids, from store__merge()
 *
 * Return: 0, or -EINVAL after a message.
 */
int observed__merge(struct observed *to, struct observed *from,
		    const uint32_t *map, const uint32_t *strings);

/**
 * observed__fit() - apply the results of types
 *
 * Functions with removed types are marked, variables become void, and tags are dropped: those
 * of removed types, and those of members if the struct lost one.
 */
void observed__fit(struct observed *o, const struct fit *fit);

#endif /* ABTF_LOAD_OBSERVE_H */
