/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions in an image's symbol table, and a few other symbols: built once, in
 * one pass, then immutable and shared by all threads without locks.
 *
 * Contains every defined STT_FUNC symbol, sorted by place (section, address) and by
 * name.  A place includes the section, because addresses of sections overlap in
 * relocatable files.  Other users walk .symtab with image__for_each_symbol().
 */
#ifndef ABTF_IMAGE_SYMBOLS_H
#define ABTF_IMAGE_SYMBOLS_H

#include "image/image.h"
#include "util/grow.h"

/*
 * SHN_ABS, SHN_COMMON and other reserved indexes are returned with these bits,
 * because the same numbers may be sections (SHN_XINDEX).
 */
#define SYMBOL_RESERVED	0xffff0000U

/**
 * struct symbol - one symbol
 * @address:	st_value, for functions without ARM's Thumb bit; with ET_REL the offset in
 *		the section
 * @size:	st_size
 * @name:	points into .strtab
 * @stem_len:	length of the name up to the first '.' after its first character:
 *		"foo.isra.0" -> 3; without a '.', of the whole name
 * @section:	section index, or SYMBOL_RESERVED | SHN_*
 * @file:	number of the STT_FILE group of the symbol (1-based), 0 for
 *		global and weak symbols and those before any STT_FILE
 * @index:	position in .symtab
 * @type:	STT_*
 * @bind:	STB_*
 * @has_suffix:	the name is longer than its stem
 *
 * @stem_len and @has_suffix are only set for functions in struct symbols.
 */
struct symbol {
	uint64_t	address;
	uint64_t	size;
	const char	*name;
	uint32_t	stem_len;
	uint32_t	section;
	uint32_t	file;
	uint32_t	index;
	uint8_t		type;
	uint8_t		bind;
	bool		has_suffix;
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

/**
 * struct symbol_value - a symbol to find
 * @value:	0, and is set to the value of the last such symbol: local symbols precede global ones
 */
struct symbol_value {
	const char	*name;
	uint64_t	*value;
};

/**
 * image__find_values() - find the values of symbols by name, of any type, in one pass
 * @wanted:	@nr of them
 *
 * Return: 0, or a negative errno after a message.
 */
int image__find_values(const struct image *img, const struct symbol_value *wanted, size_t nr);

/**
 * symbol__is_padding() - test for code outside of the source's functions
 *
 * True for bytes before functions (__pfx_foo, __cfi_foo), and for trampolines of static calls
 * (__SCT__foo).
 */
bool symbol__is_padding(const struct symbol *sym);

/**
 * symbol__is_fragment() - test for padding, and for parts of functions
 *
 * The compiler splits parts off functions: foo.cold, foo.part.0.
 */
bool symbol__is_fragment(const struct symbol *sym);

/**
 * symbol__is_clone() - test for code that may have other arguments than the source
 *
 * True for any suffix except ".llvm." and digits, which ThinLTO adds to distinguish
 * static functions with the same name.
 */
bool symbol__is_clone(const struct symbol *sym);

/**
 * symbol__name_len() - the length of a function's name in the name of its symbol
 *
 * foo for foo.llvm.123, and foo.isra.0 for foo.isra.0.
 */
size_t symbol__name_len(const struct symbol *sym);

/** symbol__is_named() - test whether a function has a name of @len bytes */
bool symbol__is_named(const struct symbol *sym, const char *name, size_t len);

/** symbol__compare_names() - Return: as strcmp(), of the names of two functions. */
int symbol__compare_names(const struct symbol *a, const struct symbol *b);

/** symbol__compare_objects() - Compare two symbols by section and name, for qsort(). */
int symbol__compare_objects(const void *x, const void *y);

/* Compare the places of two symbols, bodies and so on, as they are sorted. */
#define cmp_place(a, b)								\
	(cmp_int((a)->section, (b)->section) ?: cmp_int((a)->address, (b)->address))

/* @a may be NULL, for no symbol. */
static inline bool symbol__same_place(const struct symbol *a, const struct symbol *b)
{
	return a && !cmp_place(a, b);
}

static inline bool same_stem(const struct symbol *a, const struct symbol *b)
{
	return a->stem_len == b->stem_len && !memcmp(a->name, b->name, a->stem_len);
}

/**
 * symbol__compare() - compare a symbol's name to a name of @len bytes
 *
 * Names are sorted by stem, then by suffix, so that names with the same stem are adjacent.
 */
int symbol__compare(const struct symbol *f, const char *name, size_t len);

/**
 * struct symbols - the table
 * @funcs:	sorted by (section, address, name, index); names as by symbol__compare()
 * @by_name:	indexes into @funcs, sorted by (name, position in @funcs)
 * @by_stem:	indexes into @funcs, sorted by (stem, position in @funcs): all of foo,
 *		foo.isra.0, foo.cold
 * @nr_funcs:	number of entries in each
 * @text:	executable sections of a linked image, sorted by address, without overlap
 * @files:	names of the STT_FILE groups, see symbols__file()
 * @ids:		symbols in .BTF_ids, sorted by value
 * @objects:	variables, those in per-CPU sections or all, sorted by (section, address, index)
 * @has_text:	a linked image has a symbol _text
 * @text_start:	its value, which offsets in BTF are relative to; 0 without it
 * @init_start:	_sinittext, 0 without it; @init_end: _einittext
 * @core_start:	_stext, 0 without it; @core_end: _etext
 * @mcount_start: __start_mcount_loc, 0 without one; @mcount_end: __stop_mcount_loc
 * @img:	owns names and sections
 */
struct symbols {
	struct symbol	*funcs;
	uint32_t	*by_name, *by_stem;
	uint32_t	nr_funcs;
	VECTOR(struct section_range) text;
	VECTOR(struct symbol) ids, objects;
	VECTOR(const char *) files;
	bool		has_text;
	uint64_t	text_start;
	uint64_t	init_start, init_end;
	uint64_t	core_start, core_end;
	uint64_t	mcount_start, mcount_end;
	const struct image *img;
};

/**
 * symbols__new() - read the symbol table
 * @objects:	read all objects, not only those in per-CPU sections
 * @untyped:	treat symbols without a type that have a size, in executable sections, as
 *		functions: code in assembly that is not called like one (SYM_CODE_START())
 *
 * The table is empty if the image has no .symtab.  Section indexes beyond SHN_LORESERVE
 * are read from .symtab_shndx.  Symbols without a section are omitted.  A symbol with a
 * name or section index out of range is an error.
 *
 * Return: 0, or a negative errno after a message.
 */
int symbols__new(const struct image *img, bool objects, bool untyped, struct symbols **ret);

void symbols__free(struct symbols *syms);

/**
 * symbols__at() - get all function symbols at a place
 * @nr:		their number
 *
 * Return: the first one in @syms->funcs, or NULL.
 */
const struct symbol *symbols__at(const struct symbols *syms, uint32_t section,
				 uint64_t address, uint32_t *nr);

/**
 * symbols__section_of() - find the executable section of an address
 *
 * For linked images (not ET_REL).
 *
 * Return: the section's index, or 0.
 */
uint32_t symbols__section_of(const struct symbols *syms, uint64_t address);

/**
 * symbols__named() - get all function symbols with exactly this name
 * @nr:		their number
 *
 * Return: indexes into @syms->funcs, sorted by place, or NULL.
 */
const uint32_t *symbols__named(const struct symbols *syms, const char *name, uint32_t *nr);

/**
 * symbols__with_stem() - get all function symbols that may have a name of @len bytes
 *
 * Like symbols__named(), but NAME also finds every NAME.suffix.
 */
const uint32_t *symbols__with_stem(const struct symbols *syms, const char *name, size_t len,
				   uint32_t *nr);

/**
 * symbols__of_func() - find the symbol of a FUNC in a module
 * @name:	NAME or NAME@FILE
 * @offset:	of the function in its section, which can be any
 */
const struct symbol *symbols__of_func(const struct symbols *syms, const char *name,
				      uint64_t offset);

/** symbols__file() - Return: the name of an STT_FILE group by number, "" if unknown. */
static inline const char *symbols__file(const struct symbols *syms, uint32_t file)
{
	return file && file <= syms->files.nr ? syms->files.array[file - 1] : "";
}

/** symbols__same_file() - test for equal names of a symbol's STT_FILE group and a file, without paths */
bool symbols__same_file(const struct symbols *syms, const struct symbol *sym, const char *path);

/**
 * symbols__other_file() - test whether a symbol is from another source file than @path
 *
 * False if the group is unknown, or named after an object, as link-time optimization does.
 */
bool symbols__other_file(const struct symbols *syms, const struct symbol *sym, const char *path);

/**
 * symbols__is_init() - test whether a place is in init or exit text
 *
 * True for sections .init* and .exit*, and in linked images for addresses in
 * [_sinittext, _einittext).  Such code is freed after boot, or discarded.
 */
bool symbols__is_init(const struct symbols *syms, uint32_t section, uint64_t address);

/**
 * symbols__is_core_text() - test whether a place is in text that is never freed
 *
 * False for init and exit text and, in a linked image with _stext and _etext, for code
 * outside of them, such as .idmap.text of arm64 and .amode31.text of s390: see
 * __is_kernel_text() of the kernel.
 */
bool symbols__is_core_text(const struct symbols *syms, uint32_t section, uint64_t address);

#endif /* ABTF_IMAGE_SYMBOLS_H */
