/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An abbreviation (DWARF 5, 7.5.3), compiled into a decode program.
 *
 * A DIE is nothing but the values of its abbreviation's attributes.  Instead
 * of asking for each attribute by name, every abbreviation is compiled once
 * into the few steps that matter: skip so many bytes, take a value into a
 * slot.  Runs of attributes of fixed size that nobody wants become part of the
 * next step's skip, and a DIE that nobody wants is often one addition.
 */
#ifndef ABTF_LOAD_ABBREV_H
#define ABTF_LOAD_ABBREV_H

#include "load/die.h"

/* LLVM's own tag for btf_decl_tag and btf_type_tag */
#define DW_TAG_LLVM_annotation	0x6000

/* The steps a program is made of. */
enum step_op {
	OP_END,
	OP_CONSTANT,	/* the value stands in the abbreviation */
	OP_U8, OP_U16, OP_U24, OP_U32, OP_U64,
	OP_ULEB, OP_SLEB, OP_STRING,
	OP_BLOCK8, OP_BLOCK16, OP_BLOCK32, OP_BLOCK_ULEB, OP_DATA16,
	OP_INDIRECT,	/* the form stands before the value */
};

/**
 * struct step - take one value
 * @constant:	of DW_FORM_implicit_const
 * @skip:	bytes before the value
 * @offset:	bytes from the DIE's first attribute, if all are of fixed size
 */
struct step {
	int64_t		constant;
	uint32_t	skip;
	uint16_t	offset;
	uint8_t		op;
	uint8_t		slot;
};

#define BRIEF_NONE	0xff

/**
 * struct brief - a DIE in one of the forms that nearly all of its tag have:
 * fixed attributes, of which but a few are wanted, after the name if that
 * stands in the DIE itself
 * @name:	where its name (VALUE_STRP) stands, in bytes from the attributes
 * @type:	where its type (VALUE_REF, four bytes) stands
 * @bits:	where the width of a bit-field stands, one byte
 * @value:	where its offset, value, bound or size stands
 * @mask:	what of the four bytes there it is; 0: it is @constant
 * @shift, @bias: what to shift that by, and to add, for the item's value
 * @inline_name: the name is the first attribute, a string; places and @size
 *		count from its end
 * @forward:	a declaration
 * @size:	bytes of the attributes
 *
 * Of a function, without a body, there is nothing but @name, @forward and @size.  A place
 * is BRIEF_NONE if there is no such attribute.  Only found on a host of little endian,
 * where a mask makes one read of all sizes.
 */
struct brief {
	uint8_t		name;
	uint8_t		type;
	uint8_t		bits;
	uint8_t		value;
	uint8_t		shift;
	uint8_t		bias;
	uint8_t		size;
	bool		inline_name;
	bool		forward;
	uint32_t	mask;
	int64_t		constant;
};

/* What a tag is to the walk over the DIEs. */
enum die_use {
	USE_NEVER,
	USE_TREE,	/* nor anything below it: jump to the sibling if that is known */
	USE_TYPE,	/* anywhere */
	USE_ITEM,	/* below the type or function it is a part of */
	USE_FUNC,
	USE_DECLARATION,	/* of a function, if any is wanted */
	USE_CALL,		/* of a function, in units whose calls are wanted */
	USE_VAR,
};

/* For @parents: what a kind of type has. */
#define KIND(kind)		(1U << (kind))
#define TAKES_ANNOTATIONS	KIND(31)	/* no kind has that number */

/**
 * struct abbrev - one compiled abbreviation
 * @code:	its number
 * @tag:	DW_TAG_*
 * @children:	DW_CHILDREN_yes
 * @use:	enum die_use
 * @kind:	of a type, BTF_KIND_* or REC_ALIAS
 * @is_brief:	@brief says all of it, or enough of a function
 * @parents:	of an item, bit per BTF_KIND_* that it may be a part of
 * @size:	bytes of the attributes if that is fixed, else -1
 * @simple:	the size is fixed, and every wanted value a plain number
 * @slots:	bit per slot that it has
 * @class:	enum value_class by slot
 * @skip:	first step of the program that only skips
 * @take:	first step of the program that fills struct die
 */
struct abbrev {
	uint64_t	code;
	uint32_t	tag;
	bool		children;
	bool		simple;
	uint8_t		use;
	uint8_t		kind;
	bool		is_brief;
	struct brief	brief;
	uint32_t	parents;
	int32_t		size;
	uint64_t	slots;
	uint32_t	skip;
	uint32_t	take;
	uint8_t		class[NR_AT];
};

static inline bool abbrev__has(const struct abbrev *a, enum die_slot slot)
{
	return a->slots >> slot & 1;
}

/** abbrev__find_brief() - Fill @is_brief and @brief, by @steps, which take its values. */
void abbrev__find_brief(struct abbrev *a, const struct step *steps);

/** abbrev__classify() - Fill @use, @kind and @parents, by tag and attributes. */
void abbrev__classify(struct abbrev *a);

#endif /* ABTF_LOAD_ABBREV_H */
