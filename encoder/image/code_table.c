// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "image/code_table.h"
#include "util/grow.h"
#include "util/memory.h"

static int compare_places(const void *x, const void *y)
{
	const struct code_place *a = x, *b = y;

	return cmp_place(a, b);
}

void code_table__sort(struct code_table *table)
{
	vector__sort(table, compare_places);
}

/* --- vmlinux ------------------------------------------------------------------ */

static const struct section *section_with(const struct image *img, uint64_t start, uint64_t end)
{
	for (size_t i = 1; i < img->nr_sections && start <= end; i++) {
		const struct section *sec = &img->sections[i];

		if (sec->flags & SHF_ALLOC && sec->data && start >= sec->address &&
		    end - sec->address <= sec->size)
			return sec;
	}
	return NULL;
}

int table_bounds__find(const struct table_bounds *wanted, size_t nr, const struct image *img,
		       struct section_range *ret)
{
	struct symbol_value *values __cleanup(free_pointer) = xcalloc(2 * nr, sizeof(*values));
	size_t found = 0;

	for (size_t i = 0; i < nr; i++) {
		ret[i] = (struct section_range){};
		if (wanted[i].machine && wanted[i].machine != img->machine)
			continue;
		values[found++] = (struct symbol_value){ wanted[i].start, &ret[i].start };
		values[found++] = (struct symbol_value){ wanted[i].end, &ret[i].end };
	}
	return image__find_values(img, values, found);
}

void code_table__read_linked(const struct image *img, uint64_t start, uint64_t end,
			     struct code_table *ret)
{
	const struct section *sec = section_with(img, start, end);
	unsigned int width = img->is_64 ? 8 : 4;
	uint64_t *words __cleanup(free_pointer) = NULL, nr, i;
	struct cursor c;

	*ret = (struct code_table){};
	if (!sec)
		return;
	nr = (end - start) / width;
	words = xcalloc(nr + 1, sizeof(*words));
	c = cursor__new(sec->data + (start - sec->address), nr * width, img->swap);
	for (i = 0; i < nr; i++)
		words[i] = image__word(img, &c);
	/* relative relocations replace words */
	for (i = 1; i < img->nr_sections; i++) {
		const struct section *rel = &img->sections[i];

		if (rel->type != SHT_RELA || !(rel->flags & SHF_ALLOC))
			continue;
		c = image__cursor(img, rel);
		while (cursor__left(&c) >= 3 * width) {
			uint64_t offset = image__word(img, &c);
			uint64_t symbol = image__word(img, &c) >> (img->is_64 ? 32 : 8);
			uint64_t addend = image__word(img, &c);

			if (!symbol && offset >= start && offset < end &&
			    !((offset - start) % width))
				words[(offset - start) / width] = addend;
		}
	}
	/* sorting ftrace's table leaves zeros for functions that were overridden */
	for (i = 0; i < nr; i++)
		if (words[i])
			push(ret, (struct code_place){ words[i], 0 });
	ret->known = true;
	code_table__sort(ret);
}

/* --- modules ------------------------------------------------------------------- */

int code_table__read_sections(const struct image *img, const char *name, struct code_table *ret)
{
	struct relocator *relocator __cleanup(free_relocator) = NULL;
	const struct image *file = image__with_code(img);
	struct code_place place;
	int err;

	*ret = (struct code_table){};
	if (!image__section(file, name))
		return 0;
	err = relocator__new(file, &relocator);
	for (size_t i = 1; !err && i < file->nr_sections; i++) {
		struct section *sec = &file->sections[i];
		struct cursor c;

		if (strcmp(sec->name, name))
			continue;
		err = relocator__apply(relocator, sec);
		ret->known |= sec->data != NULL;
		c = image__cursor(file, sec);
		while (!err && cursor__left(&c) >= (file->is_64 ? 8 : 4)) {
			if (!relocator__place(relocator, image__word(file, &c), &place.section,
					      &place.address))
				continue;
			place.section = image__own_section(img, place.section);
			if (place.section)
				push(ret, place);
		}
	}
	code_table__sort(ret);
	return err;
}

/* --- entries with distances --------------------------------------------------- */

struct entry_reader {
	const struct image	*img;
	const struct relocator	*r;
	struct code_table	*table;
	unsigned int		size;
};

static void add_place(uint64_t at, uint64_t value, void *arg)
{
	const struct entry_reader *entries = arg;
	struct code_place place;

	if (at % entries->size ||
	    !relocator__place(entries->r, value, &place.section, &place.address))
		return;
	place.section = image__own_section(entries->img, place.section);
	if (place.section)
		push(entries->table, place);
}

int code_table__read_entries(const struct image *img, const char *name, uint64_t start,
			     uint64_t end, unsigned int size, struct code_table *table)
{
	struct relocator *r __cleanup(free_relocator) = NULL;
	struct entry_reader entries = { .img = img, .table = table, .size = size };
	const struct image *file = image__with_code(img);
	const struct section *sec;
	struct cursor c;
	int err = 0;

	if (img->is_64 && img->type == ET_REL && image__section(file, name)) {
		err = relocator__new(file, &r);
		entries.r = r;
		for (size_t i = 1; !err && i < file->nr_sections; i++)
			if (!strcmp(file->sections[i].name, name))
				err = relocator__for_each(r, &file->sections[i], add_place,
							  &entries);
	}
	sec = img->is_64 && img->type != ET_REL ? section_with(img, start, end) : NULL;
	if (sec) {
		c = cursor__new(sec->data + (start - sec->address), end - start, img->swap);
		for (; cursor__left(&c) >= size; start += size) {
			push(table, (struct code_place){ start + (int32_t)cursor__u32(&c), 0 });
			cursor__skip(&c, size - 4);
		}
	}
	code_table__sort(table);
	return err;
}

void code_table__destroy(struct code_table *table)
{
	free(table->array);
	*table = (struct code_table){};
}

const struct code_place *code_table__first(const struct code_table *table, uint32_t section,
					   uint64_t address)
{
	struct code_place first = {
		.address = address,
		.section = table->nr && table->array[0].section ? section : 0,
	};
	uint32_t i = first_not_before(at, table->nr, compare_places(&table->array[at], &first) < 0);

	return i < table->nr && table->array[i].section == first.section ? &table->array[i] : NULL;
}

bool code_table__has(const struct code_table *table, uint32_t section, uint64_t address,
		     uint64_t size)
{
	const struct code_place *place = code_table__first(table, section, address);

	return place && place->address - address < size;
}

/* --- ftrace ------------------------------------------------------------------- */

/* With DYNAMIC_FTRACE_WITH_CALL_OPS; elsewhere, a short function may be there */
#define CALL_OPS	8
/* A function whose symbol has no size is patched at its start, after a landing pad. */
#define SIZE_UNKNOWN	16

int ftrace__read(const struct symbols *syms, struct code_table *ret)
{
	const struct image *img = syms->img;
	const char *name = "__mcount_loc";
	int err = 0;

	if (img->type != ET_REL) {
		code_table__read_linked(img, syms->mcount_start, syms->mcount_end, ret);
	} else {
		/* if both exist, __mcount_loc is ftrace's; the other is from padding */
		if (!image__section(image__with_code(img), name) && img->machine != EM_X86_64)
			name = "__patchable_function_entries";
		err = code_table__read_sections(img, name, ret);
	}
	ret->known = ret->nr;
	ret->before = img->machine == EM_AARCH64 || img->machine == EM_RISCV ? CALL_OPS : 0;
	return err;
}

bool ftrace__can_patch(const struct code_table *table, const struct symbol *sym)
{
	uint64_t before = sym->address < table->before ? sym->address : table->before;

	return code_table__has(table, sym->section, sym->address - before,
			       before + (sym->size ?: SIZE_UNKNOWN));
}
