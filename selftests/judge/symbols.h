/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The judge's own view of an image: its sections and function symbols, read with libelf.
 */
#ifndef JUDGE_SYMBOLS_H
#define JUDGE_SYMBOLS_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* The first index in [0, nr) for which @before is false; it is true for all before that. */
#define first_not_before(i, nr, before) ({			\
	uint32_t low_ = 0, high_ = (nr);			\
								\
	while (low_ < high_) {					\
		uint32_t i = low_ + (high_ - low_) / 2;		\
								\
		if (before)					\
			low_ = i + 1;				\
		else						\
			high_ = i;				\
	}							\
	low_;							\
})

/**
 * struct symbol - one defined STT_FUNC symbol
 * @address:	in a relocatable file the offset in @section
 * @number:	position in .symtab
 * @local:	not visible to other objects
 * @reported:	for the judge: was counted as missing
 */
struct symbol {
	const char	*name;
	uint64_t	address;
	uint64_t	size;
	uint32_t	section;
	uint32_t	number;
	bool		local;
	bool		reported;
};

/**
 * struct image - an ELF file
 * @symbols:	sorted by (section, address, name)
 * @by_stem:	sorted by (stem_length() characters of the name, place)
 * @by_number:	by position in .symtab, which has @nr_numbers; NULL for symbols of other types
 * @text:	value of _text, if @has_text
 * @init_start:	_sinittext, @init_end: _einittext; 0 without them
 * @core_start:	_stext, @core_end: _etext; 0 without them
 * @code:	executable sections of a linked image, sorted by address
 */
struct image {
	const char	*path;
	Elf		*elf;
	GElf_Ehdr	header;
	struct symbol	*symbols;
	struct symbol	**by_stem;
	uint32_t	nr;
	struct symbol	**by_number;
	uint32_t	nr_numbers;
	bool		has_text;
	uint64_t	text;
	uint64_t	init_start, init_end;
	uint64_t	core_start, core_end;
	struct code {
		uint64_t	start, size;
		uint32_t	section;
	}		*code;
	uint32_t	nr_code;
};

/** image__open() - Read a file, or end the program. */
void image__open(struct image *img, const char *path);

static inline bool image__is_relocatable(const struct image *img)
{
	return img->header.e_type == ET_REL;
}

/** image__section() - Find a section by its name. Return: NULL if there is none. */
Elf_Scn *image__section(const struct image *img, const char *name);

/** image__code_at() - Return: the executable section of a linked image at an address, or 0. */
uint32_t image__code_at(const struct image *img, uint64_t address);

/** image__at() - Return: the symbols at a place, @nr of them. */
struct symbol *image__at(const struct image *img, uint32_t section, uint64_t address,
			 uint32_t *nr);

/** image__with_stem() - Return: the symbols with the stem of a name, @nr of them. */
struct symbol **image__with_stem(const struct image *img, const char *name, uint32_t *nr);

/** image__is_core_text() - test for code that stays after boot and that fentry can attach to */
bool image__is_core_text(const struct image *img, const struct symbol *sym);

/** stem_length() - Return: the length of a name without ".isra.0" or "@kernel/a.c". */
size_t stem_length(const char *name);

/** compare_bases() - compare two names up to stem_length() */
int compare_bases(const char *a, const char *b);

/** is_fragment() - test for a symbol of code that is not a whole function */
bool is_fragment(const char *symbol);

/** is_thinlto_suffix() - test for .llvm. and digits, with which ThinLTO only renames */
bool is_thinlto_suffix(const char *suffix);

#endif /* JUDGE_SYMBOLS_H */
