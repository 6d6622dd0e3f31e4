/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Abbreviations (DWARF 5, 7.5.3), compiled into decode programs.
 *
 * A DIE is nothing but the values of its abbreviation's attributes.  Instead
 * of asking for each attribute by name, every abbreviation is compiled once
 * into the few steps that matter: skip so many bytes, take a value into a
 * slot.  Runs of attributes of fixed size that nobody wants become part of the
 * next step's skip, and a DIE that nobody wants is often one addition.
 */
#ifndef ABTF_LOAD_ABBREV_H
#define ABTF_LOAD_ABBREV_H

#include <stdbool.h>
#include <stdint.h>

#include "util/bytes.h"

/* The attributes that are ever looked at, and their slot in struct die. */
enum die_slot {
	AT_NAME, AT_TYPE, AT_BYTE_SIZE, AT_ENCODING, AT_BIT_SIZE, AT_BIT_OFFSET,
	AT_DATA_BIT_OFFSET, AT_MEMBER_LOCATION, AT_CONST_VALUE, AT_UPPER_BOUND,
	AT_LOWER_BOUND, AT_COUNT, AT_DECLARATION, AT_EXTERNAL, AT_ARTIFICIAL, AT_ORIGIN,
	AT_SPECIFICATION, AT_LOW_PC, AT_HIGH_PC, AT_RANGES, AT_LOCATION,
	AT_CALLING_CONVENTION, AT_INLINE, AT_PRODUCER, AT_DECL_FILE,
	AT_DECL_LINE, AT_SIBLING, AT_COMP_DIR, AT_STMT_LIST, AT_LANGUAGE,
	AT_STR_OFFSETS_BASE, AT_ADDR_BASE, AT_RNGLISTS_BASE, AT_LOCLISTS_BASE,
	AT_DWO_NAME,
	AT_NONE,		/* where unwanted values of variable size go */
	NR_AT,
};

/* an inlined call has no location */
#define AT_ENTRY_PC	AT_LOCATION

/* What kind of value a form gives. */
enum value_class {
	VALUE_NONE,
	VALUE_UINT,		/* data, udata, flag */
	VALUE_SINT,		/* sdata, implicit_const */
	VALUE_ADDR,		/* an address */
	VALUE_ADDRX,		/* index into .debug_addr */
	VALUE_STRING,		/* offset of an inline string in the unit's section */
	VALUE_STRP,		/* offset in .debug_str */
	VALUE_LINE_STRP,	/* offset in .debug_line_str */
	VALUE_STRX,		/* index into .debug_str_offsets */
	VALUE_REF,		/* offset of a DIE from the unit's header */
	VALUE_REF_ADDR,		/* offset of a DIE in .debug_info */
	VALUE_BLOCK,		/* bytes: value is their offset in the section, see len */
	VALUE_SEC_OFFSET,	/* offset in another section */
	VALUE_LISTX,		/* index of a location or range list */
	VALUE_UNSUPPORTED,	/* refers to another file or a type unit */
};

/**
 * struct die - the values of one DIE
 * @has:	bit per slot
 * @class:	enum value_class by slot; its abbreviation's
 * @value:	by slot
 * @len:	bytes of a VALUE_BLOCK
 */
struct die {
	uint64_t	has;
	const uint8_t	*class;
	uint64_t	value[NR_AT];
	uint32_t	len[NR_AT];
};

static inline bool die__has(const struct die *die, enum die_slot slot)
{
	return die->has >> slot & 1;
}

struct form {
	uint8_t		op;
	uint8_t		class;
	uint8_t		size;		/* bytes, where that is fixed */
};

#define NR_FORMS	0x2d

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
 * A place is BRIEF_NONE if there is no such attribute.  Only found on a host of
 * little endian, where a mask makes one read of all sizes.
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

/**
 * struct abbrev - one compiled abbreviation
 * @code:	its number
 * @tag:	DW_TAG_*
 * @children:	DW_CHILDREN_yes
 * @use:	enum die_use
 * @kind:	of a type, BTF_KIND_* or REC_ALIAS
 * @is_brief:	@brief says all of it
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

/**
 * struct known_abbrev - a declaration that was compiled before
 * @bytes, @len: it, without its code
 * @ref_addr:	one of its forms refers across units
 */
struct known_abbrev {
	const uint8_t	*bytes;
	uint32_t	len;
	bool		ref_addr;
	struct abbrev	abbrev;
};

/**
 * struct abbrevs - one compiled table
 * @known:	declarations compiled for this @key's sizes, which come again and
 *		again from unit to unit; @known_slots finds them by their bytes
 * @key:	what it was compiled for
 * @work:	bytes compiled so far, of all tables
 * @dense:	codes are 1, 2, 3...
 * @ref_addr:	some form refers across units (link-time optimisation, dwz)
 * @forms:	how each form is read under this key
 */
struct abbrevs {
	struct abbrev	*array;
	uint32_t	nr, cap;
	struct step	*steps;
	uint32_t	nr_steps, cap_steps;
	struct known_abbrev *known;
	uint32_t	nr_known, cap_known;
	uint32_t	*known_slots;	/* index + 1; 0 is free */
	struct {
		uint64_t	offset;
		uint8_t		version;
		uint8_t		address_size;
		uint8_t		offset_size;
	} key;
	uint64_t	work;
	bool		dense;
	bool		ref_addr;
	bool		valid;
	struct form	forms[NR_FORMS];
};

/**
 * abbrevs__compile() - compile the table that starts at a cursor
 * @t:		table to fill; its memory is reused
 * @c:		over .debug_abbrev, at the table's offset
 *
 * Return: 0; -EINVAL with @what set to what is wrong; -ENOMEM.
 */
int abbrevs__compile(struct abbrevs *t, struct cursor *c, uint8_t version,
		     uint8_t address_size, uint8_t offset_size, const char **what);

void abbrevs__destroy(struct abbrevs *t);

/** abbrev__classify() - Fill @use, @kind and @parents of an abbreviation; see walk.c. */
void abbrev__classify(struct abbrev *a);

const struct abbrev *abbrevs__find_slow(const struct abbrevs *t, uint64_t code);

/** abbrevs__find() - Return: the abbreviation of a code, NULL if there is none. */
static inline const struct abbrev *abbrevs__find(const struct abbrevs *t, uint64_t code)
{
	if (likely(t->dense))
		return code - 1 < t->nr ? &t->array[code - 1] : NULL;
	return abbrevs__find_slow(t, code);
}

/**
 * abbrev__take() - decode a DIE
 * @c:		at the DIE's first attribute; left behind the last one
 * @die:	gets the values
 */
void abbrev__take(const struct abbrevs *t, const struct abbrev *a, struct cursor *c,
		  struct die *die);

/* The form of abbrev__skip() for a DIE whose size is not fixed. */
void abbrev__skip_slow(const struct abbrevs *t, const struct abbrev *a, struct cursor *c);

/** abbrev__skip() - step over a DIE's attributes */
static inline void abbrev__skip(const struct abbrevs *t, const struct abbrev *a,
				struct cursor *c)
{
	if (likely(a->size >= 0))
		cursor__skip(c, a->size);
	else
		abbrev__skip_slow(t, a, c);
}

#endif /* ABTF_LOAD_ABBREV_H */
