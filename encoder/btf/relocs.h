/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * .rela.BTF of a relocatable file: the function of each record.
 */
#ifndef ABTF_BTF_RELOCS_H
#define ABTF_BTF_RELOCS_H

#include "image/relocate.h"
#include "image/symbols.h"

/**
 * struct record_reloc - one entry
 * @reloc:	its offset is from the start of .BTF, its addend must be 0, and its type
 *		image__reloc_type()
 * @sym:	the symbol, NULL unless it is a function
 * @used:	for the caller: there is a record at this offset
 */
struct record_reloc {
	struct reloc		reloc;
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
