/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function in each phase, from its DIE to its FUNC:
 *
 *	func_rec	a function of the group that is being read (walk.c).  Its rec has its name, and
 *			refers to the DIEs of its result and, in items, of its parameters; a body that
 *			refers to another DIE for them gets them in adopt_origin() (signature.c).  Only
 *			its prototype, a second rec with these items, or some of them, gets a node
 *	func_body	the start of its code, and its description: refers to the type store, and
 *			outlives the recs (intern.c)
 *	func_mention	the description of a function without code
 *	instance	a function symbol and the description that fits (functions/decide.h)
 *	out_func	its FUNC: name, node of its prototype, offset from _text or in a module's
 *			section (btf/write.h); the writer numbers nodes last
 *
 * A rec refers to the offset of a DIE in its group (recs__find()); its name is a string id for
 * functions, and mostly an offset in .debug_str for others (load/recs.h).  Strings and nodes have the
 * ids of a thread's store, and then, from merge_workers() (units.c) on, of one store for all threads.
 */
#ifndef ABTF_LOAD_FUNCTION_H
#define ABTF_LOAD_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

/* Facts that may prevent a FUNC, or change it (reason_of(), apply_verdict() in functions/decide.c). */
enum func_doubt {
	DOUBT_REGISTER	= 1 << 0,	/* an argument is in another register */
	DOUBT_PACKED	= 1 << 1,	/* a packed struct on the stack, at an unknown place */
	DOUBT_UNNAMED	= 1 << 2,	/* a parameter has no name: the kernel rejects this */
	DOUBT_REMOVED	= 1 << 3,	/* the body has not all parameters of its source, or more */
	DOUBT_REORDERED	= 1 << 4,	/* or the same parameters in another order */
	DOUBT_CHANGED	= 1 << 5,	/* marked as changed, or perhaps changed without a mark */
	DOUBT_NO_PROTOTYPE = 1 << 6,	/* not one of C: assembly, Rust, or made by the compiler */
	DOUBT_OPTIMIZED	= 1 << 7,	/* as pahole: a parameter has no location */
	DOUBT_PIECES	= 1 << 8,	/* as pahole: no DW_AT_low_pc; else, each piece is a func_body */
	DOUBT_MISFIT	= 1 << 9,	/* BTF cannot represent one of its types */
	DOUBT_EMPTY	= 1 << 10,	/* no code, the next function follows */
	DOUBT_RESULT	= 1 << 11,	/* if local, the compiler may have removed its result */
	DOUBT_LATE	= 1 << 12,	/* DWARF only describes a parameter after the entry */
};

/* The signature may be another one. */
#define DOUBTS_CHANGED	(DOUBT_CHANGED | DOUBT_LATE)

/**
 * struct func_rec - a function of the unit that is being read
 * @rec:	its rec: @name, @ref is its result, items are its parameters
 * @unit:	number of the unit
 * @proto_rec:	of its prototype, made when its group has been read; it gets a node like any type
 * @proven_rec:	of the prototype that is proven for its code, or 0; see @proven below
 * @decl_unit, @decl_file, @decl_line: see struct func_facts
 * @origin:	reference to the DIE with its name and types (DW_AT_abstract_origin), or 0
 * @range:	if @body: the index of the first of its @nr_ranges of code; its entry is at the start
 *		of one of them
 * @declared:	DW_AT_declaration; such functions are only kept for the language of assembly
 * @source:	0, and from signature.c on, the rec of the function in the source, which may be @rec
 * @changed:	the compiler marked the signature as changed
 * @inlined:	declared inline, and inlined
 * @called:	by name, or there may be a call that DWARF does not record (only determined for clang)
 * @foreign:	its calling convention is not C's, or it has additional arguments
 * @guest:	its unit is a guest of the group
 */
struct func_rec {
	uint32_t	rec;
	uint32_t	unit;
	uint32_t	proto_rec;
	uint32_t	proven_rec;
	uint32_t	decl_unit;
	uint32_t	decl_file;
	uint32_t	decl_line;
	uint32_t	range;
	uint32_t	nr_ranges;
	uint32_t	origin;
	uint32_t	source;
	uint16_t	doubts;
	bool		external;
	bool		body;
	bool		declared;
	bool		changed;
	bool		called;
	bool		inlined;
	bool		foreign;
	bool		guest;
};

/**
 * struct func_facts - the description of a function, from its DIE to its FUNC
 * @name:	string id of its name in the source
 * @proto:	node of its prototype; the FUNC's is in struct out_func
 * @proven:	node of the prototype that is proven for its code, or 0; only used for clones, and for
 *		functions that may have been changed
 * @unit:	number of the unit, or NO_UNIT if nothing describes the function.  In BTF, a file in
 *		names of FUNCs is a unit, and [0] has all FUNCs without a file
 * @desc:	number of the description in @unit: the offset of its DIE in the unit's group, or the
 *		number of its FUNC in BTF that was read, starting at 1; 0: none
 * @decl_file, @decl_line: its declaration; @decl_unit, which may be a partial unit, has the file
 *		with this number
 * @doubts:	DOUBT_*
 */
struct func_facts {
	uint32_t	name;
	uint32_t	proto;
	uint32_t	proven;
	uint32_t	unit;
	uint32_t	desc;
	uint32_t	decl_unit;
	uint32_t	decl_file;
	uint32_t	decl_line;
	uint16_t	doubts;
	bool		external;
};

#define NO_UNIT	UINT32_MAX

/** desc__id() - Return: what identifies a description among those of all units. */
static inline uint64_t desc__id(uint32_t unit, uint32_t desc)
{
	return (uint64_t)unit << 32 | desc;
}

/** func_facts__exist() - Test whether something describes the function. */
static inline bool func_facts__exist(const struct func_facts *f)
{
	return f->unit != NO_UNIT;
}

/**
 * struct func_body - a place where a body that DWARF describes may start; if it has ranges, there is
 *		one for each
 * @address:	of its entry; functions/decide.c moves it to the symbol, which may start earlier
 * @size:	bytes of the range that starts there, 0 if unknown
 * @section:	its section; in a linked image, 0 until functions/decide.c looks it up
 */
struct func_body {
	uint64_t		address;
	uint64_t		size;
	uint32_t		section;
	struct func_facts	facts;
};

/**
 * struct func_mention - a function described without a body (inlined
 * everywhere in that unit, or folded into another), or only declared: one per
 * name and prototype, and per unit if it is static and may have been folded
 * @facts:	in the first unit with it, but @doubts and @external of all units
 * @nr_units: number of units with it
 * @folded:	in a unit, it is not an inlined "inline" function, so it may have
 *		code elsewhere
 */
struct func_mention {
	struct func_facts	facts;
	uint32_t		nr_units;
	bool			declared;
	bool			folded;
};

#endif /* ABTF_LOAD_FUNCTION_H */
