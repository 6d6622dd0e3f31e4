/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compile a table of abbreviations, and decode DIEs with it.
 *
 * Most units have their own table with declarations that occur in other tables, too.
 * These are compiled once.
 */
#ifndef ABTF_LOAD_ABBREVS_H
#define ABTF_LOAD_ABBREVS_H

#include "util/dwarf.h"

#include "load/abbrev.h"
#include "util/bytes.h"
#include "util/table.h"

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
 * @dense:	by code - 1, if the codes are 1, 2, 3...
 * @nr_dense:	@nr in that case, otherwise 0
 * @sorted:	by code
 * @known:	declarations compiled for this @key's sizes, reused by other units; in
 *		blocks, so that they do not move
 * @known_at:	indices in @known, starting at 1, by the bytes of the declaration
 * @key:	what it was compiled for
 * @work:	bytes compiled so far, of all tables
 */
struct abbrevs {
	const struct abbrev **dense;
	uint32_t	nr_dense, cap_dense;
	struct abbrev_code *sorted;
	uint32_t	nr, cap;
	struct step	*steps;
	uint32_t	nr_steps, cap_steps;
	struct known_abbrev **known;
	uint32_t	nr_known, nr_blocks, cap_blocks;
	struct hash_table known_at;
	struct {
		uint64_t	offset;
		uint8_t		version;
		uint8_t		address_size;
		uint8_t		offset_size;
	} key;
	uint64_t	work;
	bool		valid;
};

/**
 * abbrevs__compile() - compile the table that starts at a cursor
 * @t:		table to fill; its memory is reused
 * @c:		over .debug_abbrev, at the table's offset
 *
 * Return: 0; -EINVAL with a description of the error in @what; -ENOMEM.
 */
int abbrevs__compile(struct abbrevs *t, struct cursor *c, uint8_t version,
		     uint8_t address_size, uint8_t offset_size, const char **what);

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
	if (likely(code - 1 < t->nr_dense))
		return t->dense[code - 1];
	return abbrevs__find_slow(t, code);
}

/**
 * abbrev__take() - decode a DIE
 * @c:		at the DIE's first attribute; moved past the last one
 * @die:	gets the values
 */
void abbrev__take(const struct abbrevs *t, const struct abbrev *a, struct cursor *c,
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

#endif /* ABTF_LOAD_ABBREVS_H */
