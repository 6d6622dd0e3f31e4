// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes images that are well-formed and small, but make a reader run without end if its
 * time is quadratic: each has thousands of items that can be combined with each other.
 *
 * \thostile CASE NUMBER FILE
 *
 * A case has NUMBER of each of its items. Without arguments, names all cases.
 */
#include <dwarf.h>
#include <elf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(x)	(sizeof(x) / sizeof((x)[0]))

#define TEXT		0xffffffff81000000ULL
#define TEXT_SIZE	0x1000000
#define PERCPU_SIZE	0x1000

struct bytes {
	char	*p;
	size_t	nr, cap;
};

enum { INFO, ABBREV, STR, RNGLISTS, LOCLISTS, BTF_IDS, SYMTAB, STRTAB, NR_SECTIONS };

static struct bytes sections[NR_SECTIONS];

static void add(int section, const void *from, size_t size)
{
	struct bytes *b = &sections[section];

	if (b->nr + size > b->cap) {
		b->cap = (b->nr + size) * 2;
		b->p = realloc(b->p, b->cap);
		if (!b->p)
			exit(3);
	}
	memcpy(b->p + b->nr, from, size);
	b->nr += size;
}

static void u8(int section, uint8_t v)
{
	add(section, &v, 1);
}

static void u16(int section, uint16_t v)
{
	add(section, &v, 2);
}

static void u32(int section, uint32_t v)
{
	add(section, &v, 4);
}

static void u64(int section, uint64_t v)
{
	add(section, &v, 8);
}

static void uleb(int section, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		u8(section, v | 0x80);
	u8(section, v);
}

/* Return: the offset of a string that is new. */
__attribute__((format(printf, 2, 3)))
static uint32_t str(int section, const char *fmt, ...)
{
	uint32_t at = sections[section].nr;
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	add(section, text, vsnprintf(text, sizeof(text), fmt, ap) + 1);
	va_end(ap);
	return at;
}

/* Return: the offset of a string of @nr times 'a'. */
static uint32_t long_str(int section, uint32_t nr)
{
	uint32_t at = sections[section].nr, i;

	for (i = 0; i < nr; i++)
		u8(section, 'a');
	u8(section, 0);
	return at;
}

static uint32_t here(void)
{
	return sections[INFO].nr;
}

/* --- symbols ------------------------------------------------------------------ */

static void symbol(uint32_t name, uint8_t type, uint16_t section, uint64_t value, uint64_t size)
{
	Elf64_Sym sym = {
		.st_name = name, .st_info = ELF64_ST_INFO(STB_LOCAL, type),
		.st_shndx = section, .st_value = value, .st_size = size,
	};

	add(SYMTAB, &sym, sizeof(sym));
}

enum { SEC_TEXT = 1, SEC_PERCPU, SEC_FIRST };

static void func_symbol(uint32_t name, uint64_t offset)
{
	symbol(name, STT_FUNC, SEC_TEXT, TEXT + offset, 1);
}

/* --- DIEs ----------------------------------------------------------------------- */

/* The abbreviations that most cases use; their codes. */
enum {
	UNIT = 1, INT, TYPEDEF, PTR, CONST, ATOMIC, STRUCT, MEMBER, FUNC, PARAM,
	BODY, BODY_RANGES, PARAM_ORIGIN, PARAM_LOCATION, VAR, ANON_STRUCT, BARE_PTR,
	ANNOTATED, ANNOTATION, FUNC_NAMED, PTR_ADDR, NR_CODES,
};

static void abbrev(uint32_t code, uint32_t tag, bool children, ...)
{
	va_list ap;
	int v;

	uleb(ABBREV, code);
	uleb(ABBREV, tag);
	u8(ABBREV, children);
	va_start(ap, children);
	while ((v = va_arg(ap, int)))
		uleb(ABBREV, v);
	va_end(ap);
	u16(ABBREV, 0);
}

#define NAME	DW_AT_name, DW_FORM_strp
#define TYPE	DW_AT_type, DW_FORM_ref4

static void abbrevs(void)
{
	abbrev(UNIT, DW_TAG_compile_unit, true, NAME, DW_AT_comp_dir, DW_FORM_strp,
	       DW_AT_language, DW_FORM_implicit_const, DW_LANG_C99, 0);
	abbrev(INT, DW_TAG_base_type, false, NAME, DW_AT_byte_size, DW_FORM_data1,
	       DW_AT_encoding, DW_FORM_data1, 0);
	abbrev(TYPEDEF, DW_TAG_typedef, false, NAME, TYPE, 0);
	abbrev(PTR, DW_TAG_pointer_type, false, TYPE, 0);
	abbrev(CONST, DW_TAG_const_type, false, TYPE, 0);
	abbrev(ATOMIC, DW_TAG_atomic_type, false, TYPE, 0);
	abbrev(STRUCT, DW_TAG_structure_type, true, NAME, DW_AT_byte_size, DW_FORM_data4, 0);
	abbrev(MEMBER, DW_TAG_member, false, NAME, TYPE,
	       DW_AT_data_member_location, DW_FORM_data4, 0);
	abbrev(FUNC, DW_TAG_subprogram, true, NAME, TYPE, 0);
	abbrev(PARAM, DW_TAG_formal_parameter, false, NAME, TYPE, 0);
	abbrev(BODY, DW_TAG_subprogram, true, DW_AT_abstract_origin, DW_FORM_ref4,
	       DW_AT_low_pc, DW_FORM_addr, 0);
	abbrev(BODY_RANGES, DW_TAG_subprogram, false, NAME, DW_AT_ranges, DW_FORM_sec_offset, 0);
	abbrev(PARAM_ORIGIN, DW_TAG_formal_parameter, false,
	       DW_AT_abstract_origin, DW_FORM_ref4, 0);
	abbrev(PARAM_LOCATION, DW_TAG_formal_parameter, false,
	       DW_AT_location, DW_FORM_sec_offset, 0);
	abbrev(VAR, DW_TAG_variable, false, NAME, TYPE, DW_AT_location, DW_FORM_exprloc, 0);
	abbrev(ANON_STRUCT, DW_TAG_structure_type, true, DW_AT_byte_size, DW_FORM_data1, 0);
	abbrev(BARE_PTR, DW_TAG_pointer_type, false, 0);
	abbrev(ANNOTATED, DW_TAG_typedef, true, NAME, TYPE, 0);
	abbrev(ANNOTATION, 0x6000, false, NAME, DW_AT_const_value, DW_FORM_strp, 0);
	abbrev(FUNC_NAMED, DW_TAG_subprogram, true, NAME, DW_AT_low_pc, DW_FORM_addr, TYPE, 0);
	abbrev(PTR_ADDR, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref_addr, 0);
	u8(ABBREV, 0);
}

static uint32_t unit_start;

static void begin_unit(uint32_t table)
{
	unit_start = here();
	u32(INFO, 0);		/* length, filled by end_unit() */
	u16(INFO, 5);
	u8(INFO, DW_UT_compile);
	u8(INFO, 8);
	u32(INFO, table);
}

static void end_unit(void)
{
	uint32_t len;

	u8(INFO, 0);
	len = here() - unit_start - 4;
	memcpy(sections[INFO].p + unit_start, &len, 4);
}

static uint32_t the_int, name_m, name_hand;

/* A unit like any other, with an "int". */
static void usual_unit(uint32_t name, uint32_t comp_dir)
{
	static uint32_t name_int;

	if (!name_int)
		name_int = str(STR, "int");
	begin_unit(0);
	uleb(INFO, UNIT);
	u32(INFO, name);
	u32(INFO, comp_dir);
	the_int = here() - unit_start;
	uleb(INFO, INT);
	u32(INFO, name_int);
	u8(INFO, 4);
	u8(INFO, DW_ATE_signed);
}

static void start(void)
{
	u8(STR, 0);
	u8(STRTAB, 0);
	symbol(0, 0, 0, 0, 0);
	symbol(str(STRTAB, "_text"), STT_NOTYPE, SEC_TEXT, TEXT, 0);
	name_m = str(STR, "m");
	name_hand = str(STR, "hand");
	abbrevs();
	usual_unit(str(STR, "hostile.c"), str(STR, "/src"));
}

/* DIEs: each returns its offset from the unit. */

static uint32_t typed(uint32_t code, uint32_t type)
{
	uint32_t at = here() - unit_start;

	uleb(INFO, code);
	u32(INFO, type);
	return at;
}

static uint32_t named(uint32_t code, uint32_t name, uint32_t type)
{
	uint32_t at = here() - unit_start;

	uleb(INFO, code);
	u32(INFO, name);
	u32(INFO, type);
	return at;
}

static uint32_t member(uint32_t name, uint32_t type, uint32_t offset)
{
	uint32_t at = named(MEMBER, name, type);

	u32(INFO, offset);
	return at;
}

static uint32_t structure(uint32_t name, uint32_t size)
{
	return named(STRUCT, name, size);
}

static uint32_t body(uint32_t origin, uint64_t offset)
{
	uint32_t at = typed(BODY, origin);

	u64(INFO, TEXT + offset);
	return at;
}

/* A separate function, without parameters yet; to be ended by u8(INFO, 0). */
static uint32_t function(uint32_t name, uint64_t offset, uint32_t type)
{
	uint32_t at = here() - unit_start;

	uleb(INFO, FUNC_NAMED);
	u32(INFO, name);
	u64(INFO, TEXT + offset);
	u32(INFO, type);
	return at;
}

static void variable(uint32_t name, uint32_t type, uint64_t address)
{
	named(VAR, name, type);
	u8(INFO, 9);
	u8(INFO, DW_OP_addr);
	u64(INFO, address);
}

/* --- the cases -------------------------------------------------------------------- */

/* Tiny units, each with a table that starts inside another table. */
static void tables_overlap(uint32_t nr)
{
	uint32_t i, at[2] = { 0 }, first = sections[ABBREV].nr;

	for (i = 0; i < nr; i++) {
		abbrev(i + 1, DW_TAG_compile_unit, false, 0);
		if (!i)
			at[0] = sections[ABBREV].nr - first;
	}
	u8(ABBREV, 0);
	end_unit();
	for (i = 0; i < nr; i++) {
		/*
		 * entries with codes below 128 have 5 bytes, so the next ones start at multiples of
		 * that
		 */
		begin_unit(first + (i % 100) * at[0]);
		uleb(INFO, i % 100 + 1);
		end_unit();
	}
	begin_unit(0);
	uleb(INFO, UNIT);
	u64(INFO, 0);
}

/* Tiny units that use two large tables in turn. */
static void tables_in_turn(uint32_t nr)
{
	uint32_t table[2], t, i;

	end_unit();
	for (t = 0; t < 2; t++) {
		table[t] = sections[ABBREV].nr;
		for (i = 0; i < nr; i++)
			abbrev(i + 1, DW_TAG_compile_unit, false, 0);
		u8(ABBREV, 0);
	}
	for (i = 0; i < nr; i++) {
		begin_unit(table[i % 2]);
		uleb(INFO, 1);
		end_unit();
	}
	begin_unit(0);
	uleb(INFO, UNIT);
	u64(INFO, 0);
}

/* Functions of different names, all at one address. */
static void one_place(uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		func_symbol(str(STRTAB, "f%u", i), 16);
		function(str(STR, "f%u", i), 16, the_int);
		u8(INFO, 0);
	}
}

/* Functions with one name at different addresses, with different prototypes. */
static void one_name(uint32_t nr)
{
	uint32_t i, name = str(STRTAB, "hand"), type = the_int;

	for (i = 0; i < nr; i++) {
		func_symbol(name, i);
		function(name_hand, i, type);
		u8(INFO, 0);
		named(FUNC, name_hand, type);
		u8(INFO, 0);
		type = named(TYPEDEF, str(STR, "t%u", i), the_int);
	}
}

/* Symbols NAME.suffix at one address, where DWARF has as many bodies of that name. */
static void clones(uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		func_symbol(str(STRTAB, "hand.%u", i), 16);
		function(name_hand, 16, the_int);
		u8(INFO, 0);
	}
}

/* The same without a body, but with many prototypes. */
static void clones_mentioned(uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		func_symbol(str(STRTAB, "hand.%u", i), 16);
		named(FUNC, name_hand, named(TYPEDEF, str(STR, "t"), the_int));
		named(PARAM, str(STR, "p%u", i), the_int);
		u8(INFO, 0);
	}
}

/* Clones of different names at one address. */
static void clones_of_many(uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		func_symbol(str(STRTAB, "f%u.isra.0", i), 16);
		function(str(STR, "f%u", i), 16, the_int);
		u8(INFO, 0);
	}
}

/* Bodies whose parameter is the last of very many. */
static void last_parameter(uint32_t nr)
{
	uint32_t i, origin, last = 0;

	func_symbol(str(STRTAB, "hand"), 16);
	origin = named(FUNC, name_hand, the_int);
	for (i = 0; i < nr; i++)
		last = named(PARAM, name_m, the_int);
	u8(INFO, 0);
	for (i = 0; i < nr; i++) {
		body(origin, 16);
		typed(PARAM_ORIGIN, last);
		u8(INFO, 0);
	}
}

/* A body whose parameters come in the other order. */
static void parameters_reversed(uint32_t nr)
{
	uint32_t *at = calloc(nr, sizeof(*at)), origin, i;

	func_symbol(str(STRTAB, "hand"), 16);
	origin = named(FUNC, name_hand, the_int);
	for (i = 0; i < nr; i++)
		at[i] = named(PARAM, name_m, the_int);
	u8(INFO, 0);
	body(origin, 16);
	for (i = 0; i < nr; i++)
		typed(PARAM_ORIGIN, at[nr - 1 - i]);
	u8(INFO, 0);
	free(at);
}

/* A structure of many members that is passed by value many times. */
static void structs_by_value(uint32_t nr)
{
	uint32_t i, s;

	func_symbol(str(STRTAB, "hand"), 16);
	s = structure(str(STR, "s"), nr * 4);
	for (i = 0; i < nr; i++)
		member(name_m, the_int, i * 4);
	u8(INFO, 0);
	function(name_hand, 16, the_int);
	for (i = 0; i < nr; i++)
		named(PARAM, name_m, s);
	u8(INFO, 0);
}

/* Bodies that share a range list of which only the last entry is a range. */
static void ranges(uint32_t nr)
{
	uint32_t i, name = str(STR, "hand");

	func_symbol(str(STRTAB, "hand"), 16);
	for (i = 0; i < nr; i++) {
		u8(RNGLISTS, DW_RLE_base_address);
		u64(RNGLISTS, TEXT);
	}
	u8(RNGLISTS, DW_RLE_offset_pair);
	u8(RNGLISTS, 16);
	u8(RNGLISTS, 17);
	u8(RNGLISTS, 0);
	for (i = 0; i < nr; i++)
		named(BODY_RANGES, name, 0);
}

/* Bodies that share a range list in which any range may be the entry. */
static void ranges_shared(uint32_t nr)
{
	uint32_t i, name = str(STR, "hand");

	func_symbol(str(STRTAB, "hand"), 16);
	for (i = 0; i < nr; i++) {
		u8(RNGLISTS, DW_RLE_start_length);
		u64(RNGLISTS, TEXT + i);
		u8(RNGLISTS, 1);
	}
	u8(RNGLISTS, 0);
	for (i = 0; i < nr; i++)
		named(BODY_RANGES, name, 0);
}

/* Bodies whose parameters share a long location list, in which all locations are empty. */
static void locations(uint32_t nr)
{
	uint32_t i;

	func_symbol(str(STRTAB, "hand"), 16);
	for (i = 0; i < nr; i++) {
		u8(LOCLISTS, 9);	/* DW_LLE_GNU_view_pair */
		u8(LOCLISTS, 0);
		u8(LOCLISTS, 0);
	}
	for (i = 0; i < nr; i++) {
		u8(LOCLISTS, DW_LLE_offset_pair);
		u8(LOCLISTS, 0);
		u8(LOCLISTS, 1);
		u8(LOCLISTS, 0);
	}
	u8(LOCLISTS, 0);
	for (i = 0; i < nr; i++) {
		function(name_hand, 16, the_int);
		typed(PARAM_LOCATION, 0);
		u8(INFO, 0);
	}
}

/* Overlapping sets of kfuncs, and entries with the same name. */
static void kfuncs(uint32_t nr)
{
	uint32_t i, hand = str(STRTAB, "hand"), set = sections[BTF_IDS].nr;
	uint64_t base = 0;

	u32(BTF_IDS, nr);
	u32(BTF_IDS, 1);
	for (i = 0; i < nr; i++) {
		u32(BTF_IDS, 0);
		u32(BTF_IDS, 0);
		func_symbol(hand, i);
		symbol(str(STRTAB, "__BTF_ID__set8__s%u", i), STT_OBJECT,
		       SEC_FIRST + BTF_IDS, base + set, i < nr / 2 ? 8 : 8 + 8 * (i & 7));
		symbol(str(STRTAB, "__BTF_ID__func__hand__%u", i), STT_OBJECT,
		       SEC_FIRST + BTF_IDS, base + set + 8 + 8 * (i % 7), 4);
	}
	function(name_hand, 0, the_int);
	u8(INFO, 0);
}

/* Names that all end in the same bytes: one long string, entered everywhere. */
static void strings_overlap(uint32_t nr)
{
	uint32_t i, at = 0;

	for (i = 0; i < nr; i++) {
		if (i % 8000 == 0)
			at = long_str(STR, 8000 + i / 8000);
		named(TYPEDEF, at + i % 8000, the_int);
	}
}

/* Tags on a type, each another tail of one long string. */
static void tags_overlap(uint32_t nr)
{
	uint32_t i, at = 0, tag = str(STR, "btf_decl_tag");

	named(ANNOTATED, name_m, the_int);
	for (i = 0; i < nr; i++) {
		if (i % 8000 == 0)
			at = long_str(STR, 8000 + i / 8000);
		named(ANNOTATION, tag, at + i % 8000);
	}
	u8(INFO, 0);
}

static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 m = (unsigned __int128)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static bool is_ascii(uint64_t word)
{
	uint32_t i;

	for (i = 0; i < 64; i += 8)
		if ((word >> i & 0xff) < ' ' || (word >> i & 0xff) > '~')
			return false;
	return true;
}

/* Return: the word of eight letters in @next, which is advanced to the following word. */
static uint64_t next_word(uint64_t *next)
{
	uint64_t word = *next;
	uint32_t shift = 56;

	for (; (*next >> shift & 0xff) == 'z'; shift -= 8)
		*next -= (uint64_t)('z' - 'a') << shift;
	*next += 1ULL << shift;
	return word;
}

/*
 * Names of 32 bytes with the same hash: the second word makes the encoder's state zero
 * again (encoder/util/hash.h), and the fourth cancels the third.
 */
static void strings_collide(uint32_t nr)
{
	const uint64_t k0 = 0x6a09e667f3bcc909ULL, k1 = 0xbb67ae8584caa73bULL;
	uint64_t first, second, third, fourth, next = 0x6161616161616161ULL;
	uint32_t i;

	do {
		first = next_word(&next);
		second = fold(k0 ^ 32 ^ first, k1);
	} while (!is_ascii(second));
	for (i = 0; i < nr; i++) {
		do {
			third = next_word(&next);
			fourth = fold(third, k1);
		} while (!is_ascii(fourth));
		named(TYPEDEF, sections[STR].nr, the_int);
		u64(STR, first);
		u64(STR, second);
		u64(STR, third);
		u64(STR, fourth);
		u8(STR, 0);
	}
}

/* Functions with one body and many prototypes that differ after a thousand consts. */
static void const_chains(uint32_t nr)
{
	uint32_t types[2], t, i, k;

	func_symbol(str(STRTAB, "hand"), 16);
	for (t = 0; t < 2; t++) {
		types[t] = typed(PTR, named(TYPEDEF, name_m, t ? typed(PTR, the_int) : the_int));
		for (i = 0; i < 200; i++)
			types[t] = typed(CONST, types[t]);
	}
	for (i = 0; i < nr; i++) {
		function(name_hand, 16, the_int);
		for (k = 0; k < 500; k++)
			named(PARAM, name_m, types[i % 2]);
		/* so that no two are one */
		named(PARAM, str(STR, "p%u", i), the_int);
		u8(INFO, 0);
	}
}

/* Variables at the start of their section, and symbols there. */
static void variables(uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		symbol(str(STRTAB, "v%u", i), STT_OBJECT, SEC_PERCPU, 0, 4);
		variable(str(STR, "v%u", i), the_int, 0);
	}
}

/* Units with long names. */
static void unit_names(uint32_t nr)
{
	uint32_t i, name = long_str(STR, 8000);

	end_unit();
	for (i = 0; i < nr; i++) {
		usual_unit(name + i % 4000, name);
		end_unit();
	}
	usual_unit(name, name);
}

/* Members whose type follows many qualifiers that BTF does not have. */
static void alias_chain(uint32_t nr)
{
	uint32_t type = the_int, i;

	for (i = 0; i < 240; i++)
		type = typed(ATOMIC, type);
	for (i = 0; i < nr; i++) {
		if (i % 60000 == 0) {
			if (i)
				u8(INFO, 0);
			structure(str(STR, "s%u", i), 60000 * 4);
		}
		member(name_m, type, i % 60000 * 4);
	}
	u8(INFO, 0);
}

/* A chain of structures, each with a pointer to the next one; names take 9 bytes. */
static void chain(uint32_t first_name, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		uint32_t s = structure(first_name + i * 9, 8);

		/* after this structure of 9 and its member of 13 bytes, and a 0 */
		member(name_m, s + 9 + 13 + 1, 0);
		u8(INFO, 0);
		typed(PTR, s + 9 + 13 + 1 + 5);
	}
}

/* Return: the first of many names of 9 bytes. */
static uint32_t many_names(char initial, uint32_t nr)
{
	uint32_t first = sections[STR].nr, i;

	for (i = 0; i <= nr; i++)
		str(STR, "%c%07u", initial, i);
	return first;
}

/* A structure with a member of that name. */
static void small_struct(uint32_t name, uint32_t member_name)
{
	structure(name, 8);
	member(member_name, the_int, 0);
	u8(INFO, 0);
}

/* Two units with a chain of structures that differ in the last one only. */
static void two_chains(uint32_t nr)
{
	uint32_t names = many_names('s', nr);

	chain(names, nr);
	small_struct(names + nr * 9, name_m);
	end_unit();
	usual_unit(name_m, name_m);
	chain(names, nr);
	small_struct(names + nr * 9, name_hand);
}

/*
 * Two units with the same chain.  Only libbpf finds out: both are kept apart at
 * first, since they reach different sets of names with conflicting definitions.
 */
static void same_chains(uint32_t nr)
{
	uint32_t names = many_names('s', nr), others = many_names('u', 300), u, i;

	for (u = 0; u < 5; u++) {
		if (u) {
			end_unit();
			usual_unit(name_m, name_m);
		}
		for (i = 0; i < 300 && (!u || u == 4); i++)
			small_struct(others + i * 9, u ? name_hand : name_m);
		if (u > 2)
			chain(names, nr);
		small_struct(names + nr * 9, u > 2 ? name_hand : name_m);
	}
}

/* Structures of one name and shape with different pointers. */
static void contents(uint32_t nr)
{
	uint32_t name = str(STR, "s"), i, to;

	for (i = 0; i < nr; i++) {
		to = typed(PTR, named(TYPEDEF, str(STR, "t%u", i), the_int));
		structure(name, 8);
		member(name_m, to, 0);
		u8(INFO, 0);
	}
}

/* The same, without a name. */
static void anonymous(uint32_t nr)
{
	uint32_t i, to;

	for (i = 0; i < nr; i++) {
		to = typed(PTR, named(TYPEDEF, str(STR, "t%u", i), the_int));
		uleb(INFO, ANON_STRUCT);
		u8(INFO, 8);
		member(name_m, to, 0);
		u8(INFO, 0);
	}
}

/* Symbols whose names are as long as may be, and nearly the same. */
static void symbol_names(uint32_t nr)
{
	uint32_t name = long_str(STRTAB, 65535), i;

	for (i = 0; i < nr; i++)
		func_symbol(name + i % 8, i % 2);
}

/* DIEs of one byte. */
static void one_byte(uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++)
		uleb(INFO, BARE_PTR);
}

/* Units that refer to each other. */
static void across_units(uint32_t nr)
{
	uint32_t i, last = unit_start + the_int;

	for (i = 0; i < nr; i++) {
		end_unit();
		usual_unit(name_m, name_m);
		uleb(INFO, PTR_ADDR);
		u32(INFO, last);
		last = unit_start + the_int;
	}
}

static const struct {
	const char	*name;
	void		(*make)(uint32_t nr);
} cases[] = {
#define CASE(name)	{ #name, name }
	CASE(tables_overlap), CASE(tables_in_turn), CASE(one_place), CASE(one_name),
	CASE(clones), CASE(clones_mentioned), CASE(clones_of_many), CASE(last_parameter),
	CASE(parameters_reversed), CASE(structs_by_value), CASE(ranges), CASE(ranges_shared), CASE(locations),
	CASE(kfuncs), CASE(strings_overlap), CASE(tags_overlap), CASE(strings_collide),
	CASE(const_chains), CASE(variables), CASE(unit_names), CASE(alias_chain),
	CASE(two_chains), CASE(same_chains), CASE(contents), CASE(anonymous), CASE(symbol_names),
	CASE(one_byte), CASE(across_units),
#undef CASE
};

/* --- the file ------------------------------------------------------------------- */

static int write_elf(FILE *f)
{
	static const char names[] = "\0.text\0.data..percpu\0.debug_info\0.debug_abbrev\0"
				    ".debug_str\0.debug_rnglists\0.debug_loclists\0.BTF_ids\0"
				    ".symtab\0.strtab\0.shstrtab";
	Elf64_Shdr headers[SEC_FIRST + NR_SECTIONS + 1] = { 0 };
	uint64_t at = sizeof(Elf64_Ehdr);
	const char *name = names;
	Elf64_Ehdr ehdr = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(ehdr), .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = ARRAY_SIZE(headers), .e_shstrndx = ARRAY_SIZE(headers) - 1,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(headers); i++) {
		Elf64_Shdr *h = &headers[i];

		h->sh_name = name - names;
		name += strlen(name) + 1;
		h->sh_type = i ? SHT_PROGBITS : SHT_NULL;
		h->sh_offset = at;
		h->sh_addralign = 1;
		if (i >= SEC_FIRST && i < SEC_FIRST + NR_SECTIONS)
			h->sh_size = sections[i - SEC_FIRST].nr;
		at += h->sh_size;
	}
	headers[SEC_TEXT] = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_NOBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = TEXT, .sh_size = TEXT_SIZE };
	headers[SEC_PERCPU] = (Elf64_Shdr){ .sh_name = 7, .sh_type = SHT_NOBITS,
		.sh_flags = SHF_ALLOC | SHF_WRITE, .sh_size = PERCPU_SIZE };
	headers[SEC_FIRST + SYMTAB].sh_type = SHT_SYMTAB;
	headers[SEC_FIRST + SYMTAB].sh_link = SEC_FIRST + STRTAB;
	headers[SEC_FIRST + SYMTAB].sh_entsize = sizeof(Elf64_Sym);
	headers[SEC_FIRST + SYMTAB].sh_info = 1;
	headers[SEC_FIRST + STRTAB].sh_type = SHT_STRTAB;
	headers[ARRAY_SIZE(headers) - 1].sh_type = SHT_STRTAB;
	headers[ARRAY_SIZE(headers) - 1].sh_size = sizeof(names);
	ehdr.e_shoff = at + sizeof(names);
	fwrite(&ehdr, sizeof(ehdr), 1, f);
	for (i = 0; i < NR_SECTIONS; i++)
		fwrite(sections[i].p, 1, sections[i].nr, f);
	fwrite(names, sizeof(names), 1, f);
	fwrite(headers, sizeof(headers), 1, f);
	return ferror(f) || fclose(f) ? 1 : 0;
}

int main(int argc, char **argv)
{
	FILE *f;
	size_t i;

	for (i = 0; argc == 4 && i < ARRAY_SIZE(cases); i++) {
		if (strcmp(argv[1], cases[i].name))
			continue;
		start();
		cases[i].make(strtoul(argv[2], NULL, 0));
		end_unit();
		f = fopen(argv[3], "w");
		return f ? write_elf(f) : 1;
	}
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		puts(cases[i].name);
	return argc == 1 ? 0 : 2;
}
