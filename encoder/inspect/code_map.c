// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/symbols.h"
#include "inspect/code_map.h"
#include "inspect/facts.h"
#include "util/memory.h"
#include "util/msg.h"

/* By place; at one place, a symbol with a FUNC comes first, then the longest. */
static int compare_extents(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return cmp_place(x, y) ?: cmp_int(!x->func, !y->func) ?: cmp_int(y->size, x->size) ?:
	       strcmp(x->name, y->name);
}

/* ThinLTO's suffix is not in the name of a FUNC; in a module, offsets of sections overlap. */
static const struct func *find_func(const struct funcs *funcs, const struct symbol *sym,
				    uint64_t start)
{
	const struct func *first, *found = NULL;
	uint32_t nr;

	if (symbol__is_fragment(sym))
		return NULL;
	first = funcs__named(funcs, sym->name, strlen(sym->name), &nr);
	if (!nr && !symbol__is_clone(sym))
		first = funcs__named(funcs, sym->name, sym->base_len, &nr);
	for (uint32_t i = 0; i < nr; i++) {
		if (!first[i].record || btf_func__offset(first[i].record) != start)
			continue;
		if (found)
			return NULL;
		found = &first[i];
	}
	return found;
}

static int read_image(struct code_map *map, struct input *in)
{
	bool module = in->img->type == ET_REL;
	const struct symbols *syms;
	int err = facts__symbols(in);

	if (err)
		return err;
	syms = in->syms;
	if (!module && !syms->has_text)
		return msg_fail(-EINVAL, "%s: no symbol _text, which offsets are relative to",
				in->img->path);
	map->text = module ? 0 : syms->text_start;
	for (uint32_t i = 0; i < syms->nr_funcs; i++) {
		const struct symbol *sym = &syms->funcs[i];
		uint64_t start = sym->address - map->text;
		const struct func *func;

		if (!module && sym->address < map->text)
			continue;
		func = find_func(in->funcs, sym, start);
		push(map, (struct extent){
			.address = start, .size = sym->size, .func = func,
			.section = module ? sym->section : 0,
			.name = func ? func->full : sym->name });
	}
	return 0;
}

/* Skip a symbol whose FUNC or name is out of range. */
static void read_kept(struct code_map *map, const struct kept *kept, const struct funcs *funcs)
{
	for (uint32_t i = 0; i < kept->nr_symbols; i++) {
		const struct kept_symbol *sym = &kept->symbols[i];
		const struct func *func = sym->func - 1 < funcs->nr ? &funcs->array[sym->func - 1] :
								      NULL;
		const char *name = func ? func->full : kept__string(kept, sym->name);

		if (name)
			push(map, (struct extent){ .address = sym->start, .size = sym->size,
						   .func = func, .name = name });
	}
}

int code_map__init(struct code_map *map, struct input *in)
{
	uint32_t nr = 0;
	int err = 0;

	*map = (struct code_map){};
	if (in->kept)
		read_kept(map, in->kept, in->funcs);
	else
		err = read_image(map, in);
	if (err)
		return err;
	vector__sort(map, compare_extents);
	for_each(e, map)
		if (!nr || cmp_place(&map->array[nr - 1], e))
			map->array[nr++] = *e;
	map->nr = nr;
	return 0;
}

void code_map__destroy(struct code_map *map)
{
	free(map->array);
	*map = (struct code_map){};
}

const struct extent *code_map__find(const struct code_map *map, uint32_t section,
				    uint64_t offset)
{
	const struct extent key = { .section = section, .address = offset };
	uint32_t i = first_not_before(at, map->nr, cmp_place(&map->array[at], &key) <= 0);
	const struct extent *e = i ? &map->array[i - 1] : NULL;

	/* a symbol of size 0, of assembly, has its first byte */
	if (!e || e->section != section || offset - e->address >= (e->size ?: 1))
		return NULL;
	return e;
}

const struct extent *code_map__named(const struct code_map *map, const char *name, size_t len,
				     uint32_t *nr)
{
	const struct extent *found = NULL;

	*nr = 0;
	for_each(e, map) {
		const char *s = e->name;

		if (strncmp(s, name, len) || (s[len] && (s[len] != '@' || memchr(name, '@', len))))
			continue;
		found = found ?: e;
		++*nr;
	}
	return found;
}
