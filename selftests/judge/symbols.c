// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "../compare/raw.h"
#include "symbols.h"

size_t stem_length(const char *name)
{
	return *name ? 1 + strcspn(name + 1, ".@") : 0;
}

int compare_bases(const char *a, const char *b)
{
	size_t len_a = stem_length(a), len_b = stem_length(b);
	int order = strncmp(a, b, len_a < len_b ? len_a : len_b);

	return order ?: (len_a > len_b) - (len_a < len_b);
}

/* fragments by gcc, and symbols that the kernel's build and clang place between functions */
bool is_fragment(const char *symbol)
{
	const char *suffix = symbol + stem_length(symbol);

	return strstr(suffix, ".cold") || strstr(suffix, ".part") ||
	       !strncmp(symbol, "__pfx_", 6) || !strncmp(symbol, "__cfi_", 6) ||
	       !strncmp(symbol, "__SCT__", 7);
}

bool is_thinlto_suffix(const char *suffix)
{
	size_t digits;

	if (strncmp(suffix, ".llvm.", 6))
		return false;
	digits = strspn(suffix + 6, "0123456789");
	return digits && !suffix[6 + digits];
}

static int compare_to_place(const struct symbol *sym, uint32_t section, uint64_t address)
{
	if (sym->section != section)
		return sym->section < section ? -1 : 1;
	return sym->address < address ? -1 : sym->address > address;
}

static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return compare_to_place(x, y->section, y->address) ?: strcmp(x->name, y->name);
}

static int compare_by_stem(const void *a, const void *b)
{
	const struct symbol *x = *(struct symbol * const *)a, *y = *(struct symbol * const *)b;

	return compare_bases(x->name, y->name) ?: (x > y) - (x < y);
}

static int compare_code(const void *a, const void *b)
{
	const struct code *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void note_bound(struct image *img, const char *name, const GElf_Sym *sym)
{
	const struct {
		const char	*name;
		uint64_t	*value;
	} bounds[] = {
		{ "_sinittext", &img->init_start }, { "_einittext", &img->init_end },
		{ "_stext", &img->core_start }, { "_etext", &img->core_end },
	};

	if (!strcmp(name, "_text") &&
	    (!img->has_text || GELF_ST_BIND(sym->st_info) != STB_LOCAL)) {
		img->has_text = true;
		img->text = sym->st_value;
	}
	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++)
		if (!*bounds[i].value && !strcmp(name, bounds[i].name))
			*bounds[i].value = sym->st_value;
}

static void add_symbol(struct image *img, uint32_t number, const char *name, const GElf_Sym *sym,
		       uint32_t section)
{
	if (!section)
		return;
	if (!image__is_relocatable(img))
		note_bound(img, name, sym);
	/* SHN_ABS and the like are not a place */
	if (GELF_ST_TYPE(sym->st_info) != STT_FUNC ||
	    (sym->st_shndx >= SHN_LORESERVE && sym->st_shndx != SHN_XINDEX))
		return;
	img->symbols[img->nr++] = (struct symbol){
		.name = name, .address = sym->st_value, .size = sym->st_size, .section = section,
		.number = number, .local = GELF_ST_BIND(sym->st_info) == STB_LOCAL,
	};
}

static void read_symbols(struct image *img, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	size_t nr = shdr->sh_entsize ? shdr->sh_size / shdr->sh_entsize : 0;
	int numbers = elf_scnshndx(scn);
	Elf_Data *data = elf_getdata(scn, NULL);
	Elf_Data *sections = numbers > 0 ? elf_getdata(elf_getscn(img->elf, numbers), NULL) : NULL;

	img->symbols = alloc(nr, sizeof(*img->symbols));
	for (size_t i = 0; i < nr; i++) {
		const char *name;
		Elf32_Word number;
		GElf_Sym sym;

		if (!gelf_getsymshndx(data, sections, i, &sym, &number))
			die("%s: symbol %zu: %s", img->path, i, elf_errmsg(-1));
		name = elf_strptr(img->elf, shdr->sh_link, sym.st_name);
		if (!name)
			die("%s: symbol %zu has no name: %s", img->path, i, elf_errmsg(-1));
		add_symbol(img, i, name, &sym, sym.st_shndx == SHN_XINDEX ? number : sym.st_shndx);
	}
	qsort(img->symbols, img->nr, sizeof(*img->symbols), compare_symbols);
	img->by_stem = alloc(img->nr, sizeof(*img->by_stem));
	img->by_number = alloc(nr, sizeof(*img->by_number));
	img->nr_numbers = nr;
	for (uint32_t i = 0; i < img->nr; i++) {
		img->by_stem[i] = &img->symbols[i];
		img->by_number[img->symbols[i].number] = &img->symbols[i];
	}
	qsort(img->by_stem, img->nr, sizeof(*img->by_stem), compare_by_stem);
}

void image__open(struct image *img, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t nr = 0;

	elf_version(EV_CURRENT);
	*img = (struct image){ .path = path, .elf = elf_begin(fd, ELF_C_READ_MMAP, NULL) };
	if (fd < 0 || !gelf_getehdr(img->elf, &img->header) || elf_getshdrnum(img->elf, &nr))
		die("%s: cannot be read as an ELF file", path);
	img->code = alloc(nr, sizeof(*img->code));
	while ((scn = elf_nextscn(img->elf, scn))) {
		if (!gelf_getshdr(scn, &shdr))
			die("%s: %s", path, elf_errmsg(-1));
		if (shdr.sh_type == SHT_SYMTAB && !img->symbols)
			read_symbols(img, scn, &shdr);
		if ((shdr.sh_flags & SHF_ALLOC) && (shdr.sh_flags & SHF_EXECINSTR))
			img->code[img->nr_code++] = (struct code){
				shdr.sh_addr, shdr.sh_size, elf_ndxscn(scn) };
	}
	qsort(img->code, img->nr_code, sizeof(*img->code), compare_code);
	if (!img->nr)
		die("%s: no function symbols to check against (is it stripped?)", path);
}

Elf_Scn *image__section(const struct image *img, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names;

	if (elf_getshdrstrndx(img->elf, &names))
		return NULL;
	while ((scn = elf_nextscn(img->elf, scn))) {
		const char *found = gelf_getshdr(scn, &shdr) ?
				    elf_strptr(img->elf, names, shdr.sh_name) : NULL;

		if (found && !strcmp(found, name))
			return scn;
	}
	return NULL;
}

uint32_t image__code_at(const struct image *img, uint64_t address)
{
	uint32_t i = first_not_before(k, img->nr_code, img->code[k].start <= address);

	return i && address - img->code[i - 1].start < img->code[i - 1].size ?
	       img->code[i - 1].section : 0;
}

struct symbol *image__at(const struct image *img, uint32_t section, uint64_t address, uint32_t *nr)
{
	struct symbol *all = img->symbols;
	uint32_t start = first_not_before(i, img->nr,
					  compare_to_place(&all[i], section, address) < 0);
	uint32_t end = first_not_before(i, img->nr,
					compare_to_place(&all[i], section, address) <= 0);

	*nr = end - start;
	return all + start;
}

struct symbol **image__with_stem(const struct image *img, const char *name, uint32_t *nr)
{
	struct symbol **all = img->by_stem;
	uint32_t start = first_not_before(i, img->nr, compare_bases(all[i]->name, name) < 0);
	uint32_t end = first_not_before(i, img->nr, compare_bases(all[i]->name, name) <= 0);

	*nr = end - start;
	return all + start;
}

bool image__is_core_text(const struct image *img, const struct symbol *sym)
{
	const char *name = "";
	GElf_Shdr shdr;
	size_t names;

	if (!elf_getshdrstrndx(img->elf, &names) &&
	    gelf_getshdr(elf_getscn(img->elf, sym->section), &shdr))
		name = elf_strptr(img->elf, names, shdr.sh_name) ?: "";
	if (!strncmp(name, ".init", 5) || !strncmp(name, ".exit", 5))
		return false;
	if (image__is_relocatable(img))
		return true;
	if (sym->address >= img->init_start && sym->address < img->init_end)
		return false;
	return !img->core_start || !img->core_end ||
	       (sym->address >= img->core_start && sym->address < img->core_end);
}
