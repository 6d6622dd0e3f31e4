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
 * @named:	those that are REC_NAMED, in their order
 * @arrays:	those of several dimensions
 * @from_end:	some item's place is PLACE_FROM_END
 * @entries:	where bodies may begin, and end
 * @calls:	DIEs of functions that are called by name
 * @unknown_calls: 0, or a unit + 1, some of whose calls to other units are not in @calls
 * @first_proto, @nr_protos: the prototypes that were made for functions
 * @at:		record of the last DIE that begins at each four bytes; entries are not
 *		cleared between groups, so one counts only if that record names a DIE there
 * @at_size:	bytes that it has room for, at least the group's
 * @group:	the units
 */
struct records {
	struct rec	*recs;
	uint32_t	nr_recs, cap_recs;
	struct item	*items;
	uint32_t	nr_items, cap_items;
	uint32_t	*named;
	uint32_t	nr_named, cap_named;
	uint32_t	*arrays;
	uint32_t	nr_arrays, cap_arrays;
	bool		from_end;
	struct func_rec	*funcs;
	uint32_t	nr_funcs, cap_funcs;
	struct code_range *entries;
	uint32_t	nr_entries, cap_entries;
	uint32_t	*calls;
	uint32_t	nr_calls, cap_calls;
	uint32_t	unknown_calls;
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

/* Bytes of DWARF, as a power of two, for which there is one entry in struct records' @at. */
#define AT_SHIFT	2

/* In @unknown_calls: of several units, or calls in the unit itself. */
#define CALLS_UNKNOWN	UINT32_MAX

/* Make room for what the group's units say.  Return: 0 or -ENOMEM. */
int records__make_room(struct records *r);

/* Return: the index of the record of a reference, 0 if there is none. */
uint32_t records__find(const struct records *r, uint32_t ref);

/* Return: the index of a new, empty item at the end of a record's, or -ENOMEM. */
int64_t records__new_item(struct records *r, uint32_t owner);

/* Is this record a prototype that was made for a function? */
static inline bool records__is_prototype(const struct records *r, uint32_t i)
{
	return i - r->first_proto < r->nr_protos;
}

#endif /* ABTF_LOAD_RECORDS_H */
