/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plain records of a group of units (load/group.h).
 *
 * walk.c reads each unit once, front to back, and adds a record for each type, function
 * and per-CPU variable.  intern.c turns records into nodes of the type store.  The
 * memory is reused for the next group.
 */
#ifndef ABTF_LOAD_RECORDS_H
#define ABTF_LOAD_RECORDS_H

#include "load/group.h"
#include "load/rec.h"
#include "util/grow.h"

/**
 * struct var_rec - a variable in a requested section
 * @address:	its address; in a relocatable file, the offset in @section
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
 * @target:	index of the tagged record or variable
 * @component:	member or parameter, starting at 0; -1 for the whole target
 * @item:	its item, or 0
 */
struct tag_rec {
	uint32_t	unit;
	uint32_t	target;
	uint32_t	value;
	uint32_t	item;
	int32_t		component;
	bool		on_var;
};

/**
 * struct records - one group's records
 * @recs:	[0] is void
 * @items:	[0] is none
 * @named:	records that are REC_NAMED, in their order
 * @arrays:	arrays with several dimensions
 * @entries:	possible code ranges of bodies
 * @calls:	DIEs of functions that are called by name
 * @from_end:	an item's @place is PLACE_FROM_END
 * @unknown_calls: 0, or a unit + 1 with calls to other units that are not in @calls
 * @first_proto, @nr_protos: records of the prototypes of functions
 * @at:		record of the last DIE that starts in each four bytes; entries are not
 *		cleared between groups, so an entry is valid only if the record's DIE is there
 * @at_size:	bytes that @at covers, at least the group's size
 * @group:	the units
 */
struct records {
	VECTOR(struct rec)	recs;
	VECTOR(struct item)	items;
	VECTOR(uint32_t)	named;
	VECTOR(uint32_t)	arrays;
	VECTOR(struct func_rec)	funcs;
	VECTOR(struct code_range) entries;
	VECTOR(uint32_t)	calls;
	VECTOR(struct var_rec)	vars;
	VECTOR(struct tag_rec)	tags;
	bool			from_end;
	uint32_t		unknown_calls;
	uint32_t		*at;
	uint64_t		at_size;
	uint32_t		first_proto;
	uint32_t		nr_protos;
	struct unit_group	group;
};

/* Each entry of struct records' @at covers 1 << AT_SHIFT bytes of DWARF. */
#define AT_SHIFT	2

/* In @unknown_calls: in several units, or including calls within the unit. */
#define CALLS_UNKNOWN	UINT32_MAX

/* Allocate memory for the group.  Return: 0 or -ENOMEM. */
int records__make_room(struct records *r);

/* Return: the index of the referenced record, or 0. */
uint32_t records__find(const struct records *r, uint32_t ref);

/** records__add() - Return: the index of a new record, or -ENOMEM. */
static inline int64_t records__add(struct records *r, struct rec rec)
{
	if (unlikely(r->recs.nr >= REF_INDEX - 1) || push(&r->recs, rec))
		return -ENOMEM;
	return r->recs.nr - 1;
}

/** for_each_item() - Let @p, which is declared here, point to each item of a record in turn. */
#define for_each_item(p, r, rec)						\
	for (struct item *p = (r)->items.array + (rec)->first;			\
	     p != (r)->items.array; p = (r)->items.array + p->next)

/** records__add_item() - Return: the index of a new item at the end of a record's list, or -ENOMEM. */
int64_t records__add_item(struct records *r, uint32_t owner, struct item item);

/* Test for the prototype of a function. */
static inline bool records__is_prototype(const struct records *r, uint32_t i)
{
	return i - r->first_proto < r->nr_protos;
}

#endif /* ABTF_LOAD_RECORDS_H */
