/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plain records of what one unit's DIEs say.
 *
 * walk.c reads a unit front to back, once, and writes a record for each type,
 * function and per-CPU variable it meets; intern.c turns the records into
 * nodes of the type store.  All memory is reused for the next unit.
 *
 * A *group* is the units that are read together: load/group.h.
 */
#ifndef ABTF_LOAD_RECORDS_H
#define ABTF_LOAD_RECORDS_H

#include "load/group.h"
#include "load/rec.h"

/** struct code_range - instructions in one piece, @end excluded */
struct code_range {
	uint64_t	start;
	uint64_t	end;
};

/**
 * struct func_rec - what a record of a function has beside
 * @rec:	its record
 * @origin:	abstract instance or declaration that has name and type, or 0
 * @entry:	of the body, if @body: the first of its possible entries in
 *		struct records, which has @nr_entries of them
 * @proto:	its record of a prototype, made when the unit has been read
 * @declared:	a declaration, of an assembler's function
 * @proven:	the same of what is proven of its code, or 0
 * @source:	record of the function as the source has it
 * @changed:	the compiler says that it changed the signature
 * @inlined:	declared so, and put into its callers
 * @called:	by name, in a unit whose calls are wanted
 * @guest:	its unit is one: others refer to it, and that is all
 */
struct func_rec {
	uint32_t	entry;
	uint32_t	nr_entries;
	uint32_t	rec;
	uint32_t	origin;
	uint32_t	proto;
	uint32_t	proven;
	uint32_t	source;
	uint32_t	decl_file;
	uint32_t	decl_line;
	uint32_t	unit;
	uint16_t	doubts;		/* DOUBT_* */
	bool		body;
	bool		external;
	bool		declared;
	bool		changed;
	bool		called;
	bool		inlined;
	bool		guest;
};

/**
 * struct var_rec - a variable in a section that is asked for
 * @address:	where it is; in a relocatable file, the offset in @section
 */
struct var_rec {
	uint64_t	address;
	uint32_t	name;
	uint32_t	ref;
	uint32_t	section;
	uint32_t	unit;
	uint32_t	die;
	bool		external;
};

/**
 * struct tag_rec - a btf_decl_tag
 * @target:	index of the record or variable that is tagged
 * @component:	member or parameter, counted from 0; -1 for the whole
 */
struct tag_rec {
	uint32_t	unit;
	uint32_t	target;
	uint32_t	value;
	int32_t		component;
	bool		on_var;
};

/**
 * struct records - one group's records
 * @recs:	[0] is void
 * @items:	[0] is none
 * @entries:	where bodies may begin, and end
 * @calls:	DIEs of functions that are called by name
 * @first_proto, @nr_protos: the prototypes that were made for functions
 * @at:		record of a DIE by its offset; entries are not cleared between
 *		groups, so an entry counts only if that record names that DIE
 * @at_size:	its room, at least the group's bytes
 * @group:	the units
 */
struct records {
	struct rec	*recs;
	uint32_t	nr_recs, cap_recs;
	struct item	*items;
	uint32_t	nr_items, cap_items;
	struct func_rec	*funcs;
	uint32_t	nr_funcs, cap_funcs;
	struct code_range *entries;
	uint32_t	nr_entries, cap_entries;
	uint32_t	*calls;
	uint32_t	nr_calls, cap_calls;
	struct var_rec	*vars;
	uint32_t	nr_vars, cap_vars;
	struct tag_rec	*tags;
	uint32_t	nr_tags, cap_tags;
	uint32_t	*at;
	uint64_t	at_size;
	uint32_t	first_proto;
	uint32_t	nr_protos;
	struct unit_group	group;
};

/* Make room for what the group's units say.  Return: 0 or -ENOMEM. */
int records__make_room(struct records *r);

/* Return: the index of the record of a reference, 0 if there is none. */
static inline uint32_t records__find(const struct records *r, uint32_t ref)
{
	uint32_t i;

	if (ref & REF_INDEX)
		return ref & ~REF_INDEX;
	if (unlikely(ref >= r->at_size))
		return 0;
	i = r->at[ref];
	return i < r->nr_recs && r->recs[i].die == ref ? i : 0;
}

/* Is this record a prototype that was made for a function? */
static inline bool records__is_prototype(const struct records *r, uint32_t i)
{
	return i - r->first_proto < r->nr_protos;
}

#endif /* ABTF_LOAD_RECORDS_H */
