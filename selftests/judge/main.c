// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf-judge [-v] [-b BASE] IMAGE [BTF]: check BTF with addresses against the symbols and the
 * DWARF of its image.  One line for each violation:
 *
 *	BTF: type ID (FUNC NAME): at the address is another symbol, or DWARF differs
 *
 * and with -v for functions that DWARF proves as well, but that have no FUNC ("missing"), and
 * for FUNCs that it does not describe.  The status is 0, 1 with violations, 2 for bad input.
 *
 * The program must find the bugs of abtf, so it shares no code and no rule with it: symbols are
 * read with libelf, DWARF with libdw, and BTF with ../compare/raw.c.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"

/**
 * struct input - an image and its BTF
 * @relocs:	of a module's .BTF, sorted by offset
 * @funcs:	FUNCs whose symbol is known
 */
struct input {
	struct image	img;
	struct btf	*btf;
	GElf_Rela	*relocs;
	uint32_t	nr_relocs;
	struct func	*funcs;
	uint32_t	nr_funcs;
	uint32_t	violations;
};

static const char *func_name(const struct btf *btf, uint32_t id)
{
	return string_at(btf, type_of(btf, id)[0]);
}

__attribute__((format(printf, 3, 4)))
static void report(struct input *in, uint32_t id, const char *fmt, ...)
{
	va_list ap;

	in->violations++;
	printf("%s: type %u (FUNC %s): ", in->btf->path, id, func_name(in->btf, id));
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* --- from a FUNC to its symbol ------------------------------------------- */

/* The first symbol NAME or NAME.llvm.123 of @nr that are sorted by name, for NAME or NAME@FILE */
static const struct symbol *find_symbol(const struct symbol *syms, uint32_t nr, const char *name)
{
	size_t len = strcspn(name, "@");
	uint32_t i = first_not_before(k, nr, strncmp(syms[k].name, name, len) < 0);

	for (; i < nr && !strncmp(syms[i].name, name, len); i++) {
		const char *suffix = syms[i].name + len;

		if (!*suffix || is_thinlto_suffix(suffix))
			return &syms[i];
		if (*suffix > '.')
			break;
	}
	return NULL;
}

static void add_func(struct input *in, uint32_t id, const struct symbol *sym)
{
	in->funcs[in->nr_funcs++] = (struct func){ .id = id, .sym = sym };
}

static void find_at_address(struct input *in, uint32_t id, uint64_t address)
{
	const struct symbol *at, *sym;
	const char *name = func_name(in->btf, id);
	uint32_t section = image__code_at(&in->img, address), nr = 0;

	at = image__at(&in->img, section, address, &nr);
	sym = find_symbol(at, nr, name);
	if (!section || !nr)
		report(in, id, "0x%" PRIx64 " is not the address of a function", address);
	else if (!sym)
		report(in, id, "0x%" PRIx64 " is the address of '%s'", address, at->name);
	if (section && nr)
		add_func(in, id, sym ?: at);
}

/* As many symbols with one base are compared with a name. */
#define MAX_CLONES	64

/* A FUNC without an address, or with an offset in a section that is not known */
static void find_by_name(struct input *in, uint32_t id, const uint64_t *offset)
{
	const char *name = func_name(in->btf, id);
	uint32_t nr;
	struct symbol **named = image__with_stem(&in->img, name, &nr);

	for (uint32_t i = 0; i < nr && (offset || i < MAX_CLONES); i++) {
		if (find_symbol(named[i], 1, name) && (!offset || named[i]->address == *offset)) {
			add_func(in, id, named[i]);
			return;
		}
	}
	if (offset)
		report(in, id, "no function with that name is at 0x%" PRIx64 " of a section", *offset);
}

static int compare_relocs(const void *a, const void *b)
{
	const GElf_Rela *x = a, *y = b;

	return x->r_offset < y->r_offset ? -1 : x->r_offset > y->r_offset;
}

/* The relocations of a module's records, sorted by offset */
static void read_relocs(struct input *in)
{
	Elf_Scn *scn = image__section(&in->img, ".rela.BTF");
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Shdr shdr;

	if (data && gelf_getshdr(scn, &shdr) && shdr.sh_entsize)
		in->nr_relocs = shdr.sh_size / shdr.sh_entsize;
	in->relocs = alloc(in->nr_relocs, sizeof(*in->relocs));
	for (uint32_t i = 0; i < in->nr_relocs; i++)
		if (!gelf_getrela(data, i, &in->relocs[i]))
			die("%s: .rela.BTF: %s", in->img.path, elf_errmsg(-1));
	qsort(in->relocs, in->nr_relocs, sizeof(*in->relocs), compare_relocs);
}

/* In a module, a record is relocated against the symbol of the function. */
static void find_by_reloc(struct input *in, uint32_t id, uint64_t offset)
{
	const struct btf *btf = in->btf;
	uint64_t at = btf->types_at + 4 * (btf->at[id] + 3 - btf->at[btf->first]);
	uint32_t i = first_not_before(k, in->nr_relocs, in->relocs[k].r_offset < at);
	const struct symbol *sym = NULL;
	uint64_t number = 0;

	if (i < in->nr_relocs && in->relocs[i].r_offset == at)
		number = GELF_R_SYM(in->relocs[i].r_info);
	if (number < in->img.nr_numbers)
		sym = in->img.by_number[number];
	if (!sym)
		report(in, id, "no relocation against a function");
	else if (!find_symbol(sym, 1, func_name(btf, id)) || sym->address != offset)
		report(in, id, "is at 0x%" PRIx64 ", and its relocation is against '%s' at 0x%" PRIx64,
		       offset, sym->name, sym->address);
	if (sym)
		add_func(in, id, sym);
}

static void find_symbols(struct input *in, bool detached)
{
	bool relocatable = image__is_relocatable(&in->img), found = false;

	in->funcs = alloc(in->btf->nr, sizeof(*in->funcs));
	for (uint32_t id = in->btf->first; id < in->btf->nr; id++) {
		const uint32_t *t = type_of(in->btf, id);
		uint64_t offset;

		if (kind_of(t) != FUNC)
			continue;
		if (kind_of(type_of(in->btf, t[2])) != FUNC_PROTO)
			die("%s: type %u is a FUNC without a prototype", in->btf->path, id);
		if (!flag_of(t)) {
			find_by_name(in, id, NULL);
			continue;
		}
		found = true;
		offset = func_record(t) & 0xffffffffffffULL;
		if (!relocatable)
			find_at_address(in, id, in->img.text + offset);
		else if (detached)
			find_by_name(in, id, &offset);
		else
			find_by_reloc(in, id, offset);
	}
	if (!found)
		die("%s: BTF without addresses: there is nothing to check", in->btf->path);
	if (!relocatable && !in->img.has_text)
		die("%s: no symbol _text, which addresses in BTF are relative to", in->img.path);
}

/* --- the verdicts -------------------------------------------------------- */

static int compare_places(const void *a, const void *b, void *arg)
{
	const struct func *x = a, *y = b;

	if (x->sym->section != y->sym->section)
		return x->sym->section < y->sym->section ? -1 : 1;
	if (x->sym->address != y->sym->address)
		return x->sym->address < y->sym->address ? -1 : 1;
	return strcmp(func_name(arg, x->id), func_name(arg, y->id)) ?: (x->id > y->id) - (x->id < y->id);
}

static int compare_ids(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void check_dwarf(struct input *in, bool verbose)
{
	uint32_t by_verdict[CONTRADICTS + 1] = {}, nr_missing;

	qsort_r(in->funcs, in->nr_funcs, sizeof(*in->funcs), compare_places, in->btf);
	nr_missing = check_prototypes(&in->img, in->btf, in->funcs, in->nr_funcs, verbose);
	qsort(in->funcs, in->nr_funcs, sizeof(*in->funcs), compare_ids);
	for (uint32_t i = 0; i < in->nr_funcs; i++) {
		const struct func *func = &in->funcs[i];

		by_verdict[func->verdict]++;
		if (verbose && func->verdict == SILENT)
			printf("%s: not described: %s at 0x%" PRIx64 "\n", in->btf->path,
			       func->sym->name, func->sym->address);
		if (func->verdict == CONTRADICTS)
			report(in, func->id, "DWARF of '%s': %s", func->sym->name, func->reason);
	}
	printf("%s: DWARF agrees with %u prototypes, contradicts %u and does not describe %u; %u functions are missing; %u violations\n",
	       in->btf->path, by_verdict[AGREES], by_verdict[CONTRADICTS], by_verdict[SILENT],
	       nr_missing, in->violations);
}

int main(int argc, char **argv)
{
	const char *base = NULL;
	struct input in = {};
	bool verbose = false, detached;
	int c;

	while ((c = getopt(argc, argv, "b:v")) != -1) {
		if (c == 'b')
			base = optarg;
		verbose |= c == 'v';
		if (c == '?')
			return 2;
	}
	if (argc - optind != 1 && argc - optind != 2) {
		fputs("Usage: btf-judge [-v] [-b BASE] IMAGE [BTF]\n", stderr);
		return 2;
	}
	detached = argc - optind == 2;
	image__open(&in.img, argv[optind]);
	in.btf = btf_read_split(argv[argc - 1], base ? btf_read(base) : NULL);
	if (image__is_relocatable(&in.img) && !detached)
		read_relocs(&in);
	find_symbols(&in, detached);
	check_dwarf(&in, verbose);
	if (fflush(stdout))
		die("stdout cannot be written");
	return in.violations != 0;
}
