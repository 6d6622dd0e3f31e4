/* SPDX-License-Identifier: GPL-2.0-only */
/* A plain record of a type or a function in DWARF, and of the items that it has. */
#ifndef ABTF_LOAD_REC_H
#define ABTF_LOAD_REC_H

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

/*
 * How an item says its name: by string id, or by this bit and the offset in
 * .debug_str.  A full link leaves one copy of every string there, so that the
 * offset says as much as the string; only the few items that become part of
 * the store are ever looked up.  Should a string have two copies after all,
 * two nodes come of it, and types/unify.h folds them.
 */
#define NAME_OFFSET	(1U << 31)

enum rec_state { REC_NEW, REC_BUSY, REC_DONE };

/**
 * struct rec - a type, or a function (BTF_KIND_FUNC)
 * @key:	what a reference to it counts as in other types' hashes
 * @die:	offset of its DIE from the start of the group, 0 for none
 * @name:	string id
 * @ref:	the type it refers to; a function's return type
 * @size:	bytes; an array's number of elements
 * @first:	first item, @last: last item; items chain by struct item's next
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
 * @name:	string id, or NAME_OFFSET and an offset
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

#endif /* ABTF_LOAD_REC_H */
