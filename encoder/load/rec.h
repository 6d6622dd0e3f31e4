/* SPDX-License-Identifier: GPL-2.0-only */
/* Plain records of types and functions in DWARF, of their items, and of function bodies. */
#ifndef ABTF_LOAD_REC_H
#define ABTF_LOAD_REC_H

#include <linux/btf.h>

#include "load/list.h"
#include "load/params.h"
#include "types/hash.h"

/*
 * References between records: the offset of a DIE in the group, or, for records
 * without a DIE, REF_INDEX and the index.
 */
#define REF_VOID	0U
#define REF_INDEX	(1U << 31)

/* In addition to BTF_KIND_*: a DIE that is replaced by its target. */
#define REC_ALIAS	0x40

/* REC_NAMED: @key is set, because it is derived from the name; @hash is not. */
enum rec_state { REC_NEW, REC_BUSY, REC_DONE, REC_NAMED };

/**
 * struct rec - a type, or a function (BTF_KIND_FUNC)
 * @key:	hashed for references to it from other types
 * @die:	offset of its DIE from the start of the group, 0 for none
 * @name:	see load/name.h; for a function, its string id
 * @ref:	the type it refers to; a function's return type
 * @size:	bytes; an array's number of elements
 * @first:	first item, @last: last item, linked by struct item's next.  For an
 *		array, the first dimension is in @size, others are items
 * @node:	id in the type store, once interned
 * @encoding:	BTF_INT_* for an INT, otherwise enum misfit
 * @kind:	BTF_KIND_* or REC_ALIAS
 * @flags:	TYPE_*
 * @state:	enum rec_state
 * @depth:	nesting depth of types without a name
 * @hash:	of its content; equals @key, except for named structs, unions
 *		and enums
 */
struct rec {
	struct hash	key;
	uint32_t	die;
	uint8_t		kind;
	uint8_t		flags : 6;
	uint8_t		state : 2;
	uint8_t		encoding;
	uint8_t		depth;
	uint32_t	ref;
	uint32_t	name;
	uint32_t	size;
	uint32_t	first;
	uint32_t	nr_items;
	union {
		uint32_t	last;	/* while the unit is walked */
		uint32_t	node;	/* afterwards */
	};
	struct hash	hash;
};

/* A lookup reads most of these fields. */
_Static_assert(sizeof(struct rec) == 64, "a record fills a cache line");

#define PLACE_FROM_END	0xff

/**
 * struct item - a member, enumerator, array dimension or parameter
 * @next:	index of the next item, or 0
 * @name:	see load/name.h
 * @ref:	its type
 * @origin:	of a parameter: the DIE with name and type
 * @member:	of a parameter with PARAM_MEMBER: the item of the only member that
 *		is passed
 * @die:	of a parameter: its DIE
 * @value:	bit offset, enumerator's value or number of elements
 * @facts:	of a body's parameter, until load/signature.c has checked it
 * @bits:	size of a bit-field
 * @place:	of a bit-field: PLACE_FROM_END if @value is still relative to the end
 *		of the storage unit, which has the size of the member's type
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
	uint8_t		place;
};

/* Test whether a record's items refer to types. */
static inline bool rec__items_have_refs(const struct rec *rec)
{
	return rec->kind == BTF_KIND_STRUCT || rec->kind == BTF_KIND_UNION ||
	       rec->kind == BTF_KIND_FUNC_PROTO;
}

/**
 * struct func_rec - additional data of a function's record
 * @rec:	its record
 * @origin:	abstract instance or declaration with name and type, or 0
 * @entry:	of the body, if @body: the first of its possible entries in
 *		struct records, which has @nr_entries of them
 * @proto:	record of its prototype, made after the unit was read
 * @declared:	a declaration of an assembly function
 * @proven:	record of the prototype that is proven for its code, or 0
 * @source:	record of the function in the source
 * @changed:	the compiler marked the signature as changed
 * @inlined:	declared inline, and inlined
 * @called:	by name, in a unit whose calls are recorded
 * @foreign:	not C's calling convention, or it has additional arguments
 * @guest:	its unit is a guest, see load/group.h
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
	bool		foreign;
	bool		guest;
};

#endif /* ABTF_LOAD_REC_H */
