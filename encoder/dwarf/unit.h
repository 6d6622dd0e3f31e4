/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The DWARF of an image: its sections, its units, and the values of forms (strings,
 * addresses, ranges).
 *
 * Immutable, except for the second half of struct unit: unit__read() fills it from the
 * unit's first DIE, encode__open() sets @assembler (and @fentry of struct dwarf) earlier, and
 * loader__read() sets @skip.  units__read() sets @odd_names between its two attempts.
 *
 * Supports DWARF 2 to 5, 32 and 64-bit, but not split DWARF, type units and supplementary
 * files, which kernels do not use.
 */
#ifndef ABTF_DWARF_UNIT_H
#define ABTF_DWARF_UNIT_H

#include "dwarf/abbrevs.h"
#include "image/image.h"
#include "image/relocate.h"

/**
 * struct unit - one compile (or partial) unit
 * @start:	offset of its header in .debug_info
 * @dies:	offset of its first DIE
 * @end:	one past its last byte
 * @abbrevs:	offset in .debug_abbrev
 * @type:	DW_UT_*
 * @group:	number of the first unit of its group; see load/recs.h
 * @name:	DW_AT_name of the unit's DIE, NULL before unit__read()
 * @comp_dir:	DW_AT_comp_dir, or NULL
 * @stmt_list:	offset in .debug_line, or UINT64_MAX
 * @low_pc:	base of its range lists
 * @language:	DW_LANG_*
 * @assembler:	the language is assembly
 * @not_c:	the language is neither assembly nor C, whose calling convention is known
 * @lower_bound: of arrays that do not record one
 * @clang:	version of clang, 1 if unknown; 0 for other producers
 * @untracked:	gcc -fno-var-tracking: locations of parameters may not hold on entry
 * @ms_abi:	gcc -mabi=ms: arguments are not passed as in C
 * @may_preserve_none: gcc 16 or later, optimizing: it does not record this convention
 * @pcc_result:	gcc -fpcc-struct-return: functions return all structs in memory
 * @terse:	it only has names of functions (gcc -g1)
 * @skip:	not encoded, because its language is excluded
 */
struct unit {
	/* from its header */
	uint64_t	start;
	uint64_t	dies;
	uint64_t	end;
	uint64_t	abbrevs;
	uint8_t		version;
	uint8_t		address_size;
	uint8_t		offset_size;
	uint8_t		type;
	uint32_t	group;
	/* from its first DIE */
	const char	*name;
	const char	*comp_dir;
	uint64_t	stmt_list;
	uint64_t	low_pc;
	uint64_t	str_offsets_base;
	uint64_t	addr_base;
	uint64_t	rnglists_base;
	uint64_t	loclists_base;
	uint32_t	language;
	bool		assembler;
	bool		not_c;
	uint8_t		lower_bound;
	uint8_t		clang;
	bool		untracked;
	bool		ms_abi;
	bool		may_preserve_none;
	bool		pcc_result;
	bool		terse;
	bool		skip;
};

/**
 * struct dwarf - the debug sections and the units
 * @info:	.debug_info and so on: empty cursors for missing sections
 * @relocator:	for addresses in a relocatable file, otherwise NULL
 * @units:	sorted by offset in .debug_info
 * @fentry:	address of __fentry__ in a linked image, set by encode__open(); or 0
 * @odd_names: some strings in .debug_str are empty or too long, so an offset does not imply a name
 */
struct dwarf {
	const struct image *img;
	struct relocator *relocator;
	struct cursor	info, abbrev, str, line_str, str_offsets, addr;
	struct cursor	rnglists, loclists, ranges, loc, line;
	struct unit	*units;
	uint32_t	nr_units;
	uint64_t	fentry;
	bool		odd_names;
};

/**
 * dwarf__open() - load the debug sections and read every unit's header
 *
 * An image without .debug_info has no units.
 *
 * Return: 0, or a negative errno after a message.
 */
int dwarf__open(const struct image *img, struct dwarf **ret);

void dwarf__close(struct dwarf *dw);

/**
 * dwarf__reject_external() - check that no DWARF is in another file, nor in sections that are not read
 *
 * Return: 0, or -EINVAL after a message.
 */
int dwarf__reject_external(const struct image *img);

/**
 * unit__read() - compile a unit's abbreviations and read its first DIE
 * @t:		compiled unless it is this unit's table already
 *
 * Return: 0, or a negative errno after a message.
 */
int unit__read(struct dwarf *dw, struct unit *u, struct abbrevs *t);

/** unit__is_empty() - test for a unit without a DIE, or with padding only */
static inline bool unit__is_empty(const struct dwarf *dw, const struct unit *u)
{
	return u->dies == u->end || !dw->info.begin[u->dies];
}

/** unit__unread() - Copy only the header's fields; another thread may be filling the rest. */
struct unit unit__unread(const struct unit *u);

/**
 * unit__is_assembler() - test whether a unit is written in assembly
 *
 * For units that have not been read yet.  False if the unit cannot be read.
 */
bool unit__is_assembler(const struct dwarf *dw, const struct unit *u);

/** dwarf__group_size() - Return: number of own units of the group that starts with @first. */
uint32_t dwarf__group_size(const struct dwarf *dw, uint32_t first);

/** dwarf__unit_at() - Return: the number of the unit at an offset in .debug_info, or @nr_units. */
static inline uint32_t dwarf__unit_at(const struct dwarf *dw, uint64_t offset)
{
	return first_not_before(i, dw->nr_units, dw->units[i].end <= offset);
}

/** unit__cursor() - Return: a cursor over .debug_info from @offset to the unit's end. */
struct cursor unit__cursor(const struct dwarf *dw, const struct unit *u, uint64_t offset);

/* No name in C has as many bytes; this bounds the cost of a table of overlapping strings. */
#define MAX_STRING	8192

/**
 * unit__string() - get the string of an attribute
 * @len:	its length, MAX_STRING if it is longer than a name can be
 *
 * Return: the string, in its section; NULL if it is not a string, out of range, or too long.
 */
const char *unit__string(const struct dwarf *dw, const struct unit *u, const struct die *die,
			 enum die_slot slot, uint32_t *len);

/** unit__string_at() - Return: true and the @index-th offset of the unit's .debug_str_offsets. */
bool unit__string_at(const struct dwarf *dw, const struct unit *u, uint64_t index,
		     uint64_t *offset);

/**
 * unit__skip_to_sibling() - move a cursor to the DIE that DW_AT_sibling refers to
 *
 * The cursor fails if that DIE does not follow it.
 */
static inline void unit__skip_to_sibling(const struct unit *u, const struct die *die,
					 struct cursor *c)
{
	uint64_t here = cursor__offset(c), to = die->value[AT_SIBLING] + u->start;

	if (unlikely(die->class[AT_SIBLING] != VALUE_REF))
		to = die->class[AT_SIBLING] == VALUE_REF_ADDR ? die->value[AT_SIBLING] : 0;
	if (unlikely(to < here))
		cursor__fail(c);
	else
		cursor__skip(c, to - here);
}

/** unit__target() - Return: the offset in .debug_info that a reference leads to; 0 if there is none. */
static inline uint64_t unit__target(const struct unit *u, const struct die *die, enum die_slot slot)
{
	if (!die__has(die, slot))
		return 0;
	if (die->class[slot] == VALUE_REF)
		return die->value[slot] < u->end - u->start ? u->start + die->value[slot] : 0;
	return die->class[slot] == VALUE_REF_ADDR ? die->value[slot] : 0;
}

/** dwarf__string() - Like unit__string(), for an offset in a section of strings. */
const char *dwarf__string(const struct cursor *section, uint64_t offset, uint32_t *len);

/** dwarf__block() - Return: a cursor over an attribute that is a VALUE_BLOCK. */
static inline struct cursor dwarf__block(const struct dwarf *dw, const struct die *die,
					 enum die_slot slot)
{
	struct cursor c = dw->info;

	cursor__skip(&c, die->value[slot]);
	return cursor__sub(&c, die->len[slot]);
}

/** unit__address() - Return: true and the address of an attribute. */
bool unit__address(const struct dwarf *dw, const struct unit *u, const struct die *die,
		   enum die_slot slot, uint64_t *address);

/** unit__address_at() - Return: true and the @index-th address of .debug_addr. */
bool unit__address_at(const struct dwarf *dw, const struct unit *u, uint64_t index,
		      uint64_t *address);

/** struct code_range - contiguous code, without @end */
struct code_range {
	uint64_t	start;
	uint64_t	end;
};

/**
 * struct list - a list that is being read
 * @c:		at the next entry
 * @base:	base of offsets, unless it is unknown
 * @left:	entries that may follow; bounds the cost of overlapping lists
 * @is_default:	the last entry is valid where no other is
 */
struct list {
	const struct dwarf	*dw;
	const struct unit	*u;
	struct cursor		c;
	uint64_t		base;
	unsigned int		left;
	bool			has_base;
	bool			locations;
	bool			is_default;
};

/** list__begin() - Start with DW_AT_ranges or DW_AT_location. Return: false if it is not a list. */
bool list__begin(struct list *l, const struct dwarf *dw, const struct unit *u,
		 const struct die *die, enum die_slot slot);

/**
 * list__next() - read an entry
 * @range:	where it is valid; UINT64_MAX twice if that is unknown
 * @expr:	its location, for a list of locations
 */
bool list__next(struct list *l, struct code_range *range, struct cursor *expr);

/** struct code_ranges - a list of ranges; @end is 0 if unknown */
struct code_ranges {
	VECTOR(struct code_range);
};

/**
 * unit__add_entries() - add possible entries of a subprogram to a list
 *
 * DW_AT_entry_pc, if present, or DW_AT_low_pc, or otherwise the start of each range, with
 * the end of that range.  If a body has several ranges, its entry is in the one with its symbol:
 * gcc lists that first, but clang's -fbasic-block-sections last.  Without a body, there are none.
 */
void unit__add_entries(const struct dwarf *dw, const struct unit *u, const struct die *die,
		       struct code_ranges *ret);

/**
 * unit__add_code() - add the code of a unit to a list
 * @die:	the unit's first DIE
 *
 * Return: false if all of its code is not known.
 */
bool unit__add_code(const struct dwarf *dw, const struct unit *u, const struct die *die,
		    struct code_ranges *ret);

/**
 * unit__error() - print an error about a unit
 * @offset:	in .debug_info
 *
 * Return: -EINVAL.
 */
int unit__error(const struct dwarf *dw, const struct unit *u, uint64_t offset,
		const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif /* ABTF_DWARF_UNIT_H */
