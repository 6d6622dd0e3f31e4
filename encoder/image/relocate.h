/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Relocatable files (ET_REL: modules and objects): their debug sections are
 * full of holes that a linker would fill.
 *
 * We fill them as if every allocated section had an address of its own, far
 * from all others'.  An address that DWARF says then leads back to the section
 * and the offset in it, which is what a function of such a file is known by.
 * (In the file itself all sections start at 0, and offsets of two sections say
 * nothing about which is meant.)
 *
 * Given an opened image; changes only copies of sections' bytes.  Applied
 * before threads start, and immutable from then on.
 */
#ifndef ABTF_IMAGE_RELOCATE_H
#define ABTF_IMAGE_RELOCATE_H

#include "image/image.h"

struct relocator;

/**
 * relocator__new() - lay out the sections, and read the values of all symbols
 * @img:	an ET_REL image
 *
 * Return: 0, or a negative errno after a message.
 */
int relocator__new(const struct image *img, struct relocator **ret);

void relocator__free(struct relocator *r);

/**
 * relocator__apply() - load a section and apply its relocations
 *
 * Knows what compilers and assemblers put into debug sections: absolute
 * relocations of 4 and 8 bytes, with addends in the entry (RELA) or in the
 * field (REL), and on RISC-V the differences of labels.  Any other type is an error that names it.  A second call for
 * the same section does nothing.
 *
 * Return: 0, or a negative errno after a message.
 */
int relocator__apply(struct relocator *r, struct section *sec);

/**
 * relocator__place() - the section and offset that an address stands for
 *
 * Return: false if it lies in no allocated section.
 */
bool relocator__place(const struct relocator *r, uint64_t address, uint32_t *section,
		      uint64_t *offset);

/**
 * image__reloc_type() - the type of a plain 64-bit absolute relocation
 *
 * Return: R_X86_64_64 or its like; 0 for machines we do not know, and for
 * 32-bit ones, which have none.
 */
uint32_t image__reloc_type(const struct image *img);

#endif /* ABTF_IMAGE_RELOCATE_H */
