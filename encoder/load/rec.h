/* SPDX-License-Identifier: GPL-2.0-only */
/* A plain record of a type or a function in DWARF, of the items that it has, and of a body. */
#ifndef ABTF_LOAD_REC_H
#define ABTF_LOAD_REC_H

#include <linux/btf.h>

#include "load/params.h"
#include "types/hash.h"

/*
 * How a record names another: by the offset of its DIE from the start of the
 * group, or, for records that no DIE stands for, by its index.
 */
#define REF_VOID	0U
#define REF_INDEX	(1U << 31)

/* Beside BTF_KIND_*: a DIE that only passes on what it refers to. */
#define REC_ALIAS	0x40

/* REC_NAMED: its @key is known, since it goes by its name; its @hash is not. */
enum rec_state { REC_NEW, REC_BUSY, REC_DONE, REC_NAMED };

/**
 * struct rec - a type, or a function (BTF_KIND_FUNC)
 * @key:	what a reference to it counts as in other types' hashes
 * @die:	offset of its DIE from the start of the group, 0 for none
 * @name:	see load/name.h; of a function, its string id
 * @ref:	the type it refers to; a function's return type
 * @size:	bytes; an array's number of elements
 * @first:	first item, @last: last item; items chain by struct item's next.  An
 *		array has its first dimension in @size, and items of the others
 * @node:	id in the type store, once interned
 * @encoding:	of an INT, BTF_INT_*; of others enum misfit
 * @kind:	BTF_KIND_* or REC_ALIAS
 * @flags:	TYPE_*
 * @state:	enum rec_state
 * @depth:	how deep types without a name are nested in it
 * @hash:	of its content; the same as @key unless it is a named struct,
 *		union or enum
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

/* What a look-up reads stands together, and little of it is never used. */
_Static_assert(sizeof(struct rec) == 64, "a record fills a cache line");

#define PLACE_FROM_END	0xff

/**
 * struct item - a member, enumerator, array dimension or parameter
 * @next:	index of the next one, 0 ends the list
 * @name:	see load/name.h
 * @ref:	its type
 * @origin:	of a parameter: the DIE that has name and type
 * @member:	the same of a parameter with PARAM_MEMBER: the item of the only
 *		member of it that is passed
 * @die:	of a parameter: its DIE
 * @value:	bit offset, enumerator's value or number of elements
 * @facts:	of a body's parameter, until load/signature.c has judged it
 * @bits:	size of a bit-field
 * @place:	of a bit-field: whether @value still counts from the end of the
 *		storage unit, which is as big as the member's type
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

/* Do the items of a record refer to types? */
static inline bool rec__items_have_refs(const struct rec *rec)
{
	return rec->kind == BTF_KIND_STRUCT || rec->kind == BTF_KIND_UNION ||
	       rec->kind == BTF_KIND_FUNC_PROTO;
}

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
 * @foreign:	its arguments are not where C has them, or not all that it is given
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
	bool		foreign;
	bool		guest;
};

#endif /* ABTF_LOAD_REC_H */
