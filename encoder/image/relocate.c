// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/param.h>

#include "image/machine.h"
#include "image/relocate.h"
#include "image/symbols.h"
#include "util/grow.h"
#include "util/memory.h"
#include "util/msg.h"

/*
 * Address space of each section.  With 64 bits, no real offset or addend comes near the
 * next section.  With 32 bits, there is less space, and a gap separates the end of a
 * section from the start of the next one.
 */
#define ROOM_64		(1ULL << 40)
#define GAP_32		0x10000ULL
#define MAX_SECTIONS_64	(1U << 23)

/**
 * struct relocator - see relocate.h
 * @places:	of allocated sections, sorted by address, and thus by section number
 * @bases:	by section: its base, 0 if the section is not allocated
 * @values:	by symbol: its value, with the base of its section
 * @rela:	by section: the section with its relocations, or 0
 * @fentry:	number of the symbol __fentry__, or 0
 * @nr_values:	0 until the table was read
 * @symtab:	index of the symbol table
 */
struct relocator {
	const struct image	*img;
	const struct machine	*machine;
	VECTOR(struct section_range) places;
	uint64_t		*bases;
	uint64_t		*values;
	uint32_t		*rela;
	uint32_t		fentry;
	uint32_t		nr_values;
	uint32_t		symtab;
};

uint32_t image__reloc_type(const struct image *img)
{
	/* the kernel rejects addresses in the BTF of a BPF program */
	return img->is_64 && img->machine != EM_BPF ? machine__find(img->machine)->abs64 : 0;
}

void relocator__free(struct relocator *r)
{
	if (!r)
		return;
	free(r->places.array);
	free(r->bases);
	free(r->values);
	free(r->rela);
	free(r);
}

static int set_value(const struct symbol *sym, void *arg)
{
	struct relocator *r = arg;
	uint64_t value = sym->address;

	/* the first entry is no symbol, and symbols without a section have no address */
	if (!sym->index || sym->section == SHN_UNDEF || sym->section == (SYMBOL_RESERVED | SHN_COMMON))
		value = 0;
	else if (sym->section < r->img->nr_sections)
		value += r->bases[sym->section];
	r->values[sym->index] = value;
	if (sym->name[0] == '_' && !strcmp(sym->name, "__fentry__"))
		r->fentry = sym->index;
	r->nr_values = sym->index + 1;
	return 0;
}

int relocator__new(const struct image *img, struct relocator **ret)
{
	struct relocator *r __cleanup(free_relocator) = xcalloc(1, sizeof(*r));
	const struct section *symtab = image__first_section(img, SHT_SYMTAB, 0);
	uint64_t next = img->is_64 ? ROOM_64 : GAP_32;
	int err;

	*ret = NULL;
	r->img = img;
	r->machine = machine__find(img->machine);
	r->symtab = symtab ? symtab->index : 0;
	if (img->is_64 && img->nr_sections > MAX_SECTIONS_64)
		return msg_fail(-EINVAL,
				"%s: %zu sections, expected at most %u in a relocatable file",
				img->path, img->nr_sections, MAX_SECTIONS_64);
	r->bases = xcalloc(img->nr_sections, sizeof(*r->bases));
	r->rela = xcalloc(img->nr_sections, sizeof(*r->rela));
	for (size_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];

		if (sec->type == SHT_RELA && sec->info < img->nr_sections)
			r->rela[sec->info] = i;
		if (!(sec->flags & SHF_ALLOC))
			continue;
		if (sec->size >= (img->is_64 ? ROOM_64 : UINT32_MAX - GAP_32) ||
		    (!img->is_64 && next + sec->size > UINT32_MAX))
			return section__error(-EINVAL, img, sec,
					      "0x%" PRIx64 " bytes do not fit in the address space",
					      sec->size);
		r->bases[i] = next;
		push(&r->places, (struct section_range){ next, next + sec->size, i });
		next += img->is_64 ? ROOM_64 : ((sec->size + GAP_32) | 15) + 1;
	}
	r->values = xcalloc(image__nr_symbols(img), sizeof(*r->values));
	err = image__for_each_symbol(img, set_value, r);
	if (!err)
		*ret = no_free_ptr(r);
	return err;
}

/* --- applying ---------------------------------------------------------------- */

static size_t reloc_size(const struct image *img, const struct section *rel)
{
	return rel->type == SHT_RELA ? elf_sizeof(img, Rela) : elf_sizeof(img, Rel);
}

static int bad_entry(const struct relocator *r, const struct section *rel, uint64_t index,
		     const struct reloc *e, const char *what)
{
	return section__error(-EINVAL, r->img, rel, "relocation %" PRIu64 " (type %u of machine %u, offset 0x%" PRIx64 ", symbol %u): %s",
			      index, e->type, r->img->machine, e->offset, e->symbol, what);
}

/* @value is the relocation's symbol plus addend; @left: bytes up to the section's end. */
static bool apply_field(const struct reloc_field *field, uint8_t *p, uint64_t left, uint64_t value)
{
	uint8_t keep = field->bits == 6 ? 0xc0 : field->bits ? 0 : 0x80;
	unsigned int step = field->bits ? 8 : 7, nr = 0;
	uint64_t old = 0;

	do {
		if (nr == left || nr * step >= 64)
			return false;
		old |= (uint64_t)(p[nr] & ~keep) << (nr * step);
		nr++;
	} while (field->bits ? nr * 8 < field->bits : p[nr - 1] & 0x80);
	value = field->op == '=' ? value : field->op == '+' ? old + value : old - value;
	for (unsigned int i = 0; i < nr; i++, value >>= step)
		p[i] = (p[i] & keep) | (value & ~keep);
	return true;
}

static int apply_entry(const struct relocator *r, const struct section *rel, uint64_t index,
		       uint8_t *bytes, uint64_t size)
{
	const struct machine *m = r->machine;
	const struct reloc_field *field = m->fields;
	bool rela = rel->type == SHT_RELA, swap = r->img->swap;
	struct cursor c = image__cursor(r->img, rel);
	unsigned int width;
	struct reloc e;
	uint64_t value;

	cursor__skip(&c, index * reloc_size(r->img, rel));
	e = reloc__read(r->img, &c, rela);
	while (field && field->op && field->type != e.type)
		field++;
	if (m->abs64 && e.type == m->abs64)
		width = 8;
	else if (m->abs32 && e.type == m->abs32)
		width = 4;
	else if (!e.type || e.type == m->none || e.type == m->tls[0] || e.type == m->tls[1])
		return 0;
	else if (field && field->op && rela)
		width = 1;
	else
		return bad_entry(r, rel, index, &e, "a type that is not expected in debug sections");
	if (e.offset > size || size - e.offset < width)
		return bad_entry(r, rel, index, &e, "the offset is past the section's end");
	if (e.symbol >= r->nr_values && e.symbol)
		return bad_entry(r, rel, index, &e, "there is no such symbol");
	value = (e.symbol ? r->values[e.symbol] : 0) + e.addend;
	if (width == 1) {
		if (!apply_field(field, bytes + e.offset, size - e.offset, value))
			return bad_entry(r, rel, index, &e, "the field is past the section's end");
		return 0;
	}
	if (!rela) {
		c = cursor__new(bytes + e.offset, width, swap);
		value += width == 8 ? cursor__u64(&c) : (uint64_t)(int32_t)cursor__u32(&c);
	}
	if (width == 8) {
		value = swap ? __builtin_bswap64(value) : value;
		memcpy(bytes + e.offset, &value, 8);
		return 0;
	}
	if (r->img->is_64 && value > UINT32_MAX)
		return bad_entry(r, rel, index, &e, "the value does not fit in 4 bytes");
	memcpy(bytes + e.offset, &(uint32_t){ swap ? __builtin_bswap32(value) : value }, 4);
	return 0;
}

/*
 * Apply entries from @index on as long as they are as in nearly every module: native, with 64 bits
 * and an addend, and valid.
 *
 * Return: the index of the first other entry, or @nr.
 */
static uint64_t apply_usual(const struct relocator *r, const struct section *rel, uint64_t index,
			    uint64_t nr, uint8_t *bytes, uint64_t size)
{
	typedef Elf64_Rela unaligned_rela __attribute__((aligned(1)));
	const unaligned_rela *entries = (const unaligned_rela *)rel->data;
	const uint32_t abs64 = r->machine->abs64, abs32 = r->machine->abs32;
	const uint64_t *values = r->values, nr_values = r->nr_values;

	if (!r->img->is_64 || r->img->swap || rel->type != SHT_RELA || !abs64 || !abs32 || size < 8)
		return index;
	for (; index < nr; index++) {
		const unaligned_rela *e = &entries[index];
		uint32_t symbol = ELF64_R_SYM(e->r_info), type = ELF64_R_TYPE(e->r_info);
		/* read once: the file may change */
		uint64_t offset = e->r_offset, value;

		if (symbol >= nr_values || offset > size - 8)
			break;
		value = values[symbol] + e->r_addend;
		if (type == abs32 && value <= UINT32_MAX)
			memcpy(bytes + offset, &(uint32_t){ value }, 4);
		else if (type == abs64)
			memcpy(bytes + offset, &value, 8);
		else
			break;
	}
	return index;
}

static int apply_entries(const struct relocator *r, const struct section *rel, uint8_t *bytes,
			 uint64_t size)
{
	uint64_t nr = rel->size / reloc_size(r->img, rel), i;
	int err = 0;

	if (!r->machine->id && nr)
		return section__error(-EINVAL, r->img, rel, "relocations of %s (machine %u) are not supported",
				      machine__name(r->img->machine), r->img->machine);
	for (i = apply_usual(r, rel, 0, nr, bytes, size); !err && i < nr;
	     i = apply_usual(r, rel, i + 1, nr, bytes, size))
		err = apply_entry(r, rel, i, bytes, size);
	return err;
}

static int check_table(const struct relocator *r, const struct section *rel)
{
	if (section__check_entries(r->img, rel, reloc_size(r->img, rel)))
		return -EINVAL;
	if (rel->link != r->symtab)
		return section__error(-EINVAL, r->img, rel,
				      "its symbol table is section %u, expected %u", rel->link,
				      r->symtab);
	return 0;
}

int relocator__apply(struct relocator *r, struct section *sec)
{
	int err;

	err = image__load_section(r->img, sec);
	if (err || sec->relocated)
		return err;
	sec->relocated = true;
	for (size_t i = 1; !err && i < r->img->nr_sections; i++) {
		struct section *rel = &r->img->sections[i];

		if ((rel->type != SHT_RELA && rel->type != SHT_REL) || rel->info != sec->index)
			continue;
		/* relocations may be compressed, too */
		err = image__load_section(r->img, rel);
		err = err ?: check_table(r, rel);
		if (err)
			break;
		/* uncompressed bytes are a copy already */
		if (!sec->owned && sec->data) {
			sec->owned = xmalloc(sec->size);
			memcpy(sec->owned, sec->data, sec->size);
			sec->data = sec->owned;
		} else if (!sec->owned && sec->type == SHT_NOBITS) {
			/* with REL, and without relocations for every word, the bytes are unknown */
			if (rel->type != SHT_RELA || sec->size > rel->size)
				continue;
			sec->owned = xcalloc(1, sec->size);
			sec->data = sec->owned;
		}
		err = apply_entries(r, rel, sec->owned, sec->owned ? sec->size : 0);
	}
	return err;
}

int relocator__for_each(const struct relocator *r, const struct section *sec,
			void (*fn)(uint64_t offset, uint64_t value, void *arg), void *arg)
{
	int err = 0;

	for (size_t i = 1; !err && i < r->img->nr_sections; i++) {
		struct section *rel = &r->img->sections[i];
		struct cursor c;

		if (rel->type != SHT_RELA || rel->info != sec->index)
			continue;
		err = image__load_section(r->img, rel);
		err = err ?: check_table(r, rel);
		c = image__cursor(r->img, rel);
		while (!err && cursor__left(&c)) {
			struct reloc e = reloc__read(r->img, &c, true);

			if (e.symbol < r->nr_values)
				fn(e.offset, r->values[e.symbol] + e.addend, arg);
		}
	}
	return err;
}

bool relocator__place(const struct relocator *r, uint64_t address, uint32_t *section,
		      uint64_t *offset)
{
	uint32_t i = first_not_before(at, r->places.nr, r->places.array[at].start <= address);
	const struct section_range *p = i ? &r->places.array[i - 1] : NULL;

	if (!p || address >= p->end)
		return false;
	*section = p->section;
	*offset = address - p->start;
	return true;
}

uint64_t relocator__address(const struct relocator *r, uint32_t section, uint64_t offset)
{
	return r->bases[section] ? r->bases[section] + offset : 0;
}

bool relocator__is_fentry(const struct relocator *r, uint64_t address)
{
	const struct section *rela;
	uint32_t section, i, nr;
	struct reloc e = {};
	uint64_t offset;
	size_t size;
	struct cursor c;

	if (!r->fentry || !relocator__place(r, address, &section, &offset))
		return false;
	rela = &r->img->sections[r->rela[section]];
	size = elf_sizeof(r->img, Rela);
	if (!rela->data || rela->compression != SECTION_PLAIN || rela->link != r->symtab)
		return false;
	nr = MIN(rela->size / size, UINT32_MAX);
	i = first_not_before(at, nr, (c = image__cursor(r->img, rela), cursor__skip(&c, at * size),
				      reloc__read(r->img, &c, true).offset < offset));
	c = image__cursor(r->img, rela);
	cursor__skip(&c, i * size);
	e = reloc__read(r->img, &c, true);
	return !cursor__failed(&c) && e.offset == offset && e.symbol == r->fentry;
}
