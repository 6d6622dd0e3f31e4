/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An abbreviation (DWARF 5, 7.5.3), compiled into a decode program.
 *
 * A DIE consists of the values of its abbreviation's attributes.  Each abbreviation
 * is compiled once into a few steps: skip a number of bytes, read a value into a
 * slot.  Unused attributes with a fixed size become part of the next step's skip, so
 * skipping an unused DIE often is one addition.
 */
#ifndef ABTF_LOAD_ABBREV_H
#define ABTF_LOAD_ABBREV_H

#include "load/form.h"

/**
 * struct step - read one value
 * @constant:	of DW_FORM_implicit_const
 * @skip:	bytes before the value
 * @offset:	bytes from the DIE's first attribute, if all have a fixed size
 */
struct step {
	int64_t		constant;
	uint32_t	skip;
	uint16_t	offset;
	uint8_t		op;
	uint8_t		slot;
};

#define BRIEF_NONE	0xff

/* How walk_brief() reads a DIE. */
enum brief_way {
	BRIEF_NOT,
	BRIEF_TYPE,
	BRIEF_FUNC,
	BRIEF_MEMBER,
	BRIEF_ENUMERATOR,
	BRIEF_PARAMETER,
	BRIEF_DIMENSION,
};

/**
 * struct brief - a DIE in a common form: its attributes have a fixed size, except for
 * an inline name, which comes first, and only a few of them are used
 * @name:	offset of its name (VALUE_STRP), in bytes from the first attribute
 * @type:	offset of its type (VALUE_REF, four bytes)
 * @bits:	offset of the width of a bit-field, one byte
 * @value:	offset of its offset, value, bound or size
 * @mask:	which of the four bytes there are used; 0: use @constant
 * @bias:	of a dimension: what to add for its number of elements
 * @inline_name: the name is the first attribute, a string; offsets and @size
 *		are relative to its end
 * @forward:	a declaration
 * @size:	bytes of the attributes
 *
 * A function, which has no body, only uses @name, @forward and @size.  An offset is
 * BRIEF_NONE if there is no such attribute.  Only used on little-endian hosts, where
 * a mask makes values of all sizes readable as four bytes.
 */
struct brief {
	uint8_t		name;
	uint8_t		type;
	uint8_t		bits;
	uint8_t		value;
	uint8_t		bias;
	uint8_t		size;
	bool		inline_name;
	bool		forward;
	uint32_t	mask;
	int64_t		constant;
};

/* How the walk over DIEs uses a tag. */
enum die_use {
	USE_NEVER,
	USE_TREE,	/* nor its descendants: jump to the sibling if known */
	USE_TYPE,	/* anywhere */
	USE_ITEM,	/* below the type or function that it is a part of */
	USE_FUNC,
	USE_DECLARATION,	/* of a function, if declarations are used */
	USE_CALL,		/* of a function, in units whose calls are recorded */
	USE_VAR,
};

/* For @parents: a bit per kind. */
#define KIND(kind)		(1U << (kind))
#define TAKES_ANNOTATIONS	KIND(31)	/* not the number of a kind */

/**
 * struct abbrev - one compiled abbreviation
 * @tag:	DW_TAG_*
 * @children:	DW_CHILDREN_yes
 * @use:	enum die_use
 * @kind:	of a type, BTF_KIND_* or REC_ALIAS
 * @way:	enum brief_way; BRIEF_NOT unless @brief covers all of it, or what is needed
 *		of a function
 * @parents:	of an item, bit per BTF_KIND_* that it can be a part of
 * @size:	bytes of the attributes if fixed, otherwise -1
 * @simple:	the size is fixed, and every used value is a plain number
 * @slots:	bit per existing slot
 * @class:	enum value_class by slot
 * @skip:	first step of the program that only skips
 * @take:	first step of the program that fills struct die
 */
struct abbrev {
	uint32_t	tag;
	bool		children;
	bool		simple;
	uint8_t		use;
	uint8_t		kind;
	uint8_t		way;
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

/** abbrev__find_brief() - Fill @way and @brief from @steps, which read its values. */
void abbrev__find_brief(struct abbrev *a, const struct step *steps);

/** abbrev__classify() - Fill @use, @kind and @parents from tag and attributes. */
void abbrev__classify(struct abbrev *a);

#endif /* ABTF_LOAD_ABBREV_H */
