// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "image/symbols.h"
#include "util/memory.h"
#include "util/msg.h"

/*
 * The kernel allows 511 bytes (KSYM_NAME_LEN), C++ and Rust use some thousands.
 * Without a limit, a file with many symbols that share one huge string would take
 * quadratic time.
 */
#define NAME_MAX_LEN	65535U

/* With fewer entries, insertion sort is faster. */
#define SMALL_SORT	32U

/* --- walking .symtab -------------------------------------------------------------------- */

/* .symtab, ready to be walked. */
struct symtab {
	const struct section	*sec;
	struct cursor		c;
	struct cursor		shndx;	/* .symtab_shndx; empty without one */
	const char		*names;
	uint64_t		names_end; /* one past the last NUL */
	uint32_t		nr_files;
};

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
		sym->address = cursor__u64(c);
		sym->size = cursor__u64(c);
	} else {
		sym->address = cursor__u32(c);
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
	/* bit 0 means "this is Thumb code", and is not part of the address */
	if (img->machine == EM_ARM && sym->type == STT_FUNC)
		sym->address &= ~1ULL;
	if (sym->type == STT_FILE)
		tab->nr_files++;
	sym->file = sym->bind == STB_LOCAL ? tab->nr_files : 0;
	return 0;
}

uint64_t image__nr_symbols(const struct image *img)
{
	const struct section *sec = image__first_section(img, SHT_SYMTAB, 0);

	if (!sec && img->code)
		return image__nr_symbols(img->code);
	return sec && sec->data ? sec->size / elf_sizeof(img, Sym) : 0;
}

/** struct symbols_of_code - a walk over the symbols of the file with the code of @img */
struct symbols_of_code {
	const struct image	*img;
	int			(*fn)(const struct symbol *sym, void *arg);
	void			*arg;
};

static int convert_section(const struct symbol *sym, void *arg)
{
	const struct symbols_of_code *s = arg;
	struct symbol own = *sym;

	if (sym->section < s->img->code->nr_sections)
		own.section = image__own_section(s->img, sym->section);
	return s->fn(&own, s->arg);
}

int image__for_each_symbol(const struct image *img,
			   int (*fn)(const struct symbol *sym, void *arg), void *arg)
{
	struct symbols_of_code of_code = { img, fn, arg };
	const struct section *sec = image__first_section(img, SHT_SYMTAB, 0), *strtab, *shndx;
	struct symtab tab = { .sec = sec };
	const uint8_t *nul = NULL;
	struct symbol sym;
	uint32_t nr;
	int err = 0;

	/* eu-strip -g leaves the symbols in the file with the code */
	if (!sec && img->code)
		return image__for_each_symbol(img->code, convert_section, &of_code);
	if (!sec || !sec->size)
		return 0;
	if (!sec->data)
		return section__error(-EINVAL, img, sec,
				      "a compressed symbol table is not supported");
	if (section__check_entries(img, sec, elf_sizeof(img, Sym)))
		return -EINVAL;
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
				      "not a string table for symbols: no string in it is terminated");
	tab.names = (const char *)strtab->data;
	tab.names_end = nul - strtab->data + 1;
	tab.c = image__cursor(img, sec);
	shndx = image__first_section(img, SHT_SYMTAB_SHNDX, sec->index);
	if (shndx)
		tab.shndx = image__cursor(img, shndx);
	nr = sec->size / sec->entry_size;
	for (uint32_t i = 0; !err && i < nr; i++) {
		err = symtab__next(&tab, img, i, &sym);
		if (!err && i) /* the first one is always empty */
			err = fn(&sym, arg);
	}
	return err;
}

/* @starts: a bit for the start of each name: few other symbols have one of these bits */
struct wanted_values {
	const struct symbol_value	*all;
	size_t				nr;
	uint64_t			starts;
};

static uint64_t start_bit(const char *name)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < 4 && name[i]; i++)
		hash = hash * 31 + (unsigned char)name[i];
	return 1ULL << (hash & 63);
}

static int copy_value(const struct symbol *sym, void *arg)
{
	const struct wanted_values *wanted = arg;

	if (sym->section == SHN_UNDEF || !(wanted->starts & start_bit(sym->name)))
		return 0;
	for (const struct symbol_value *w = wanted->all; w < wanted->all + wanted->nr; w++)
		if (!strcmp(sym->name, w->name))
			*w->value = sym->address;
	return 0;
}

static struct wanted_values want_values(const struct symbol_value *wanted, size_t nr)
{
	struct wanted_values ret = { wanted, nr, 0 };

	for (size_t i = 0; i < nr; i++)
		ret.starts |= start_bit(wanted[i].name);
	return ret;
}

int image__find_values(const struct image *img, const struct symbol_value *wanted, size_t nr)
{
	struct wanted_values values = want_values(wanted, nr);

	return image__for_each_symbol(img, copy_value, &values);
}

/* --- the table of functions ------------------------------------------------------------ */

/*
 * Sorting.  Entries are sorted by a 64-bit key, stably, so that equal entries stay
 * sorted by place.  Names are compared eight bytes at a time: these bytes are the
 * key, and only entries that share all eight are sorted by the next eight.
 */

struct sort_entry {
	uint64_t	key;
	const char	*name;
	uint32_t	len;	/* significant bytes of @name */
	uint32_t	func;	/* what is sorted: an index into the functions */
};

/* Radix sort, lowest byte first; bytes that are equal in all keys are skipped. */
static void sort_by_key(struct sort_entry *e, struct sort_entry *spare, uint32_t nr)
{
	struct sort_entry *from = e, *to = spare;
	uint64_t differ = 0;

	if (nr <= SMALL_SORT) {
		for (uint32_t i = 1; i < nr; i++) {
			struct sort_entry entry = e[i];
			uint32_t j;

			for (j = i; j && e[j - 1].key > entry.key; j--)
				e[j] = e[j - 1];
			e[j] = entry;
		}
		return;
	}
	for (uint32_t i = 1; i < nr; i++)
		differ |= e[i].key ^ e[0].key;
	for (int shift = 0; shift < 64; shift += 8) {
		uint32_t start[256] = { 0 };
		uint32_t sum = 0;
		struct sort_entry *swap;

		if (!(differ >> shift & 0xff))
			continue;
		for (uint32_t i = 0; i < nr; i++)
			start[from[i].key >> shift & 0xff]++;
		for (int b = 0; b < 256; b++) {
			uint32_t count = start[b];

			start[b] = sum;
			sum += count;
		}
		for (uint32_t i = 0; i < nr; i++)
			to[start[from[i].key >> shift & 0xff]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != e)
		memcpy(e, from, nr * sizeof(*e));
}

/* Eight bytes of a name as a number, which is sorted like the name; 0 past its end. */
static uint64_t name_key(const char *name, uint32_t len, uint32_t depth)
{
	uint64_t key = 0;

	if (likely(len >= depth + sizeof(key)))
		memcpy(&key, name + depth, sizeof(key));
	else if (len > depth)
		memcpy(&key, name + depth, len - depth);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	key = __builtin_bswap64(key);
#endif
	return key;
}

/* Sort entries whose names have the same first @depth bytes. */
static void sort_by_name(struct sort_entry *e, struct sort_entry *spare, uint32_t nr,
			 uint32_t depth)
{
	uint32_t end;

	for (uint32_t i = 0; i < nr; i++)
		e[i].key = name_key(e[i].name, e[i].len, depth);
	sort_by_key(e, spare, nr);
	for (uint32_t i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && e[end].key == e[i].key; end++)
			;
		/* a last byte of 0: they end here and are equal */
		if (end - i > 1 && e[i].key & 0xff)
			sort_by_name(e + i, spare, end - i, depth + 8);
	}
}

static uint32_t stem_length(const char *name, uint32_t len)
{
	const char *dot = len > 1 ? memchr(name + 1, '.', len - 1) : NULL;

	return dot ? dot - name : len;
}

/* Sort entries that are sorted by stem: those with the same stem by suffix. */
static void sort_by_suffix(const struct symbol *funcs, struct sort_entry *e,
			   struct sort_entry *spare, uint32_t nr)
{
	uint32_t i, end;

	for (i = 0; i < nr; i = end) {
		const struct symbol *first = &funcs[e[i].func];

		for (end = i + 1; end < nr && same_stem(first, &funcs[e[end].func]); end++)
			;
		if (end - i == 1)
			continue;
		for (uint32_t k = i; k < end; k++) {
			e[k].name += first->stem_len;
			e[k].len = strlen(e[k].name);
		}
		sort_by_name(e + i, spare, end - i, 0);
		for (uint32_t k = i; k < end; k++) {
			e[k].name -= first->stem_len;
			e[k].len = first->stem_len;
		}
	}
}

/* Sort the functions by (section, address, name, index). */
static void sort_funcs(struct symbol *funcs, struct sort_entry *e, struct sort_entry *spare,
		       uint32_t nr)
{
	uint32_t end;

	for (uint32_t i = 0; i < nr; i++)
		e[i].key = funcs[i].address;
	sort_by_key(e, spare, nr);
	for (uint32_t i = 0; i < nr; i++)
		e[i].key = funcs[e[i].func].section;
	sort_by_key(e, spare, nr);
	for (uint32_t i = 0; i < nr; i = end) {
		const struct symbol *first = &funcs[e[i].func];

		for (end = i + 1; end < nr && !cmp_place(&funcs[e[end].func], first); end++)
			;
		if (end - i == 1)
			continue;
		sort_by_name(e + i, spare, end - i, 0);
		sort_by_suffix(funcs, e + i, spare, end - i);
	}
	/* move every function to the place of its entry, along the cycles of the permutation */
	for (uint32_t i = 0; i < nr; i++) {
		struct symbol first = funcs[i];
		uint32_t to = i;

		while (e[to].func != i) {
			uint32_t from = e[to].func;

			funcs[to] = funcs[from];
			e[to].func = to;
			to = from;
		}
		funcs[to] = first;
		e[to].func = to;
	}
}

struct collect {
	struct symbols		*syms;
	struct sort_entry	*entries;
	struct wanted_values	bounds;		/* that the linker script defines */
	uint32_t		ids;		/* index of .BTF_ids, 0 without it */
	bool			global_text;
	bool			objects;	/* of all sections */
	bool			untyped;	/* also read code without a type */
};

/* A global _text takes precedence over local ones; otherwise, use the first. */
static void set_text(struct collect *col, const struct symbol *sym)
{
	bool global = sym->bind != STB_LOCAL;

	if (col->global_text || (col->syms->has_text && !global) || strcmp(sym->name, "_text"))
		return;
	col->global_text = global;
	col->syms->has_text = true;
	col->syms->text_start = sym->address;
}

int symbol__compare_objects(const void *x, const void *y)
{
	const struct symbol *a = x, *b = y;

	return cmp_int(a->section, b->section) ?: strcmp(a->name, b->name);
}

static int compare_values(const void *x, const void *y)
{
	const struct symbol *a = x, *b = y;

	return cmp_int(a->address, b->address) ?: cmp_int(a->index, b->index);
}

static int compare_places(const void *x, const void *y)
{
	const struct symbol *a = x, *b = y;

	return cmp_int(a->section, b->section) ?: compare_values(x, y);
}

/* SYM_CODE_START() of the kernel gives code no type; labels have no size. */
static bool is_function(const struct collect *col, const struct symbol *sym)
{
	const struct image *img = col->syms->img;

	if (sym->section >= SYMBOL_RESERVED || sym->type == STT_FUNC)
		return sym->section < SYMBOL_RESERVED;
	return col->untyped && sym->type == STT_NOTYPE && sym->size &&
	       img->sections[sym->section].flags & SHF_EXECINSTR;
}

static int collect_symbol(const struct symbol *sym, void *arg)
{
	struct collect *col = arg;
	struct symbols *syms = col->syms;
	const struct image *img = syms->img;
	uint32_t nr = syms->nr_funcs;
	size_t len;

	if (sym->type == STT_FILE)
		push(&syms->files, sym->name);
	if (sym->section == SHN_UNDEF)
		return 0;
	if (sym->section == col->ids)
		push(&syms->ids, *sym);
	/* defined by a linker script; the names of local variables are not read */
	if (img->type != ET_REL &&
	    (sym->bind != STB_LOCAL || sym->type == STT_NOTYPE || sym->type == STT_FUNC))
		set_text(col, sym);
	if (sym->type == STT_NOTYPE)
		copy_value(sym, &col->bounds);
	/* a variable's name is shorter than KSYM_NAME_LEN */
	if (sym->type == STT_OBJECT && sym->section < img->nr_sections &&
	    (col->objects || img->sections[sym->section].percpu) &&
	    strnlen(sym->name, 512) < 512)
		push(&syms->objects, *sym);
	if (!is_function(col, sym))
		return 0;
	len = strnlen(sym->name, NAME_MAX_LEN + 1);
	if (len > NAME_MAX_LEN)
		return msg_fail(-EINVAL, "%s: symbol %u %.64s...: name is longer than %u bytes",
				img->path, sym->index, sym->name, NAME_MAX_LEN);
	syms->funcs[nr] = *sym;
	syms->funcs[nr].stem_len = stem_length(sym->name, len);
	syms->funcs[nr].has_suffix = syms->funcs[nr].stem_len != len;
	col->entries[nr] = (struct sort_entry){ .name = sym->name, .func = nr,
						     .len = syms->funcs[nr].stem_len };
	syms->nr_funcs++;
	return 0;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct section_range *x = a, *y = b;

	return cmp_int(x->start, y->start) ?: cmp_int(x->section, y->section);
}

/*
 * Sort the executable sections by address.  They only overlap in malformed images; then,
 * the section that starts first keeps the overlap.
 */
static void find_text(struct symbols *syms)
{
	const struct image *img = syms->img;
	const uint64_t need = SHF_ALLOC | SHF_EXECINSTR;
	uint64_t last = 0;
	uint32_t nr = 0;

	for (size_t i = 1; i < img->nr_sections && img->type != ET_REL; i++) {
		const struct section *sec = &img->sections[i];
		uint64_t room = UINT64_MAX - sec->address;

		if ((sec->flags & need) == need && sec->size)
			push(&syms->text, (struct section_range){
				.start = sec->address,
				.end = sec->address + (sec->size < room ? sec->size : room),
				.section = i });
	}
	vector__sort(&syms->text, compare_ranges);
	for_each(r, &syms->text) {
		if (r->start < last)
			r->start = last;
		if (r->start >= r->end)
			continue;
		last = r->end;
		syms->text.array[nr++] = *r;
	}
	syms->text.nr = nr;
}

int symbols__new(const struct image *img, bool objects, bool untyped, struct symbols **ret)
{
	const struct section *ids = image__section(img, ".BTF_ids");
	const struct section *names = image__section(img, ".strtab");
	uint64_t room = image__nr_symbols(img) + 1;
	/* enough if every symbol is a function: untouched pages cost no memory */
	struct sort_entry *e __cleanup(free_pointer) = xmalloc(room * sizeof(*e));
	struct sort_entry *spare __cleanup(free_pointer) = NULL;
	struct symbols *syms = xcalloc(1, sizeof(*syms));
	const struct symbol_value bounds[] = {
		{ "_sinittext", &syms->init_start }, { "_einittext", &syms->init_end },
		{ "_stext", &syms->core_start }, { "_etext", &syms->core_end },
		{ "__start_mcount_loc", &syms->mcount_start },
		{ "__stop_mcount_loc", &syms->mcount_end },
	};
	struct collect col = { .syms = syms, .objects = objects, .untyped = untyped, .entries = e,
			       .ids = ids ? ids->index : 0,
			       .bounds = want_values(bounds, ARRAY_SIZE(bounds)) };
	uint32_t nr;
	int err;

	syms->img = img;
	syms->funcs = xmalloc(room * sizeof(*syms->funcs));
	if (names && names->data)
		cursor__read_ahead(image__cursor(img, names));
	err = image__for_each_symbol(img, collect_symbol, &col);
	if (err) {
		symbols__free(syms);
		return err;
	}
	nr = syms->nr_funcs;
	syms->funcs = xrealloc(syms->funcs, nr + 1UL, sizeof(*syms->funcs));
	syms->by_name = xmalloc(nr * sizeof(*syms->by_name));
	syms->by_stem = xmalloc(nr * sizeof(*syms->by_stem));
	spare = xmalloc(nr * sizeof(*spare));
	sort_funcs(syms->funcs, e, spare, nr);
	sort_by_name(e, spare, nr, 0);
	for (uint32_t i = 0; i < nr; i++)
		syms->by_stem[i] = e[i].func;
	sort_by_suffix(syms->funcs, e, spare, nr);
	for (uint32_t i = 0; i < nr; i++)
		syms->by_name[i] = e[i].func;
	vector__sort(&syms->objects, compare_places);
	vector__sort(&syms->ids, compare_values);
	find_text(syms);
	*ret = syms;
	return 0;
}

void symbols__free(struct symbols *syms)
{
	if (!syms)
		return;
	free(syms->funcs);
	free(syms->by_name);
	free(syms->by_stem);
	free(syms->text.array);
	free(syms->ids.array);
	free(syms->objects.array);
	free(syms->files.array);
	free(syms);
}

bool symbol__is_padding(const struct symbol *sym)
{
	return sym->name[0] == '_' &&
	       (!strncmp(sym->name, "__pfx_", 6) || !strncmp(sym->name, "__cfi_", 6) ||
		!strncmp(sym->name, "__SCT__", 7));
}

bool symbol__is_fragment(const struct symbol *sym)
{
	const char *suffix = sym->name + sym->stem_len;

	return (sym->has_suffix && (strstr(suffix, ".cold") || strstr(suffix, ".part"))) ||
	       symbol__is_padding(sym);
}

bool symbol__is_clone(const struct symbol *sym)
{
	static const char llvm[] = ".llvm.";
	const char *suffix = sym->name + sym->stem_len, *digits;

	if (!sym->has_suffix)
		return false;
	if (strncmp(suffix, llvm, sizeof(llvm) - 1))
		return true;
	digits = suffix + sizeof(llvm) - 1;
	return !*digits || digits[strspn(digits, "0123456789")];
}

size_t symbol__name_len(const struct symbol *sym)
{
	return symbol__is_clone(sym) ? strlen(sym->name) : sym->stem_len;
}

bool symbol__is_named(const struct symbol *sym, const char *name, size_t len)
{
	return symbol__name_len(sym) == len && !memcmp(sym->name, name, len);
}

int symbol__compare_names(const struct symbol *a, const struct symbol *b)
{
	size_t la = symbol__name_len(a), lb = symbol__name_len(b);

	return memcmp(a->name, b->name, la < lb ? la : lb) ?: cmp_int(la, lb);
}

const struct symbol *symbols__at(const struct symbols *syms, uint32_t section,
				 uint64_t address, uint32_t *nr)
{
	const struct symbol *f = syms->funcs, at = { .section = section, .address = address };
	uint32_t first = first_not_before(i, syms->nr_funcs, cmp_place(&f[i], &at) < 0);
	uint32_t end = first_not_before(i, syms->nr_funcs, cmp_place(&f[i], &at) <= 0);

	*nr = end - first;
	return *nr ? &f[first] : NULL;
}

uint32_t symbols__section_of(const struct symbols *syms, uint64_t address)
{
	const struct section_range *text = syms->text.array;
	uint32_t i = first_not_before(at, syms->text.nr, address >= text[at].end);

	return i < syms->text.nr && address >= text[i].start ? text[i].section : 0;
}

static int compare_stem(const struct symbol *f, const char *name, size_t len)
{
	return memcmp(f->name, name, f->stem_len < len ? f->stem_len : len) ?:
	       cmp_int(f->stem_len, len);
}

int symbol__compare(const struct symbol *f, const char *name, size_t len)
{
	size_t stem = stem_length(name, len);

	return compare_stem(f, name, stem) ?: strncmp(f->name + stem, name + stem, len - stem) ?:
	       f->name[len] != '\0';
}

/* The run of entries in @order that are equal to a name. */
static const uint32_t *find_name(const struct symbols *syms, const uint32_t *order,
				 int (*compare)(const struct symbol *, const char *, size_t),
				 const char *name, size_t len, uint32_t *nr)
{
	const struct symbol *f = syms->funcs;
	uint32_t first = first_not_before(i, syms->nr_funcs, compare(&f[order[i]], name, len) < 0);
	uint32_t end = first_not_before(i, syms->nr_funcs, compare(&f[order[i]], name, len) <= 0);

	*nr = end - first;
	return *nr ? &order[first] : NULL;
}

const uint32_t *symbols__named(const struct symbols *syms, const char *name, uint32_t *nr)
{
	return find_name(syms, syms->by_name, symbol__compare, name, strlen(name), nr);
}

const uint32_t *symbols__with_stem(const struct symbols *syms, const char *name, size_t len,
				   uint32_t *nr)
{
	if (stem_length(name, len) != len)
		return find_name(syms, syms->by_name, symbol__compare, name, len, nr);
	return find_name(syms, syms->by_stem, compare_stem, name, len, nr);
}

const struct symbol *symbols__of_func(const struct symbols *syms, const char *name,
				      uint64_t offset)
{
	size_t len = strcspn(name, "@");
	uint32_t nr;
	const uint32_t *with = symbols__with_stem(syms, name, len, &nr);

	for (uint32_t i = 0; i < nr; i++) {
		const struct symbol *sym = &syms->funcs[with[i]];

		if (sym->address == offset && symbol__is_named(sym, name, len))
			return sym;
	}
	return NULL;
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool symbols__same_file(const struct symbols *syms, const struct symbol *sym, const char *path)
{
	return !strcmp(last_component(symbols__file(syms, sym->file)), last_component(path));
}

bool symbols__other_file(const struct symbols *syms, const struct symbol *sym, const char *path)
{
	const char *file = symbols__file(syms, sym->file), *suffix = strrchr(file, '.');

	return suffix && (!strcmp(suffix, ".c") || !strcmp(suffix, ".S")) &&
	       !symbols__same_file(syms, sym, path);
}

bool symbols__is_init(const struct symbols *syms, uint32_t section, uint64_t address)
{
	const struct image *img = syms->img;

	if (section < img->nr_sections) {
		const char *name = img->sections[section].name;

		/* as in the kernel's module_init_section() */
		if (!strncmp(name, ".init", 5) || !strncmp(name, ".exit", 5))
			return true;
	}
	return img->type != ET_REL && address >= syms->init_start && address < syms->init_end;
}

bool symbols__is_core_text(const struct symbols *syms, uint32_t section, uint64_t address)
{
	if (symbols__is_init(syms, section, address))
		return false;
	if (syms->img->type == ET_REL || !syms->core_start || !syms->core_end)
		return true;
	return address >= syms->core_start && address < syms->core_end;
}
