/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walk an image's symbol table.  The result is not stored here; image/symbols.h is the
 * table of functions that is built from it.
 */
#ifndef ABTF_IMAGE_SYMTAB_H
#define ABTF_IMAGE_SYMTAB_H

#include "image/image.h"

/*
 * The kernel allows 511 bytes (KSYM_NAME_LEN), C++ and Rust use some thousands.
 * Without a limit, a file with many symbols that share one huge string would take
 * quadratic time.
 */
#define NAME_MAX_LEN	65535U

/**
 * image__symbol() - look up a symbol of any type by name
 *
 * One pass over .symtab; returns the first defined one.
 *
 * Return: true and its value, or false.
 */
bool image__symbol(const struct image *img, const char *name, uint64_t *value);

/*
 * SHN_ABS, SHN_COMMON and other reserved indexes are returned with these bits,
 * because the same numbers may be sections (SHN_XINDEX).
 */
#define SYMBOL_RESERVED	0xffff0000U

/**
 * struct symbol - one symbol of any type
 * @name:	points into .strtab
 * @value:	st_value; for functions, without ARM's Thumb bit
 * @size:	st_size
 * @section:	section index, or SYMBOL_RESERVED | SHN_*
 * @file:	as in struct func_sym
 * @index:	position in .symtab
 * @type:	STT_*
 * @bind:	STB_*
 */
struct symbol {
	const char	*name;
	uint64_t	value;
	uint64_t	size;
	uint32_t	section;
	uint32_t	file;
	uint32_t	index;
	uint8_t		type;
	uint8_t		bind;
};

/** image__nr_symbols() - Return: number of entries in .symtab, including invalid ones. */
uint64_t image__nr_symbols(const struct image *img);

/**
 * image__for_each_symbol() - call @fn for every symbol of .symtab
 *
 * The first, empty one is omitted.  A non-zero return value ends the walk.
 *
 * Return: what @fn returned last, 0 at the end, or a negative errno after a
 * message if the table is malformed.
 */
int image__for_each_symbol(const struct image *img,
			   int (*fn)(const struct symbol *sym, void *arg), void *arg);

#endif /* ABTF_IMAGE_SYMTAB_H */
