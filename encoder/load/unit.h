/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The DWARF of an image: its sections, its units, and what a form's value
 * means (strings, addresses, ranges).
 *
 * Immutable but for struct unit's second half, which whoever reads the unit
 * fills from its first DIE.  Covers DWARF 2 to 5, 32 and 64-bit; no split
 * DWARF, no type units and no supplementary files, which kernels do not use.
 */
#ifndef ABTF_LOAD_UNIT_H
#define ABTF_LOAD_UNIT_H

#include "image/image.h"
#include "image/relocate.h"
#include "load/abbrevs.h"

/**
 * struct unit - one compile (or partial) unit
 * @start:	offset of its header in .debug_info
 * @dies:	offset of its first DIE
 * @end:	one past its last byte
 * @abbrevs:	offset in .debug_abbrev
 * @type:	DW_UT_*
 * @group:	number of the first of those that are read with it; see load/group.h
 * @name:	DW_AT_name of the unit's DIE, NULL before it was read
 * @comp_dir:	DW_AT_comp_dir, or NULL
 * @stmt_list:	offset in .debug_line, or UINT64_MAX
 * @low_pc:	base of its range lists
 * @language:	DW_LANG_*
 * @assembler:	its language is that
 * @clang:	0 if its producer is another; otherwise the version, 1 if it does not say
 * @terse:	of functions it has the names and nothing more (gcc -g1)
 * @skip:	not to be encoded (its language is excluded)
 */
struct unit {
	uint64_t	start;
	uint64_t	dies;
	uint64_t	end;
	uint64_t	abbrevs;
	uint8_t		version;
	uint8_t		address_size;
	uint8_t		offset_size;
	uint8_t		type;
	uint32_t	group;
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
	uint8_t		clang;
	bool		terse;
	bool		skip;
};

/**
 * struct dwarf - the debug sections and the units
 * @info:	.debug_info and so on: empty cursors where there is no section
 * @relocator:	of a relocatable file: what its addresses mean; else NULL
 * @units:	in the order of .debug_info
 * @empty_names: some in .debug_str are: offsets alone do not say what has a name
 */
struct dwarf {
	const struct image *img;
	struct relocator *relocator;
	struct cursor	info, abbrev, str, line_str, str_offsets, addr;
	struct cursor	rnglists, loclists, ranges, loc, line;
	struct unit	*units;
	uint32_t	nr_units;
	bool		empty_names;
};

/**
 * dwarf__open() - load the debug sections and read every unit's header
 *
 * An image without .debug_info gives no units.
 *
 * Return: 0, or a negative errno after a message.
 */
int dwarf__open(const struct image *img, struct dwarf **ret);

void dwarf__close(struct dwarf *dw);

/**
 * unit__read() - compile a unit's abbreviations and read its first DIE
 * @t:		compiled again only if it is not this unit's table already
 *
 * Return: 0, or a negative errno after a message.
 */
int unit__read(struct dwarf *dw, struct unit *u, struct abbrevs *t);

/** unit__unread() - A copy with what the header says; all else may be in the making. */
struct unit unit__unread(const struct unit *u);

/**
 * unit__is_assembler() - was a unit written in assembler?
 *
 * For one that nobody has read yet; what cannot be read is another language.
 */
bool unit__is_assembler(const struct dwarf *dw, const struct unit *u);

/** unit__cursor() - Return: a cursor over .debug_info from @offset to the unit's end. */
struct cursor unit__cursor(const struct dwarf *dw, const struct unit *u, uint64_t offset);

/**
 * unit__string() - the string a value stands for
 * @len:	its length
 *
 * Return: the string, in its section; NULL if the value is none or out of
 * range, or longer than any name may be.
 */
const char *unit__string(const struct dwarf *dw, const struct unit *u, const struct die *die,
			 enum die_slot slot, uint32_t *len);

/** dwarf__string() - As unit__string(), for an offset in .debug_str. */
const char *dwarf__string(const struct dwarf *dw, uint64_t offset, uint32_t *len);

/** unit__address() - Return: true and the address that a value stands for. */
bool unit__address(const struct dwarf *dw, const struct unit *u, const struct die *die,
		   enum die_slot slot, uint64_t *address);

/** unit__address_at() - Return: true and the @index-th address of .debug_addr. */
bool unit__address_at(const struct dwarf *dw, const struct unit *u, uint64_t index,
		      uint64_t *address);

/**
 * unit__for_each_entry() - where a subprogram's body may begin
 *
 * Calls @fn with DW_AT_low_pc and DW_AT_high_pc, or else with each range.  A body
 * in several pieces begins with the piece that has its symbol: gcc lists that
 * one first, but clang's -fbasic-block-sections last.  Without a body @fn is
 * not called; @end is 0 if nothing says where it is.
 */
void unit__for_each_entry(const struct dwarf *dw, const struct unit *u, const struct die *die,
			  void (*fn)(uint64_t start, uint64_t end, void *arg), void *arg);

/**
 * unit__error() - say what is wrong in a unit
 * @offset:	in .debug_info
 *
 * Return: -EINVAL.
 */
int unit__error(const struct dwarf *dw, const struct unit *u, uint64_t offset,
		const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif /* ABTF_LOAD_UNIT_H */
