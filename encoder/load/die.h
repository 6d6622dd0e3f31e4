/* SPDX-License-Identifier: GPL-2.0-only */
/* The values of a DIE's attributes (DWARF 5, 7.5) that the encoder uses. */
#ifndef ABTF_LOAD_DIE_H
#define ABTF_LOAD_DIE_H

#include <stdbool.h>
#include <stdint.h>

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
	AT_LINKAGE_NAME,
	AT_NONE,		/* for unused values of variable size */
	NR_AT,
};

/* an inlined call has no location */
#define AT_ENTRY_PC	AT_LOCATION

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
	VALUE_SEC_OFFSET,	/* offset in another section */
	VALUE_LISTX,		/* index of a location or range list */
	VALUE_SIGNATURE,	/* of a type unit; not supported */
	VALUE_SUPPLEMENT,	/* offset in another file; not supported */
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

/** die__number() - Return: an unsigned constant, or 0 if missing or an expression. */
static inline uint64_t die__number(const struct die *die, enum die_slot slot)
{
	if (!die__has(die, slot) || die->class[slot] == VALUE_BLOCK ||
	    die->class[slot] == VALUE_REF)
		return 0;
	return die->value[slot];
}

#endif /* ABTF_LOAD_DIE_H */
