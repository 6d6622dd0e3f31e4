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

static void sort_table(struct code_table *table)
{
	if (table->nr)
		qsort(table->array, table->nr, sizeof(*table->array), compare_places);
}

/* --- vmlinux ------------------------------------------------------------------ */

/* The relative relocations of words in [@start, @end) replace the words. */
static void apply_relative(const struct image *img, uint64_t start, uint64_t end, uint64_t *words)
{
	unsigned int width = img->is_64 ? 8 : 4;

	for (size_t i = 1; i < img->nr_sections; i++) {
		struct section *sec = &img->sections[i];
		struct cursor c;

		if (sec->type != SHT_RELA || !(sec->flags & SHF_ALLOC) || !sec->data)
			continue;
		c = image__cursor(img, sec);
		while (cursor__left(&c) >= 3 * width) {
			uint64_t offset = image__word(img, &c);
			uint64_t symbol = image__word(img, &c) >> (img->is_64 ? 32 : 8);
			uint64_t addend = image__word(img, &c);

			if (!symbol && offset >= start && offset < end &&
			    !((offset - start) % width))
				words[(offset - start) / width] = addend;
		}
	}
}

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
	apply_relative(img, start, end, words);
	/* sorting ftrace's table leaves zeros for functions that were overridden */
	for (i = 0; i < nr; i++)
		if (words[i])
			push(ret, (struct code_place){ words[i], 0 });
	ret->known = true;
	sort_table(ret);
}

/* --- modules ------------------------------------------------------------------- */

static int read_section(const struct image *img, struct relocator *r, struct section *sec,
			struct code_table *table)
{
	int err = relocator__apply(r, sec);
	struct cursor c = image__cursor(img, sec);
	uint64_t offset;
	uint32_t section;

	table->known |= sec->data != NULL;
	while (!err && cursor__left(&c) >= (img->is_64 ? 8 : 4))
		if (relocator__place(r, image__word(img, &c), &section, &offset))
			push(table, (struct code_place){ offset, section });
	return err;
}

int code_table__read_sections(const struct image *img, struct relocator *relocator,
			      const char *name, struct code_table *ret)
{
	struct relocator *own = NULL;
	int err = 0;

	*ret = (struct code_table){};
	if (!image__section(img, name))
		return 0;
	if (!relocator)
		err = relocator__new(img, &own);
	for (size_t i = 1; !err && i < img->nr_sections; i++)
		if (!strcmp(img->sections[i].name, name))
			err = read_section(img, relocator ?: own, &img->sections[i], ret);
	relocator__free(own);
	sort_table(ret);
	return err;
}

/* --- entries with distances --------------------------------------------------- */

struct entry_reader {
	const struct relocator	*r;
	struct code_table	*table;
	unsigned int		size;
};

static void note_entry(uint64_t at, uint64_t value, void *arg)
{
	const struct entry_reader *entries = arg;
	struct code_place place;

	if (at % entries->size ||
	    !relocator__place(entries->r, value, &place.section, &place.address))
		return;
	push(entries->table, place);
}

static int read_entries(const struct image *img, const char *name, unsigned int size,
			struct code_table *table)
{
	struct relocator *r = NULL;
	int err = relocator__new(img, &r);
	struct entry_reader entries = { r, table, size };

	for (size_t i = 1; !err && i < img->nr_sections; i++)
		if (!strcmp(img->sections[i].name, name))
			err = relocator__for_each(r, &img->sections[i], note_entry, &entries);
	relocator__free(r);
	return err;
}

static void read_linked_entries(const struct image *img, uint64_t start, uint64_t end,
				unsigned int size, struct code_table *table)
{
	const struct section *sec = section_with(img, start, end);
	struct cursor c;

	if (!sec)
		return;
	c = cursor__new(sec->data + (start - sec->address), end - start, img->swap);
	for (; cursor__left(&c) >= size; start += size) {
		push(table, (struct code_place){ start + (int32_t)cursor__u32(&c), 0 });
		cursor__skip(&c, size - 4);
	}
}

int code_table__read_entries(const struct image *img, const char *name, uint64_t start,
			     uint64_t end, unsigned int size, struct code_table *table)
{
	int err = 0;

	if (img->is_64 && img->type != ET_REL)
		read_linked_entries(img, start, end, size, table);
	else if (img->is_64 && image__section(img, name))
		err = read_entries(img, name, size, table);
	sort_table(table);
	return err;
}

void code_table__destroy(struct code_table *table)
{
	free(table->array);
	*table = (struct code_table){};
}

bool code_table__has(const struct code_table *table, uint32_t section, uint64_t address,
		     uint64_t size)
{
	struct code_place first = {
		.address = address,
		.section = table->nr && table->array[0].section ? section : 0,
	};
	uint32_t i = first_not_before(at, table->nr, compare_places(&table->array[at], &first) < 0);

	return i < table->nr && table->array[i].section == first.section &&
	       table->array[i].address - first.address < size;
}
