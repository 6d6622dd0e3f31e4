/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walking an image's symbol table, symbol by symbol, whatever their type.  Keeps
 * nothing: image/symbols.h is the table of functions that is made of it.
 */
#ifndef ABTF_IMAGE_SYMTAB_H
#define ABTF_IMAGE_SYMTAB_H

#include "image/image.h"

/*
 * The kernel allows 511 bytes (KSYM_NAME_LEN), C++ and Rust some thousands.
 * The limit keeps a file of many symbols that share one endless string from
 * costing their product.
 */
#define NAME_MAX_LEN	65535U

/**
 * image__symbol() - look any symbol up by name, functions or not
 *
 * One pass over .symtab; the first defined one counts.
 *
 * Return: true and its value, false if there is none.
 */
bool image__symbol(const struct image *img, const char *name, uint64_t *value);

/*
 * SHN_ABS, SHN_COMMON and the other indexes that mean no section are handed out
 * with these bits, because the same numbers may be sections (SHN_XINDEX).
 */
#define SYMBOL_RESERVED	0xffff0000U

/**
 * struct symbol - one symbol of any type
 * @name:	points into .strtab
 * @value:	st_value, for functions without ARM's Thumb bit
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

/** image__nr_symbols() - Return: entries of .symtab, be they good or bad. */
uint64_t image__nr_symbols(const struct image *img);

/**
 * image__for_each_symbol() - call @fn for every symbol of .symtab
 *
 * The empty first one is left out.  A non-zero return ends the walk.
 *
 * Return: what @fn returned last, 0 at the end, or a negative errno after a
 * message if the table is malformed.
 */
int image__for_each_symbol(const struct image *img,
			   int (*fn)(const struct symbol *sym, void *arg), void *arg);

#endif /* ABTF_IMAGE_SYMTAB_H */
