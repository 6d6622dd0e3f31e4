// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <string.h>

#include "image/machine.h"
#include "inspect/instructions.h"
#include "util/memory.h"

/* Return: the bytes from a place to the end of its section; they are missing in some images. */
static struct cursor bytes_at(const struct image *img, uint32_t section, uint64_t address)
{
	struct cursor c = {};

	for (size_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];
		uint64_t offset = address - (img->type == ET_REL ? 0 : sec->address);

		if (!sec->data || offset >= sec->size ||
		    (img->type == ET_REL ? i != section : !(sec->flags & SHF_ALLOC)))
			continue;
		c = image__cursor(img, sec);
		cursor__skip(&c, offset);
	}
	return c;
}

/* --- alternatives ---------------------------------------------------------------------- */

/*
 * struct alt_instr of arch/ARCH/include/asm/alternative.h: two distances, to the code and to its
 * replacement.  @size_at, @by_size_at: where the sizes are.  x86: since 6.3, since 5.17 and before;
 * s390: since 6.11 and before.
 */
static const struct alt_layout {
	uint16_t	machine;
	uint8_t		size, size_at, by_size_at;
} layouts[] = {
	{ EM_X86_64, 14, 12, 13 },
	{ EM_X86_64, 12, 10, 11 },
	{ EM_X86_64, 13, 10, 11 },
	{ EM_AARCH64, 12, 10, 11 },
	{ EM_S390, 13, 12, 12 },
	{ EM_S390, 11, 10, 10 },
	{ EM_S390, 12, 10, 11 },
	{ EM_RISCV, 16, 10, 10 },
};

/* x86 since 6.8, in the layout of 14 bytes: a feature of the processor, ALT_FLAG_* */
#define FEATURE_AT	8
#define FEATURE_ALWAYS	(3 * 32 + 21)
#define FLAG_NOT	1
#define FLAG_CALL	2

/**
 * struct alt_reader - a table that is read
 * @bytes:	of it
 * @places:	two for each entry: of code, and of its replacement
 */
struct alt_reader {
	const struct image	*img;
	const struct relocator	*r;
	const struct alt_layout	*layout;
	struct cursor		bytes;
	VECTOR(struct code_place) places;
	bool			failed;
};

static void set_place(uint64_t at, uint64_t value, void *arg)
{
	struct alt_reader *a = arg;
	unsigned int field = at % a->layout->size;
	uint64_t i = at / a->layout->size * 2 + (field == 4);
	struct code_place place = {};

	if ((field && field != 4) || i >= a->places.nr) {
		a->failed = true;
		return;
	}
	/* the addend is relative to the field */
	if (relocator__place(a->r, value, &place.section, &place.address))
		place.section = image__own_section(a->img, place.section);
	a->places.array[i] = place;
}

static void read_flags(struct alternative *alt, struct cursor entry)
{
	uint16_t feature, flags;

	cursor__skip(&entry, FEATURE_AT);
	feature = cursor__u16(&entry);
	flags = cursor__u16(&entry);
	alt->is_call = flags & FLAG_CALL;
	alt->is_always = feature == FEATURE_ALWAYS && !(flags & FLAG_NOT);
}

/* Add the entries of a table, unless its layout is another. */
static bool add_entries(struct instructions *ins, struct alt_reader *a)
{
	const struct alt_layout *l = a->layout;
	uint32_t before = ins->alternatives.nr;
	struct cursor c = a->bytes;

	for (uint32_t i = 0; i + 1 < a->places.nr && !a->failed; i += 2) {
		struct cursor entry = cursor__sub(&c, l->size);
		const uint8_t *p = entry.p;
		struct alternative alt = {
			.place = a->places.array[i], .by = a->places.array[i + 1],
		};
		struct cursor code = bytes_at(a->img, alt.place.section, alt.place.address);

		/* some in assembly replace nothing */
		if (cursor__failed(&entry) || !cursor__left(&code) || p[l->size_at] > cursor__left(&code))
			break;
		alt.size = p[l->size_at];
		alt.by_size = p[l->by_size_at];
		if (alt.by_size > alt.size)
			break;
		if (l->size == 14)
			read_flags(&alt, entry);
		push(&ins->alternatives, alt);
	}
	if (!cursor__left(&c) && !cursor__failed(&c) && !a->failed)
		return true;
	ins->alternatives.nr = before;
	return false;
}

/* In a module, relocations have the places. */
static int read_module_entries(struct alt_reader *a, const struct section *sec)
{
	a->bytes = image__cursor(a->img, sec);
	for (uint64_t i = 0; i < sec->size / a->layout->size * 2; i++)
		push(&a->places, (struct code_place){});
	return relocator__for_each(a->r, sec, set_place, a);
}

static void read_linked_entries(struct alt_reader *a, struct cursor table, uint64_t start)
{
	struct cursor c = table;

	a->bytes = table;
	for (uint64_t i = 0; i < cursor__left(&table) / a->layout->size; i++) {
		struct cursor entry = cursor__sub(&c, a->layout->size);
		uint64_t at = start + i * a->layout->size;

		push(&a->places, (struct code_place){ at + (int32_t)cursor__u32(&entry), 0 });
		push(&a->places, (struct code_place){ at + 4 + (int32_t)cursor__u32(&entry), 0 });
	}
}

static int compare_alternatives(const void *x, const void *y)
{
	const struct alternative *a = x, *b = y;

	return cmp_place(&a->place, &b->place);
}

static int read_alternatives(struct instructions *ins, const struct section_range *table)
{
	const struct image *img = ins->img, *file = image__with_code(img);
	bool is_module = img->type == ET_REL, found = false;
	const struct section *sec = is_module ? image__section(file, ".altinstructions") : NULL;
	struct relocator *r __cleanup(free_relocator) = NULL;
	struct cursor linked = {};
	int err = sec ? relocator__new(file, &r) : 0;

	if (!is_module && table->start && table->end > table->start) {
		linked = bytes_at(img, 0, table->start);
		linked = cursor__sub(&linked, table->end - table->start);
		ins->is_unclear = cursor__failed(&linked);
	}
	if (err || (!sec && !cursor__left(&linked)))
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(layouts) && !found && !err; i++) {
		struct alt_reader a = { .img = img, .r = r, .layout = &layouts[i] };

		if (layouts[i].machine != img->machine)
			continue;
		if (sec)
			err = read_module_entries(&a, sec);
		else
			read_linked_entries(&a, linked, table->start);
		found = !err && add_entries(ins, &a);
		free(a.places.array);
	}
	ins->is_unclear |= !found;
	vector__sort(&ins->alternatives, compare_alternatives);
	return err;
}

/* --- all tables ------------------------------------------------------------------------ */

/* The symbols around tables of vmlinux; the last ones are of distances to @sites. */
static const struct table_bounds bounds[] = {
	{ "__alt_instructions", "__alt_instructions_end", 0 },
	{ "__parainstructions", "__parainstructions_end", 0 },
	{ "__retpoline_sites", "__retpoline_sites_end", 0 },
	{ "__nospec_call_start", "__nospec_call_end", 0 },
	{ "__nospec_return_start", "__nospec_return_end", 0 },
	/* a function, and no table */
	{ "alt_cb_patch_nops", "alt_cb_patch_nops", EM_AARCH64 },
};

#define FIRST_SITES	2
#define PATCH_NOPS	5

/* Sections of modules with these distances; compilers write those of s390 */
static const char *const sites[] = {
	".retpoline_sites", ".s390_indirect_branches", ".s390_indirect_jump", ".s390_indirect_call",
	".s390_return_reg", ".s390_return_mem",
};

static int read_module(struct instructions *ins)
{
	int err = code_table__read_sections(ins->img, ".parainstructions", &ins->pv_sites);

	for (size_t i = 0; i < ARRAY_SIZE(sites) && !err; i++)
		err = code_table__read_entries(ins->img, sites[i], 0, 0, 4, &ins->sites);
	return err;
}

static int read_linked(struct instructions *ins, struct section_range tables[ARRAY_SIZE(bounds)])
{
	int err = table_bounds__find(bounds, ARRAY_SIZE(bounds), ins->img, tables);

	if (!err && tables[1].start)
		code_table__read_linked(ins->img, tables[1].start, tables[1].end, &ins->pv_sites);
	ins->patch_nops = tables[PATCH_NOPS].end;
	for (size_t i = FIRST_SITES; i < PATCH_NOPS && !err; i++)
		err = code_table__read_entries(ins->img, "", tables[i].start, tables[i].end, 4,
					       &ins->sites);
	return err;
}

int instructions__read(const struct image *img, struct instructions *ret)
{
	struct section_range tables[ARRAY_SIZE(bounds)] = {};
	int err;

	*ret = (struct instructions){ .img = img };
	err = img->type == ET_REL ? read_module(ret) : read_linked(ret, tables);
	return err ?: read_alternatives(ret, &tables[0]);
}

void instructions__destroy(struct instructions *ins)
{
	free(ins->alternatives.array);
	code_table__destroy(&ins->sites);
	code_table__destroy(&ins->pv_sites);
	*ins = (struct instructions){};
}

/* --- one instruction ------------------------------------------------------------------- */

static struct insn_place make_unclear(uint64_t start)
{
	return (struct insn_place){ INSN_UNKNOWN, start, "one that the kernel replaces at boot" };
}

/* Find out what becomes of a place in an alternative. */
static struct insn_place check_alternative(const struct instructions *ins,
					   const struct alternative *alt, uint64_t into)
{
	struct cursor by = bytes_at(ins->img, alt->by.section, alt->by.address);
	bool is_arm64 = ins->img->machine == EM_AARCH64;

	/* on arm64, a function writes the code; on others, nops of any size follow it */
	if (alt->is_call ? !into : is_arm64 ? alt->by.address == ins->patch_nops :
			   into == alt->by_size)
		return (struct insn_place){ .verdict = INSN_ACCEPTED };
	if (alt->is_call)
		return make_unclear(into);
	return insn__check(machine__find(ins->img->machine), cursor__sub(&by, alt->by_size), into);
}

/* Test whether an alternative at @a, whose size is a byte, may contain @b, which is not before it. */
static bool is_near(const struct code_place *a, const struct code_place *b)
{
	return a->section == b->section && b->address - a->address <= UINT8_MAX;
}

/*
 * The kernel looks for exclusive loads and stores before a place, and may have replaced them.  Check
 * again, with all replacements.  Instructions of arm64 have the same size.
 */
static enum insn_verdict check_replaced(const struct instructions *ins, struct cursor code,
					const struct code_place *at, uint64_t into)
{
	uint8_t bytes[MAX_EXCLUSIVE + 4];
	const struct alternative *all = ins->alternatives.array;
	uint64_t before = into < MAX_EXCLUSIVE ? into & ~3ULL : MAX_EXCLUSIVE;
	struct code_place start = { at->address - before, at->section };
	uint32_t i = first_not_before(k, ins->alternatives.nr, cmp_place(&all[k].place, &start) < 0);

	cursor__skip(&code, into - before);
	if (into & 3 || !cursor__has(&code, before + 4))
		return INSN_NO_START;
	memcpy(bytes, code.p, before + 4);
	for (; i < ins->alternatives.nr && cmp_place(&all[i].place, at) <= 0; i++) {
		uint64_t offset = all[i].place.address - start.address;
		struct cursor by = bytes_at(ins->img, all[i].by.section, all[i].by.address);

		if (offset + all[i].by_size <= before + 4 && cursor__has(&by, all[i].by_size))
			memcpy(bytes + offset, by.p, all[i].by_size);
	}
	return insn__check(machine__find(EM_AARCH64), cursor__new(bytes, before + 4, false),
			   before).verdict;
}

/* Find what is at a place at run time: one verdict, or none. */
static struct insn_place check_all(const struct instructions *ins, struct insn_place original,
				   const struct code_place *at)
{
	const struct alternative *all = ins->alternatives.array;
	uint32_t end = first_not_before(k, ins->alternatives.nr, cmp_place(&all[k].place, at) <= 0);
	bool stays = true, is_first = true;
	struct insn_place ret = original;

	for (uint32_t i = end; i && is_near(&all[i - 1].place, at); i--)
		if (at->address - all[i - 1].place.address < all[i - 1].size)
			stays &= !all[i - 1].is_always;
	for (uint32_t i = end; i && is_near(&all[i - 1].place, at); i--) {
		uint64_t offset = at->address - all[i - 1].place.address;
		struct insn_place by;

		if (offset >= all[i - 1].size)
			continue;
		by = check_alternative(ins, &all[i - 1], offset);
		if ((stays || !is_first) && by.verdict != ret.verdict)
			return make_unclear(original.start);
		ret = by;
		is_first = false;
	}
	return ret;
}

struct insn_place instructions__check(const struct instructions *ins, uint32_t section,
				      uint64_t function, uint64_t into)
{
	const struct image *img = ins->img;
	struct cursor code = bytes_at(img, section, function);
	struct insn_place ret = insn__check(machine__find(img->machine), code, into);
	struct code_place at = { function + into, img->type == ET_REL ? section : 0 };
	uint64_t start = function + ret.start;

	if (ins->is_unclear || code_table__has(&ins->pv_sites, section, start, 1) ||
	    (start != at.address && code_table__has(&ins->sites, section, start, 1)))
		return make_unclear(ret.start);
	ret = check_all(ins, ret, &at);
	if (img->machine == EM_AARCH64 && check_replaced(ins, code, &at, into) != ret.verdict)
		return make_unclear(ret.start);
	return ret;
}
