/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Observations of functions, variables and decl tags in DWARF or BTF: ids of nodes and strings,
 * without pointers into a unit.  They are collected without conditions, and checked when
 * everything has been read (functions/decide.h).  Each thread has its own lists; they are
 * merged after all units have been read.
 */
#ifndef ABTF_LOAD_OBSERVE_H
#define ABTF_LOAD_OBSERVE_H

#include "load/function.h"
#include "types/store.h"
#include "util/grow.h"

/**
 * struct variable - a variable in static memory
 * @symbol_name: of its symbol
 * @size:	in bytes; 0: use the size of the type
 * @desc:	for its tags, like a function's
 * @maybe_dead:	it is relative to an address that linkers use for discarded data
 * @unknown:	its location is not understood: it has neither @address nor @section
 */
struct variable {
	uint64_t	address;
	uint32_t	section;
	uint32_t	name;
	uint32_t	symbol_name;
	uint32_t	type;
	uint32_t	size;
	uint32_t	unit;
	uint32_t	desc;
	bool		external;
	bool		maybe_dead;
	bool		unknown;
};

/**
 * struct tag_seen - a btf_decl_tag
 * @desc:	desc__id() of its target, if that is a variable or function
 * @type:	node id of its target, if that is a type
 * @value:	string id
 * @component:	member or parameter, starting at 0; -1 for the whole target
 * @param:	string id of a parameter's name in DWARF, or 0
 * @attribute:	an arbitrary attribute (kind_flag)
 */
struct tag_seen {
	uint64_t	desc;
	uint32_t	type;
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
 * observed__init() - allocate lists for @info bytes of .debug_info
 *
 * This is not a limit.  Unused parts do not use memory, but growing would copy the lists.
 */
void observed__init(struct observed *o, uint64_t info);

/** observed__trim() - Free data that is unused once conflicting definitions are resolved. */
void observed__trim(struct observed *o);

void observed__destroy(struct observed *o);

/**
 * observed__add_mention() - add a mention, or count its units in an equal one
 *
 * Return: 0, or -EINVAL after a message.
 */
int observed__add_mention(struct observed *o, const struct func_mention *mention);

/** observed__drop_mention() - Undo a mention of a unit that is read again. */
void observed__drop_mention(struct observed *o, const struct func_mention *mention);

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
