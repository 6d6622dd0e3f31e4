// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "image/symtab.h"
#include "util/msg.h"

/* .symtab, ready to be walked. */
struct symtab {
	const struct section	*sec;
	struct cursor		c;
	struct cursor		shndx;	/* .symtab_shndx; empty without one */
	const char		*names;
	uint64_t		names_end; /* one past the last NUL */
	uint32_t		nr;
	uint32_t		nr_files;
};

/* No table at all is an empty one. */
static int symtab__init(struct symtab *tab, const struct image *img)
{
	const struct section *sec, *strtab, *shndx;
	const uint8_t *nul = NULL;

	memset(tab, 0, sizeof(*tab));
	sec = image__first_section(img, SHT_SYMTAB, 0);
	if (!sec || !sec->size)
		return 0;
	tab->sec = sec;
	if (!sec->data)
		return section__error(-EINVAL, img, sec,
				      "a compressed symbol table is not supported");
	if (sec->entry_size != elf_sizeof(img, Sym) ||
	    sec->size % sec->entry_size)
		return section__error(-EINVAL, img, sec,
				      "0x%" PRIx64 " bytes in entries of %" PRIu64
				      ", expected entries of %zu", sec->size, sec->entry_size,
				      elf_sizeof(img, Sym));
	if (sec->size / sec->entry_size > UINT32_MAX)
		return section__error(-EINVAL, img, sec, "more than 2^32 symbols");
	if (!sec->link || sec->link >= img->nr_sections)
		return section__error(-EINVAL, img, sec,
				      "its string table is section %u, but there are %zu sections",
				      sec->link, img->nr_sections);
	strtab = &img->sections[sec->link];
	if (strtab->type == SHT_STRTAB && strtab->data)
		nul = memrchr(strtab->data, 0, strtab->size);
	if (!nul)
		return section__error(-EINVAL, img, strtab,
				      "not the string table of symbols: no string in it ends");
	tab->names = (const char *)strtab->data;
	tab->names_end = nul - strtab->data + 1;
	tab->nr = sec->size / sec->entry_size;
	tab->c = image__cursor(img, sec);
	shndx = image__first_section(img, SHT_SYMTAB_SHNDX, sec->index);
	if (shndx)
		tab->shndx = image__cursor(img, shndx);
	return 0;
}

static int bad_symbol(const struct image *img, const struct symtab *tab, uint32_t index,
		      const char *what, uint32_t found, uint64_t limit)
{
	return section__error(-EINVAL, img, tab->sec,
			      "symbol %u: %s is %u, expected less than %" PRIu64, index, what,
			      found, limit);
}

/* Read symbol @index, the next one. */
static int symtab__next(struct symtab *tab, const struct image *img, uint32_t index,
			struct symbol *sym)
{
	struct cursor *c = &tab->c;
	uint32_t name = cursor__u32(c);
	uint32_t extended = cursor__u32(&tab->shndx);
	uint8_t info;

	if (img->is_64) {
		info = cursor__u8(c);
		cursor__u8(c);		/* st_other */
		sym->section = cursor__u16(c);
		sym->value = cursor__u64(c);
		sym->size = cursor__u64(c);
	} else {
		sym->value = cursor__u32(c);
		sym->size = cursor__u32(c);
		info = cursor__u8(c);
		cursor__u8(c);
		sym->section = cursor__u16(c);
	}
	sym->index = index;
	sym->type = ELF64_ST_TYPE(info);
	sym->bind = ELF64_ST_BIND(info);
	if (unlikely(name >= tab->names_end))
		return bad_symbol(img, tab, index, "name's offset", name, tab->names_end);
	sym->name = tab->names + name;
	if (unlikely(sym->section == SHN_XINDEX)) {
		if (cursor__failed(&tab->shndx))
			return section__error(-EINVAL, img, tab->sec, "no .symtab_shndx entry for a symbol with an extended section index");
		sym->section = extended;
		if (extended >= img->nr_sections)
			return bad_symbol(img, tab, index, "section", extended, img->nr_sections);
	} else if (sym->section >= SHN_LORESERVE) {
		sym->section |= SYMBOL_RESERVED;
	} else if (unlikely(sym->section >= img->nr_sections)) {
		return bad_symbol(img, tab, index, "section", sym->section, img->nr_sections);
	}
	/* bit 0 says "this is Thumb code" and is no part of the address */
	if (img->machine == EM_ARM && sym->type == STT_FUNC)
		sym->value &= ~1ULL;
	if (sym->type == STT_FILE)
		tab->nr_files++;
	sym->file = sym->bind == STB_LOCAL ? tab->nr_files : 0;
	return 0;
}

uint64_t image__nr_symbols(const struct image *img)
{
	const struct section *sec = image__first_section(img, SHT_SYMTAB, 0);

	return sec && sec->data ? sec->size / elf_sizeof(img, Sym) : 0;
}

int image__for_each_symbol(const struct image *img,
			   int (*fn)(const struct symbol *sym, void *arg), void *arg)
{
	struct symtab tab;
	struct symbol sym;
	int err;

	err = symtab__init(&tab, img);
	for (uint32_t i = 0; !err && i < tab.nr; i++) {
		err = symtab__next(&tab, img, i, &sym);
		if (!err && i) /* the first one is always empty */
			err = fn(&sym, arg);
	}
	return err;
}

struct lookup {
	const char	*name;
	uint64_t	value;
	bool		local;
};

static int match_symbol(const struct symbol *sym, void *arg)
{
	struct lookup *lookup = arg;

	if ((sym->bind == STB_LOCAL) != lookup->local || sym->section == SHN_UNDEF ||
	    strcmp(sym->name, lookup->name))
		return 0;
	lookup->value = sym->value;
	return 1;
}

bool image__symbol(const struct image *img, const char *name, uint64_t *value)
{
	struct lookup lookup = { .name = name };
	int ret = image__for_each_symbol(img, match_symbol, &lookup);

	/* among the local ones last, as their names fill megabytes */
	if (!ret) {
		lookup.local = true;
		ret = image__for_each_symbol(img, match_symbol, &lookup);
	}
	if (ret != 1)
		return false;
	*value = lookup.value;
	return true;
}
