/* SPDX-License-Identifier: GPL-2.0-only */
/* A distinct type in the store (types/store.h). */
#ifndef ABTF_TYPES_NODE_H
#define ABTF_TYPES_NODE_H

#include "types/kind.h"

/* Flags of struct node and struct rec, which has room for six. */
enum type_flags {
	TYPE_BITFIELDS	= 1 << 0,	/* a member is a bit-field: kind_flag */
	TYPE_FORWARD	= 1 << 1,	/* declared only (struct, union or enum) */
	TYPE_SIGNED	= 1 << 2,	/* an enum with negative values */
	TYPE_VARARGS	= 1 << 3,	/* a prototype that ends in "..." */
	TYPE_VARIANT	= 1 << 4,	/* reaches a definition that is not primary */
	TYPE_ATTRIBUTE	= 1 << 5,	/* a TYPE_TAG for any attribute */
};

/* The target of a btf_decl_tag */
enum tag_on { TAG_ON_TYPE, TAG_ON_VAR, TAG_ON_FUNC };

/**
 * struct child - a member, enumerator or parameter
 * @name:	string id
 * @ref:	its type, as a node id; 0 is void
 * @value:	a member's offset in bits, or an enumerator's value
 * @bits:	size of a bit-field, otherwise 0
 */
struct child {
	uint32_t	name;
	uint32_t	ref;
	uint64_t	value;
	uint32_t	bits;
};

/**
 * struct node - one distinct type
 * @first_seen: where it was first found: unit number << 32 | index of its rec in
 *		the unit's group, or, in BTF, object << 32 | id; BTF ids follow this order
 * @name:	string id
 * @kind:	BTF_KIND_*; a forward has the kind of what it declares
 * @flags:	TYPE_*
 * @size:	bytes; an array's number of elements
 * @encoding:	of an INT, BTF_INT_*
 * @misfit:	of all others, enum misfit of types/fit.h; both are compared as @encoding
 * @ref:	the type it refers to (of an array: the element), as node id; if it is a struct, union or
 *		enum with a name, store__resolve_names() replaces it by its primary definition
 * @child:	first child, in the store's children
 * @nr_children: their number
 * @uses:	number of recs with this type, once store__add_uses() was called; in BTF, 1 or 0.
 *		A type without uses is not written, unless it is the prototype of a FUNC
 * @functions:	number of functions with this prototype; in BTF, 1 or 0
 */
struct node {
	uint64_t	first_seen;
	uint32_t	name;
	uint8_t		kind;
	uint8_t		flags;
	union {
		uint8_t	encoding;
		uint8_t	misfit;
	};
	uint32_t	size;
	uint32_t	ref;
	uint32_t	child;
	uint32_t	nr_children;
	uint32_t	uses;
	uint32_t	functions;
};

#endif /* ABTF_TYPES_NODE_H */
