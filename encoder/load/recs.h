/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plain recs of a group of units.
 *
 * walk.c reads each unit once, front to back, and adds a rec for each type and function,
 * and entries for variables and tags.  intern.c turns recs into nodes of the type store.  The
 * memory is reused for the next group.
 *
 * A group consists of units that are read together, because they refer to each other.
 *
 * Most groups have one unit.  clang's link-time optimization writes adjacent units
 * with a common table of abbreviations; these are the *own* units of a group.  Each
 * unit is an own unit of one group.  If a reference leads out of the group (to dwz's
 * partial units, or with gcc's link-time optimization), its target's unit becomes a
 * *guest*.  A guest is read for its types and function names.  Its code and variables
 * are only recorded in the group that owns it.
 *
 * DIEs in a group are identified by their offset in the concatenation of its units.
 */
#ifndef ABTF_LOAD_RECS_H
#define ABTF_LOAD_RECS_H

#include <linux/btf.h>

#include "load/observe.h"
#include "load/params.h"
#include "load/dw_tags.h"
#include "util/grow.h"
#include "util/hash.h"

/** struct group_unit - @unit: number; @offset: in the group */
struct group_unit {
	uint32_t	unit;
	uint32_t	offset;
};

/**
 * struct unit_group - the units: @nr_own own units in their order, then guests
 * @size:	bytes of all units
 * @start:	offset of the first own unit in .debug_info; @own_size: bytes of all own units
 * @guest_at:	index of a guest by number of the unit, 0 if not a guest
 * @guest_bytes: bytes of guests so far, of all groups
 */
struct unit_group {
	VECTOR(struct group_unit);
	const struct dwarf	*dw;
	uint32_t		nr_own;
	uint64_t		size;
	uint64_t		start;
	uint64_t		own_size;
	uint32_t		*guest_at;
	uint64_t		guest_bytes;
};

/** group__begin() - Replace the units by @nr units from @first. */
void group__begin(struct unit_group *g, uint32_t first, uint32_t nr);

/**
 * group__offset() - convert an offset in .debug_info to one in the group
 *
 * Return: the offset, or 0 if its unit is not in the group.
 */
uint64_t group__offset(const struct unit_group *g, uint64_t offset);

/**
 * group__add() - like group__offset(), but make its unit a guest if needed
 *
 * Return: the offset; -EINVAL if there cannot be a DIE; -E2BIG for an implausible
 * number of guests.
 */
int64_t group__add(struct unit_group *g, uint64_t offset);

/** group__info_offset() - Return: a DIE's offset in .debug_info, and its unit in @u. */
uint64_t group__info_offset(const struct unit_group *g, uint32_t die, const struct unit **u);

void group__destroy(struct unit_group *g);

/*
 * Names in recs: NAME_OFFSET and the offset in .debug_str, NAME_BRIEF and up to
 * three characters, the first one lowest, or a string id; 0 for no name.
 *
 * In a linked image, .debug_str has one copy of each string, so the offset identifies
 * the string.  Only the few strings that become part of the store are looked up.  If a
 * string has two copies nevertheless, there are two nodes, and types/unify.h folds
 * them.
 */
#define NAME_OFFSET	(1U << 31)
#define NAME_BRIEF	(1U << 30)

/*
 * References between recs: the offset of a DIE in the group, or, for recs
 * without a DIE, REF_INDEX and the index.
 */
#define REF_VOID	0U
#define REF_INDEX	(1U << 31)

/* The rec for references to DIEs that do not exist or are not types; an alias if there are none. */
#define REC_ODD		1U

/* Of a struct */
enum packing { PACKING_UNKNOWN, PACKING_NONE, PACKING_PACKED };

/* REC_NAMED: @key is set, because it is derived from the name; @hash is not set yet. */
enum rec_state { REC_NEW, REC_BUSY, REC_DONE, REC_NAMED };

/**
 * struct rec - a type, or a function (BTF_KIND_FUNC)
 * @key:	hashed for references from other types
 * @die:	offset of its DIE from the start of the group, 0 for none
 * @name:	see NAME_OFFSET; for a function, its string id
 * @ref:	the type it refers to; a function's return type
 * @size:	bytes; an array's number of elements
 * @first:	first item; the others are linked by struct item's next.  Of an array, items are
 *		the dimensions after the first, which is in @size
 * @node:	id in the type store, once intern_all() has interned it; loader__make_variants() may
 *		change it to a variant's.  Aliases and functions have none
 * @encoding:	of an INT, BTF_INT_*
 * @misfit:	of all others, enum misfit
 * @kind:	BTF_KIND_* or REC_ALIAS
 * @flags:	TYPE_*
 * @state:	enum rec_state
 * @depth:	nesting depth of types without a name
 * @last:	the last item, while items are added
 * @alignment, @packing: of a struct or union, while prototypes are made; 0 if not computed yet
 * @hash:	in the place of these once it is hashed: of its content; equals @key, except for
 *		named structs, unions and enums
 */
struct rec {
	struct hash	key;
	uint32_t	die;
	uint8_t		kind;
	uint8_t		flags : 6;
	uint8_t		state : 2;
	union {
		uint8_t	encoding;
		uint8_t	misfit;
	};
	uint8_t		depth;
	uint32_t	ref;
	uint32_t	name;
	uint32_t	size;
	uint32_t	first;
	uint32_t	nr_items;
	uint32_t	node;
	union {
		struct {
			uint64_t	alignment;
			enum packing	packing;
			uint32_t	last;
		};
		struct hash	hash;
	};
};

/* A lookup reads most of these fields. */
_Static_assert(sizeof(struct rec) == 64, "a rec fills a cache line");

/**
 * struct item - a member, enumerator, array dimension, number of values or parameter
 * @next:	index of the next item, or 0
 * @name:	see NAME_OFFSET
 * @ref:	its type
 * @origin:	of a parameter: the DIE with name and type
 * @member:	of a parameter with PARAM_MEMBER: the item of the only member that
 *		is passed
 * @die:	of a parameter: its DIE
 * @value:	bit offset, enumerator's value, number of elements, or of a subrange's values
 * @facts:	of the parameter of a body, or of its abstract function, until load/signature.c
 *		has made the prototype
 * @bits:	size of a bit-field
 * @from_end:	of a bit-field: @value is still relative to the end of the storage unit, which has
 *		the size of the member's type
 */
struct item {
	union {
		uint64_t		value;
		struct param_facts	facts;
	};
	uint32_t	next;
	uint32_t	name;
	uint32_t	ref;
	union {
		uint32_t	origin;
		uint32_t	member;
	};
	uint32_t	die;
	uint16_t	bits;
	bool		from_end;
};

/**
 * struct var_rec - a variable
 * @var:	all but its type, which has no node yet
 * @ref:	its type
 */
struct var_rec {
	struct variable	var;
	uint32_t	ref;
};

/**
 * struct tag_rec - a btf_decl_tag; struct tag_seen has what it becomes
 * @on:		what @target is
 * @target:	index of a variable, or of the rec of a type or function
 * @value:	string id
 * @component:	member or parameter, starting at 0; -1 for the whole target
 * @item:	the item of the parameter, or 0
 */
struct tag_rec {
	enum tag_on	on;
	uint32_t	unit;
	uint32_t	target;
	uint32_t	value;
	int32_t		component;
	uint32_t	item;
};

/**
 * struct dimension - a dimension of an array that has the bounds of its index type
 * @array:	its rec
 * @item:	0 for the first dimension
 * @index:	reference to the index type
 */
struct dimension {
	uint32_t	array;
	uint32_t	item;
	uint32_t	index;
};

/**
 * struct stride - the distance from an element of an array to the next
 * @array:	its rec
 * @dimension:	starting at 0; UINT32_MAX for the last one
 * @bits:	the distance; 0 if it is not a constant
 */
struct stride {
	uint32_t	array;
	uint32_t	dimension;
	uint64_t	bits;
};

/** struct rec_range - @nr recs from @first */
struct rec_range {
	uint32_t	first;
	uint32_t	nr;
};

/**
 * struct recs - one group's recs: [0] is void, [1] is REC_ODD
 * @items:	[0] is unused
 * @named:	recs that are REC_NAMED, in their order
 * @arrays:	arrays with several dimensions
 * @dimensions:	dimensions without bounds, until loader__intern()
 * @strides:	of arrays, until loader__intern()
 * @aliases:	types that are REC_ALIAS
 * @fresh:	recs whose content is new, so that the store needs it
 * @excluded:	the recs of units whose languages are excluded
 * @ranges:	of code, at the start of which bodies may start: see unit__add_entries()
 * @vars:	with references instead of types
 * @calls:	DIEs of functions that are called by name
 * @from_end:	an item is @from_end
 * @unknown_calls: 0, or a unit + 1 with calls to other units that are not in @calls
 * @first_proto, @nr_protos: recs of the prototypes of functions
 * @at:		rec of the last DIE that starts in each four bytes; entries are not
 *		cleared between groups, so an entry is valid only if the rec's DIE is there
 * @at_size:	bytes that @at covers, at least the group's size
 * @group:	the units
 */
struct recs {
	VECTOR(struct rec);
	VECTOR(struct item)	items;
	VECTOR(uint32_t)	named;
	VECTOR(uint32_t)	arrays;
	VECTOR(struct dimension) dimensions;
	VECTOR(struct stride)	strides;
	VECTOR(uint32_t)	aliases;
	VECTOR(uint32_t)	fresh;
	VECTOR(struct func_rec)	funcs;
	VECTOR(struct rec_range) excluded;
	struct code_ranges	ranges;
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

/* Each entry of struct recs' @at covers 1 << AT_SHIFT bytes of DWARF. */
#define AT_SHIFT	2

/* In @unknown_calls: in several units, or including calls within the unit. */
#define CALLS_UNKNOWN	UINT32_MAX

/* Allocate memory for the group. */
void recs__make_room(struct recs *r);

/* Return: the index of the referenced rec, or 0. */
uint32_t recs__find(const struct recs *r, uint32_t ref);

/** recs__odd() - Count the group among those with a wrong reference. Return: REC_ODD. */
uint32_t recs__odd(struct recs *r);

/**
 * recs__add() - add a rec
 *
 * The initializer is evaluated after recs may have moved: it must not use pointers to them.
 * A vector has at most 1 << 31 entries, so indices leave room for REF_INDEX.
 *
 * Return: its index.
 */
#define recs__add(r, ...)							\
({										\
	struct recs *r_ = (r);						\
										\
	push(r_, __VA_ARGS__);						\
	r_->nr - 1;							\
})

/** for_each_item() - Iterate over the items of a rec; declares @p. */
#define for_each_item(p, r, rec)						\
	for (struct item *p = (r)->items.array + (rec)->first;			\
	     p != (r)->items.array; p = (r)->items.array + p->next)

/** recs__add_item() - Add an item to a rec. Return: its index. */
uint32_t recs__add_item(struct recs *r, uint32_t owner, struct item item);

/** recs__is_ordered() - Test whether members are sorted by offset.  In Rust structs, they may not be. */
bool recs__is_ordered(const struct recs *r, const struct rec *rec);

static inline bool rec__has_node(const struct rec *rec)
{
	return rec->kind != BTF_KIND_FUNC && rec->kind != REC_ALIAS;
}

/* Test for the prototype of a function. */
static inline bool recs__is_prototype(const struct recs *r, uint32_t i)
{
	return i - r->first_proto < r->nr_protos;
}

#endif /* ABTF_LOAD_RECS_H */
