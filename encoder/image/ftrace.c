// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "image/ftrace.h"
#include "util/grow.h"
#include "util/macros.h"
#include "util/msg.h"
#include "util/search.h"

/* How far before a function its entry may be. */
#define BEFORE		8
/* A function whose symbol has no size is patched at its start, after a landing pad. */
#define SIZE_UNKNOWN	16

static uint64_t read_word(const struct image *img, struct cursor *c)
{
	return img->is_64 ? cursor__u64(c) : cursor__u32(c);
}

static int add_place(struct ftrace_table *table, uint32_t section, uint64_t address)
{
	if (grow(&table->places, &table->cap, (uint64_t)table->nr + 1, sizeof(*table->places)))
		return -ENOMEM;
	table->places[table->nr++] = (struct ftrace_place){ address, section };
	return 0;
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
			uint64_t offset = read_word(img, &c);
			uint64_t symbol = read_word(img, &c) >> (img->is_64 ? 32 : 8);
			uint64_t addend = read_word(img, &c);

			if (!symbol && offset >= start && offset < end &&
			    !((offset - start) % width))
				words[(offset - start) / width] = addend;
		}
	}
}

static int read_linked(const struct symbols *syms, struct ftrace_table *table)
{
	const struct image *img = syms->img;
	uint64_t start = syms->mcount_start, end = syms->mcount_end;
	unsigned int width = img->is_64 ? 8 : 4;
	const struct section *sec = NULL;
	uint64_t *words, nr, i;
	struct cursor c;
	int err = 0;

	for (i = 1; i < img->nr_sections && start < end; i++) {
		sec = &img->sections[i];
		if (sec->flags & SHF_ALLOC && sec->data && start >= sec->address &&
		    end - sec->address <= sec->size)
			break;
		sec = NULL;
	}
	if (!sec)
		return 0;

	nr = (end - start) / width;
	words = calloc(nr + 1, sizeof(*words));
	if (!words)
		return -ENOMEM;
	c = cursor__new(sec->data + (start - sec->address), nr * width, img->swap);
	for (i = 0; i < nr; i++)
		words[i] = read_word(img, &c);
	apply_relative(img, start, end, words);
	/* sorting leaves zeros for functions that were overridden */
	for (i = 0; !err && i < nr; i++)
		err = words[i] ? add_place(table, 0, words[i]) : 0;
	free(words);
	table->known = table->nr;
	return err;
}

/* --- modules ------------------------------------------------------------------- */

static int read_section(const struct image *img, struct relocator *r, struct section *sec,
			struct ftrace_table *table)
{
	int err = relocator__apply(r, sec);
	struct cursor c = image__cursor(img, sec);
	uint64_t offset;
	uint32_t section;

	while (!err && cursor__left(&c) >= (img->is_64 ? 8 : 4))
		if (relocator__place(r, read_word(img, &c), &section, &offset))
			err = add_place(table, section, offset);
	return err;
}

static int read_sections(const struct image *img, struct relocator *r, const char *name,
			 struct ftrace_table *table)
{
	int err = 0;

	for (size_t i = 1; !err && i < img->nr_sections; i++)
		if (!strcmp(img->sections[i].name, name))
			err = read_section(img, r, &img->sections[i], table);
	return err;
}

static int read_relocatable(const struct image *img, struct relocator *relocator,
			    struct ftrace_table *table)
{
	const char *name = "__mcount_loc";
	struct relocator *own = NULL;
	int err = 0;

	/* where both are, ftrace's is the first, and padding of functions makes the second */
	if (!image__section(img, name) && img->machine != EM_X86_64)
		name = "__patchable_function_entries";
	if (!image__section(img, name))
		return 0;
	if (!relocator)
		err = relocator__new(img, &own);
	err = err ?: read_sections(img, relocator ?: own, name, table);
	relocator__free(own);
	table->known = table->nr;
	return err;
}

static int compare_places(const void *x, const void *y)
{
	const struct ftrace_place *a = x, *b = y;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

int ftrace_table__read(const struct symbols *syms, struct relocator *relocator,
		       struct ftrace_table *ret)
{
	int err;

	*ret = (struct ftrace_table){};
	err = syms->img->type == ET_REL ? read_relocatable(syms->img, relocator, ret) :
					  read_linked(syms, ret);
	if (err == -ENOMEM)
		msg_error("%s: no memory for ftrace's table", syms->img->path);
	if (err)
		ftrace_table__destroy(ret);
	else if (ret->nr)
		qsort(ret->places, ret->nr, sizeof(*ret->places), compare_places);
	return err;
}

void ftrace_table__destroy(struct ftrace_table *table)
{
	free(table->places);
	*table = (struct ftrace_table){};
}

bool ftrace_table__has(const struct ftrace_table *table, const struct func_sym *sym)
{
	uint64_t before = sym->address < BEFORE ? sym->address : BEFORE;
	struct ftrace_place first = {
		.address = sym->address - before,
		.section = table->nr && table->places[0].section ? sym->section : 0,
	};
	uint32_t i = first_not_before(at, table->nr, compare_places(&table->places[at], &first) < 0);

	return i < table->nr && table->places[i].section == first.section &&
	       table->places[i].address - first.address < before + (sym->size ?: SIZE_UNKNOWN);
}
