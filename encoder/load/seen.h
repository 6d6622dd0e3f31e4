/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What DWARF or BTF says about functions and variables: ids of nodes and strings, no
 * pointer into a unit.  Saved always, and judged later, when everything is known
 * (functions/decide.h).
 */
#ifndef ABTF_LOAD_SEEN_H
#define ABTF_LOAD_SEEN_H

#include <stdbool.h>
#include <stdint.h>

/* Why a body's arguments may not be what its prototype says. */
enum func_doubt {
	DOUBT_REGISTER	= 1 << 0,	/* an argument sits in another register */
	DOUBT_PACKED	= 1 << 1,	/* a packed struct on the stack: no telling where */
	DOUBT_UNNAMED	= 1 << 2,	/* a parameter has no name: the kernel refuses it */
	DOUBT_REMOVED	= 1 << 3,	/* the body has fewer parameters than its source */
	DOUBT_REORDERED	= 1 << 4,	/* or the same ones in another order */
	DOUBT_CHANGED	= 1 << 5,	/* the compiler says that it changed the signature */
	DOUBT_NO_PROTOTYPE = 1 << 6,	/* an assembler describes it */
	DOUBT_OPTIMIZED	= 1 << 7,	/* a parameter has no place, in pahole's words */
	DOUBT_MISFIT	= 1 << 9,	/* a type of it is none that BTF could hold */
	DOUBT_PIECES	= 1 << 8,	/* its code is in pieces: pahole knows no address */
	DOUBT_EMPTY	= 1 << 10,	/* no code: what is there belongs to the next one */
};

/**
 * struct func_body - a body that DWARF describes
 * @address:	its entry
 * @size:	bytes of the piece that begins there, 0 if that is unknown
 * @section:	in a relocatable file, its section
 * @name:	string id
 * @proto:	node id
 * @proven:	node id of the prototype that its code has by proof, or 0
 * @unit:	number of the unit
 * @decl_file, @decl_line: where it is declared; the unit's file number
 * @doubts:	DOUBT_*
 */
struct func_body {
	uint64_t	address;
	uint64_t	size;
	uint32_t	section;
	uint32_t	name;
	uint32_t	proto;
	uint32_t	proven;
	uint32_t	unit;
	uint32_t	die;
	uint32_t	decl_file;
	uint32_t	decl_line;
	uint16_t	doubts;
	bool		external;
};

/**
 * struct func_mention - a function described without a body (inlined
 * everywhere in that unit, or folded into another), or only declared: one per
 * name and prototype
 * @unit:	the first one that says it
 * @count:	units that say it
 * @folded:	in one of them it is no "inline" that was put into callers: it may have
 *		code elsewhere
 */
struct func_mention {
	uint32_t	name;
	uint32_t	proto;
	uint32_t	unit;
	uint32_t	decl_file;
	uint32_t	decl_line;
	uint32_t	count;
	uint16_t	doubts;
	bool		external;
	bool		declared;
	bool		folded;
};

/**
 * struct variable - a variable with an address
 * @size:	in bytes; 0 if its type is to be asked
 */
struct variable {
	uint64_t	address;
	uint32_t	section;
	uint32_t	name;
	uint32_t	type;
	uint32_t	size;
	uint32_t	unit;
	uint32_t	die;
	bool		external;
};

enum tag_on { TAG_ON_TYPE, TAG_ON_VAR, TAG_ON_FUNC };

/**
 * struct tag_seen - a btf_decl_tag
 * @target:	node id of a type; of a variable or function its
 *		unit << 32 | DIE
 * @value:	string id
 * @component:	member or parameter, counted from 0; -1 for the whole
 * @attribute:	it stands for any attribute (kind_flag)
 */
struct tag_seen {
	uint64_t	target;
	uint32_t	value;
	int32_t		component;
	enum tag_on	on;
	uint32_t	unit;
	bool		attribute;
};

#endif /* ABTF_LOAD_SEEN_H */
