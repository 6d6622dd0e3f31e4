// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "btf/relocs.h"
#include "util/memory.h"
#include "util/msg.h"

static int compare_offsets(const void *x, const void *y)
{
	const struct reloc *a = &((const struct record_reloc *)x)->reloc;
	const struct reloc *b = &((const struct record_reloc *)y)->reloc;

	return cmp_int(a->offset, b->offset) ?: cmp_int(a->symbol, b->symbol);
}

static int check_table(const struct image *img, const struct section *sec)
{
	const struct section *btf = image__section(img, ".BTF");

	if (sec->type != SHT_RELA)
		return section__error(-EINVAL, img, sec, "its type is %u, expected %u", sec->type,
				      SHT_RELA);
	if (!btf || sec->info != btf->index)
		return section__error(-EINVAL, img, sec, "it applies to section %u, expected %u",
				      sec->info, btf ? btf->index : 0);
	if (sec->link >= img->nr_sections || img->sections[sec->link].type != SHT_SYMTAB)
		return section__error(-EINVAL, img, sec, "section %u is not a symbol table",
				      sec->link);
	if (!img->is_64)
		return section__error(-EINVAL, img, sec, "a 32-bit file cannot have it");
	return section__check_entries(img, sec, elf_sizeof(img, Rela));
}

int record_relocs__read(struct record_relocs *ret, const struct symbols *syms)
{
	const struct image *img = syms->img;
	struct section *sec = image__section(img, ".rela.BTF");
	const struct symbol **by_index __cleanup(free_pointer) = NULL;
	uint64_t nr_symbols = image__nr_symbols(img);
	struct cursor c;
	int err;

	*ret = (struct record_relocs){};
	if (!sec || !sec->size)
		return 0;
	err = image__load_section(img, sec);
	err = err ?: check_table(img, sec);
	if (err)
		return err;
	by_index = xcalloc(nr_symbols + 1, sizeof(*by_index));
	for (uint32_t i = 0; i < syms->nr_funcs; i++)
		by_index[syms->funcs[i].index] = &syms->funcs[i];
	c = image__cursor(img, sec);
	while (cursor__left(&c)) {
		struct reloc r = reloc__read(img, &c, true);

		push(ret, (struct record_reloc){
			.reloc = r, .sym = r.symbol < nr_symbols ? by_index[r.symbol] : NULL });
	}
	vector__sort(ret, compare_offsets);
	return 0;
}

void record_relocs__destroy(struct record_relocs *r)
{
	free(r->array);
	*r = (struct record_relocs){};
}

struct record_reloc *record_relocs__find(const struct record_relocs *r, uint64_t offset)
{
	uint32_t i = first_not_before(at, r->nr, r->array[at].reloc.offset < offset);

	return i < r->nr && r->array[i].reloc.offset == offset ? &r->array[i] : NULL;
}
