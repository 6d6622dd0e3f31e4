/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of a DIE's attributes (DWARF 5, 7.5) that the encoder uses, and how to decode them.
 *
 * A DIE consists of the values of its abbreviation's attributes.  Each abbreviation
 * (7.5.3) is compiled once into a few steps: skip a number of bytes, read a value into a
 * slot.  Unused attributes with a fixed size become part of the next step's skip, so
 * skipping an unused DIE often is one addition.
 *
 * Most units have their own table with declarations that occur in other tables, too.
 * These are compiled once.
 */
#ifndef ABTF_DWARF_ABBREVS_H
#define ABTF_DWARF_ABBREVS_H

#include "dwarf/constants.h"
#include "util/bytes.h"
#include "util/grow.h"
#include "util/table.h"

/* --- DIEs ------------------------------------------------------------------------- */

/* The attributes in use, and their slots in struct die. */
enum die_slot {
	AT_NAME, AT_TYPE, AT_BYTE_SIZE, AT_ENCODING, AT_BIT_SIZE, AT_BIT_OFFSET,
	AT_DATA_BIT_OFFSET, AT_MEMBER_LOCATION, AT_CONST_VALUE, AT_UPPER_BOUND,
	AT_LOWER_BOUND, AT_COUNT, AT_DECLARATION, AT_EXTERNAL, AT_ARTIFICIAL, AT_ORIGIN,
	AT_SPECIFICATION, AT_LOW_PC, AT_HIGH_PC, AT_RANGES, AT_LOCATION,
	AT_CALLING_CONVENTION, AT_INLINE, AT_PRODUCER, AT_DECL_FILE,
	AT_DECL_LINE, AT_SIBLING, AT_COMP_DIR, AT_STMT_LIST, AT_LANGUAGE,
	AT_STR_OFFSETS_BASE, AT_ADDR_BASE, AT_RNGLISTS_BASE, AT_LOCLISTS_BASE,
	AT_DWO_NAME, AT_ALL_CALLS, AT_STATIC_LINK, AT_ANNOTATION,
	AT_LINKAGE_NAME, AT_ENTRY_PC, AT_TAIL_CALL, AT_FRAME_BASE, AT_LOCATION_VIEWS,
	AT_ENTRY_VIEW, AT_CALL_PC, AT_RETURN_PC, AT_BYTE_STRIDE, AT_BIT_STRIDE,
	AT_BIAS, AT_DATA_LOCATION,
	AT_NONE,		/* for unused values of variable size */
	NR_AT,
};

/* The kind of value that a form has. */
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
	VALUE_BLOCK,		/* value is the offset in the section, len the number of bytes */
	VALUE_DATA16,		/* a number that needs more than 8 bytes, see form__read_wide() */
	VALUE_SEC_OFFSET,	/* offset in another section */
	VALUE_LISTX,		/* index of a location or range list */
	VALUE_SIGNATURE,	/* of a type unit; not supported */
	VALUE_SUPPLEMENT,	/* offset in another file; not supported */
};

/**
 * struct die - the values of one DIE
 * @has:	bit per slot
 * @class:	enum value_class by slot; its abbreviation's, or @own if forms precede values
 *		(DW_FORM_indirect)
 * @value:	by slot
 * @len:	bytes of a VALUE_BLOCK
 *
 * A copy must not outlive the original.
 */
struct die {
	uint64_t	has;
	const uint8_t	*class;
	uint64_t	value[NR_AT];
	uint32_t	len[NR_AT];
	uint8_t		own[NR_AT];
};

static inline bool die__has(const struct die *die, enum die_slot slot)
{
	return die->has >> slot & 1;
}

/**
 * die__number() - get an attribute that is a flag or one of few constants
 *
 * Other numbers may be expressions, see unit__constant() in dwarf/expr.h.
 *
 * Return: the constant, or 0 if missing.
 */
static inline uint64_t die__number(const struct die *die, enum die_slot slot)
{
	if (!die__has(die, slot) || die->class[slot] > VALUE_SINT)
		return 0;
	return die->value[slot];
}

/* --- forms (DWARF 5, 7.5.6) ---------------------------------------------------------- */

/* How to read a value. */
enum form_op {
	OP_END,
	OP_CONSTANT,	/* the value is in the declaration */
	OP_U8, OP_U16, OP_U24, OP_U32, OP_U64,
	OP_ULEB, OP_SLEB, OP_STRING,
	OP_BLOCK8, OP_BLOCK16, OP_BLOCK32, OP_BLOCK_ULEB, OP_DATA16,
	OP_WIDE,	/* a number of 16 bytes that is used */
	OP_INDIRECT,	/* the form precedes the value */
	OP_ADDRESS,	/* in the table of forms: has the size of the unit's addresses */
	OP_OFFSET,	/* has the size of an offset in another section */
};

/** struct form - how to read the values of a form; @size: in bytes, if fixed */
struct form {
	uint8_t		op;
	uint8_t		class;
	uint8_t		size;
};

/**
 * form__find() - look a form up, for a unit with these sizes
 *
 * Return: false for a form that does not exist: its size is unknown, so nothing after it could
 * be read.
 */
bool form__find(uint64_t code, uint8_t version, uint8_t address_size, uint8_t offset_size,
		struct form *ret);

/** cursor__unit_length() - Return: a unit's length (7.4); @offset_size gets 8 or 4. */
static inline uint64_t cursor__unit_length(struct cursor *c, uint8_t *offset_size)
{
	uint64_t length = cursor__u32(c);

	*offset_size = length == 0xffffffff ? 8 : 4;
	return length == 0xffffffff ? cursor__u64(c) : length;
}

/* A block; its value is its offset. */
static inline uint64_t form__read_block(struct cursor *c, uint64_t size, uint32_t *len)
{
	uint64_t offset = cursor__offset(c);

	*len = size;
	if (unlikely(size > UINT32_MAX))
		cursor__fail(c);
	cursor__skip(c, size);
	return offset;
}

/**
 * form__read() - read a value; any operation except OP_END, OP_CONSTANT, OP_WIDE and OP_INDIRECT
 * @len:	bytes of a block
 *
 * Inlined, so that a local cursor lives in registers.
 */
static inline __attribute__((always_inline))
uint64_t form__read(struct cursor *c, uint8_t op, uint32_t *len)
{
	uint64_t offset;

	switch (op) {
	case OP_U8:
		return cursor__u8(c);
	case OP_U16:
		return cursor__u16(c);
	case OP_U24:
		return cursor__u24(c);
	case OP_U32:
		return cursor__u32(c);
	case OP_U64:
		return cursor__u64(c);
	case OP_ULEB:
		return cursor__uleb(c);
	case OP_SLEB:
		return cursor__sleb(c);
	case OP_STRING:
		offset = cursor__offset(c);
		cursor__string(c);
		return offset;
	case OP_BLOCK8:
		return form__read_block(c, cursor__u8(c), len);
	case OP_BLOCK16:
		return form__read_block(c, cursor__u16(c), len);
	case OP_BLOCK32:
		return form__read_block(c, cursor__u32(c), len);
	case OP_BLOCK_ULEB:
		return form__read_block(c, cursor__uleb(c), len);
	case OP_DATA16:
		return form__read_block(c, 16, len);
	default: /* OP_WIDE or OP_INDIRECT */
		cursor__fail(c);
		return 0;
	}
}

/**
 * form__read_wide() - read a number of 16 bytes, which mostly has the value of a smaller one
 * @class:	gets VALUE_UINT, VALUE_SINT if it is negative, or VALUE_DATA16 if it does not fit
 */
uint64_t form__read_wide(struct cursor *c, uint8_t *class);

/**
 * form__read_indirect() - read a form, and then its value
 * @class:	gets the value's class
 */
uint64_t form__read_indirect(struct cursor *c, uint8_t version, uint8_t address_size,
			     uint8_t offset_size, uint8_t *class, uint32_t *len);

/* --- abbreviations ------------------------------------------------------------------ */

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

struct abbrevs;

/**
 * struct brief - a DIE in a common form: its attributes have a fixed size, except for
 * an inline name, which comes first, and only a few of them are used
 * @name:	offset of its name (VALUE_STRP or VALUE_STRX), in bytes from the first attribute
 * @name_mask:	which of the four bytes there are the index; 0: VALUE_STRP
 * @type:	offset of its type (VALUE_REF, four bytes)
 * @bits:	offset of the size of a bit-field, one byte
 * @value:	offset of a member's offset, an enumerator's value or a size; of other
 *		types, only name and type are kept
 * @mask:	which of the four bytes there are used; 0: use @constant
 * @shift:	in the other byte order, bits that follow the value in these bytes
 * @inline_name: the name is the first attribute, a string; offsets and @size
 *		are relative to its end
 * @forward:	a declaration
 * @size:	bytes of the attributes
 *
 * An offset is BRIEF_NONE if there is no such attribute.  Only used on little-endian hosts, where
 * a mask makes values of all sizes readable as four bytes.
 */
struct brief {
	uint8_t		name;
	uint8_t		type;
	uint8_t		bits;
	uint8_t		value;
	uint8_t		shift;
	uint8_t		size;
	bool		inline_name;
	bool		forward;
	uint32_t	mask;
	uint32_t	name_mask;
	int64_t		constant;
};

/**
 * struct abbrev - one compiled abbreviation
 * @tag:	any number; those of constants.h are used
 * @children:	DW_CHILDREN_yes
 * @use, @kind, @way, @other_way, @parents, @brief: for the reader of the DIEs, see @classify below
 * @size:	bytes of the attributes if fixed, otherwise -1
 * @slots:	bit per existing slot
 * @class:	enum value_class by slot
 * @first_step: of the program that reads its attributes
 * @table:	the table that compiled it
 */
struct abbrev {
	enum dw_tag	tag;
	bool		children;
	uint8_t		use;
	uint8_t		kind;
	uint8_t		way;
	struct brief	brief;
	uint32_t	parents;
	int32_t		size;
	uint64_t	slots;
	uint32_t	first_step;
	const struct abbrevs *table;
	uint8_t		class[NR_AT];
	uint8_t		other_way;
};

static inline bool abbrev__has(const struct abbrev *a, enum die_slot slot)
{
	return a->slots >> slot & 1;
}

/** struct declared - an attribute in a declaration; @constant: of DW_FORM_implicit_const, or 1 */
struct declared {
	uint64_t	attribute;
	uint64_t	form;
	int64_t		constant;
};

struct known_abbrev;

/** struct abbrev_code - an abbreviation in a table whose codes are not 1, 2, 3... */
struct abbrev_code {
	uint64_t		code;
	const struct abbrev	*abbrev;
};

/**
 * struct abbrevs - one compiled table
 * @dense:	by code - 1, if the codes are 1, 2, 3..., otherwise empty
 * @sorted:	by code
 * @known:	declarations compiled for this @key's sizes, reused by other units
 * @known_at:	indices in @known, starting at 1, by the bytes of the declaration
 * @key:	version and sizes that @known was compiled for, and the table's offset
 * @work:	bytes compiled so far, of all tables
 * @classify:	called for each declaration that is compiled, or NULL; @swap: the byte order of
 *		the file is not the host's
 * @calls:	for inlined/inlined.c: also read the places of calls, and DW_AT_sibling of types, so
 *		that their members can be skipped
 * @views:	for probe/dwarf_args.c: also read gcc's view numbers
 */
struct abbrevs {
	VECTOR(const struct abbrev *) dense;
	VECTOR(struct abbrev_code) sorted;
	VECTOR(struct step) steps;
	VECTOR(struct known_abbrev *) known;
	struct hash_table known_at;
	struct {
		uint64_t	offset;
		uint8_t		version;
		uint8_t		address_size;
		uint8_t		offset_size;
	} key;
	uint64_t	work;
	bool		valid;
	bool		calls;
	bool		views;
	void		(*classify)(struct abbrev *a, const struct step *steps, bool swap);
};

/**
 * abbrevs__compile() - compile the table that starts at a cursor
 * @t:		table to fill; its memory is reused
 * @c:		over .debug_abbrev, at the table's offset
 *
 * Return: 0, or -EINVAL with a description of the error in @what.
 */
int abbrevs__compile(struct abbrevs *t, struct cursor *c, uint8_t version,
		     uint8_t address_size, uint8_t offset_size, const char **what);

/** abbrevs__moved() - repair a table that was copied to @t, instead of the original */
void abbrevs__moved(struct abbrevs *t);

void abbrevs__destroy(struct abbrevs *t);

/** abbrev__next_attribute() - Return: false at the end of a declaration, or if it is cut off. */
static inline bool abbrev__next_attribute(struct cursor *c, struct declared *ret)
{
	ret->attribute = cursor__uleb(c);
	ret->form = cursor__uleb(c);
	ret->constant = ret->form == DW_FORM_implicit_const ? cursor__sleb(c) : 1;
	return (ret->attribute || ret->form) && !cursor__failed(c);
}

/** abbrev__declared_size() - Return: bytes of the declaration at @c without code, 0 if cut off. */
uint32_t abbrev__declared_size(const struct cursor *c);

const struct abbrev *abbrevs__find_slow(const struct abbrevs *t, uint64_t code);

/** abbrevs__find() - Return: the abbreviation with a code, or NULL. */
static inline const struct abbrev *abbrevs__find(const struct abbrevs *t, uint64_t code)
{
	if (likely(code - 1 < t->dense.nr))
		return t->dense.array[code - 1];
	return abbrevs__find_slow(t, code);
}

/**
 * abbrev__read() - decode a DIE
 * @c:		at the DIE's first attribute; moved past the last one
 * @die:	gets the values
 */
void abbrev__read(const struct abbrevs *t, const struct abbrev *a, struct cursor *c,
		  struct die *die);

/* abbrev__skip() for a DIE without a fixed size. */
void abbrev__skip_slow(const struct abbrevs *t, const struct abbrev *a, struct cursor *c);

/** abbrev__skip() - skip a DIE's attributes */
static inline void abbrev__skip(const struct abbrevs *t, const struct abbrev *a,
				struct cursor *c)
{
	if (likely(a->size >= 0))
		cursor__skip(c, a->size);
	else
		abbrev__skip_slow(t, a, c);
}

#endif /* ABTF_DWARF_ABBREVS_H */
