/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * .rela.BTF of a relocatable file: the function of each record.
 */
#ifndef ABTF_BTF_RELOCS_H
#define ABTF_BTF_RELOCS_H

#include "image/symbols.h"

/**
 * struct record_reloc - one entry
 * @offset:	bytes from the start of .BTF
 * @addend:	must be 0
 * @type:	must be image__reloc_type()
 * @symbol:	number of the symbol
 * @sym:	the symbol, NULL unless it is a function
 * @used:	for the caller: there is a record at this offset
 */
struct record_reloc {
	uint64_t		offset;
	uint64_t		addend;
	uint32_t		type;
	uint32_t		symbol;
	const struct symbol	*sym;
	bool			used;
};

/** struct record_relocs - all relocations, sorted by offset */
struct record_relocs {
	VECTOR(struct record_reloc);
};

/**
 * record_relocs__read() - read .rela.BTF
 * @ret:	empty if there is no such section
 *
 * Return: 0, or a negative errno after a message if the section is malformed.
 */
int record_relocs__read(struct record_relocs *ret, const struct symbols *syms);

void record_relocs__destroy(struct record_relocs *r);

/** record_relocs__find() - Return: the entry for a record, NULL if there is none. */
struct record_reloc *record_relocs__find(const struct record_relocs *r, uint64_t offset);

#endif /* ABTF_BTF_RELOCS_H */
