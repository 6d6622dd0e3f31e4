// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "btf/relocs.h"
#include "image/code_table.h"
#include "image/relocate.h"
#include "inspect/verify.h"
#include "util/json.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

/**
 * struct verifier - one image and one BTF
 * @relocs:	of a relocatable file
 * @detached_rel: there are no relocations, because this is not the file's own .BTF
 * @has_func:	by position in @syms->funcs: there is a FUNC at this symbol
 */
struct verifier {
	const struct funcs	*insts;
	const struct btf_data	*btf;
	const char		*subject;
	const struct image	*img;
	struct symbols		*syms;
	struct record_relocs	relocs;
	struct code_table	ftrace;
	bool			detached_rel;
	bool			*has_func;
	FILE			*f;
	json_t			*found;
	struct verify_counts	*counts;
};

__attribute__((format(printf, 3, 4)))
static void report_violation(struct verifier *v, uint32_t id, const char *fmt, ...)
{
	unsigned int kind = BTF_INFO_KIND(btf_data__type(v->btf, id)->info);
	const char *name = btf_data__name(v->btf, id);
	char *what __cleanup(free_pointer) = NULL;
	va_list ap;

	v->counts->violations++;
	va_start(ap, fmt);
	what = text_clean(xvasprintf(fmt, ap));
	va_end(ap);
	if (v->found)
		json_array_append_new(v->found, json_pack("{s:I, s:s, s:o, s:o}", "id", (json_int_t)id,
							  "btf_kind", btf_kind__name(kind),
							  "name", text_json(*name ? name : NULL),
							  "problem", text_json(what)));
	else
		fprintf(v->f, "%s: type %u (%s%s%s): %s\n", v->subject, id, btf_kind__name(kind),
			*name ? " " : "", name, what);
}

/* The entry of .rela.BTF for a record, NULL in linked images and without one. */
static struct record_reloc *reloc_of(const struct verifier *v, const struct btf_func *record)
{
	size_t offset = (const uint8_t *)record - v->btf->types;

	return record_relocs__find(&v->relocs, v->btf->types_start + offset);
}

/* Compare two records of one name by place: in a relocatable file, by section first. */
static int compare_places(const struct verifier *v, const struct btf_func *a,
			  const struct btf_func *b)
{
	const struct record_reloc *x = reloc_of(v, a), *y = reloc_of(v, b);

	return cmp_int(x && x->sym ? x->sym->section : 0, y && y->sym ? y->sym->section : 0) ?:
	       cmp_int(btf_func__offset(a), btf_func__offset(b));
}

/* Check two FUNCs with the same name; @a has the lower id. */
static void check_equal_names(struct verifier *v, const struct func *a,
			      const struct func *b)
{
	int order;

	if (v->insts->nr_with_file) {
		report_violation(v, b->id, "type %u has the same name", a->id);
		return;
	}
	if (!a->record || !b->record || v->detached_rel)
		return;
	order = compare_places(v, a->record, b->record);
	if (!order)
		report_violation(v, b->id, "0x%" PRIx64 " is also the address of type %u, which has the same name",
				 (uint64_t)btf_func__offset(b->record), a->id);
	else if (order > 0)
		report_violation(v, b->id, "0x%" PRIx64 " follows 0x%" PRIx64 ", expected FUNCs with the same name to be sorted by address",
				 (uint64_t)btf_func__offset(b->record),
				 (uint64_t)btf_func__offset(a->record));
}

static bool is_func(const struct symbol *sym, const struct func *inst)
{
	return symbol__is_named(sym, inst->full, inst->name_len);
}

/*
 * Find the symbol of a FUNC among the symbols of a place, which are ordered by name: find the
 * first that is not before NAME, then look at those called NAME or NAME.suffix.
 */
static const struct symbol *find_symbol(const struct symbol *syms, uint32_t nr,
					const struct func *inst)
{
	size_t len = inst->name_len;
	uint32_t i = first_not_before(at, nr, symbol__compare(&syms[at], inst->full, len) < 0);

	for (; i < nr && !strncmp(syms[i].name, inst->full, len) &&
	       (!syms[i].name[len] || syms[i].name[len] == '.'); i++)
		if (is_func(&syms[i], inst))
			return &syms[i];
	return NULL;
}

/* Check the symbol that a FUNC's address leads to. */
static void check_symbol(struct verifier *v, const struct func *inst,
			 const struct symbol *sym)
{
	const struct section *sec = &v->img->sections[sym->section];
	uint64_t start = v->img->type == ET_REL ? 0 : sec->address;

	if (symbol__is_fragment(sym))
		report_violation(v, inst->id, "'%s' is a part of a function, and is never called",
				 sym->name);
	if (sym->size > sec->size || sym->address - start > sec->size - sym->size)
		report_violation(v, inst->id, "'%s' ends after its section %s",
				 sym->name, sec->name);
	if (!symbols__is_core_text(v->syms, sym->section, sym->address))
		report_violation(v, inst->id, "has an address, but '%s' is not in core text",
				 sym->name);
	if (inst->file && v->ftrace.known && !ftrace__can_patch(&v->ftrace, sym))
		report_violation(v, inst->id, "its name is not unique, and ftrace cannot patch '%s'", sym->name);
}

/* Find the function that a record of a linked image refers to, or else any at its address. */
static const struct symbol *find_linked(struct verifier *v, const struct func *inst)
{
	uint64_t offset = btf_func__offset(inst->record);
	uint64_t address = v->syms->text_start + offset;
	uint32_t nr, section = symbols__section_of(v->syms, address);
	const struct symbol *syms, *sym;

	if (!section) {
		report_violation(v, inst->id, "_text + 0x%" PRIx64 " is 0x%" PRIx64 ", which is not in an executable section",
				 offset, address);
		return NULL;
	}
	syms = symbols__at(v->syms, section, address, &nr);
	sym = find_symbol(syms, nr, inst);
	if (!nr)
		report_violation(v, inst->id, "_text + 0x%" PRIx64 " is 0x%" PRIx64 ", where no function symbol starts",
				 offset, address);
	else if (!sym)
		report_violation(v, inst->id, "_text + 0x%" PRIx64 " is 0x%" PRIx64 ", where '%s' starts%s",
				 offset, address, syms[0].name, nr > 1 ? " (and others)" : "");
	return sym ?: nr ? &syms[0] : NULL;
}

/* The same for detached BTF of a relocatable file, which has no relocations: in any section. */
static const struct symbol *find_detached(struct verifier *v, const struct func *inst)
{
	uint64_t offset = btf_func__offset(inst->record);
	const struct symbol *sym = symbols__of_func(v->syms, inst->full, offset);

	if (!sym)
		report_violation(v, inst->id,
				 "no section has a function with that name at 0x%" PRIx64,
				 offset);
	return sym;
}

/* The same for a relocatable file */
static const struct symbol *find_relocated(struct verifier *v, const struct func *inst)
{
	uint64_t offset = btf_func__offset(inst->record);
	struct record_reloc *r = reloc_of(v, inst->record);

	if (!r) {
		report_violation(v, inst->id, "its record has no relocation in .rela.BTF");
		return NULL;
	}
	if (r->used)
		report_violation(v, inst->id, "its record has several relocations");
	r->used = true;
	if (r->reloc.type != image__reloc_type(v->img) || r->reloc.addend)
		report_violation(v, inst->id, "its relocation is of type %u with addend 0x%" PRIx64 ", expected type %u and 0",
				 r->reloc.type, r->reloc.addend, image__reloc_type(v->img));
	if (!r->sym)
		report_violation(v, inst->id, "its relocation is against symbol %u, which is not a function",
				 r->reloc.symbol);
	else if (!is_func(r->sym, inst))
		report_violation(v, inst->id, "its relocation is against '%s'", r->sym->name);
	if (r->sym && r->sym->address != offset)
		report_violation(v, inst->id, "0x%" PRIx64 " is not where '%s' starts, expected 0x%" PRIx64,
				 offset, r->sym->name, r->sym->address);
	return r->sym;
}

static void check_unused_relocs(struct verifier *v)
{
	for_each(r, &v->relocs) {
		if (r->used || v->detached_rel)
			continue;
		v->counts->violations++;
		fprintf(v->f, "%s: .rela.BTF: a relocation at 0x%" PRIx64 ", where there is no record\n",
			v->subject, r->reloc.offset);
	}
}

/* Maximum number of symbols to compare with a FUNC without an address. */
#define MAX_CLONES	64

/*
 * The same for a FUNC without a record: one in init or exit text, or NAME_impl, which has no
 * symbol.
 */
static const struct symbol *find_by_name(struct verifier *v, const struct func *inst)
{
	const struct symbol *sym = NULL;
	uint32_t nr;
	const uint32_t *named = symbols__with_stem(v->syms, inst->full, inst->name_len, &nr);

	for (uint32_t i = 0; i < nr && i < MAX_CLONES && !sym; i++)
		if (is_func(&v->syms->funcs[named[i]], inst))
			sym = &v->syms->funcs[named[i]];
	if (sym && symbols__is_core_text(v->syms, sym->section, sym->address))
		report_violation(v, inst->id, "has no address, but '%s' is in core text",
				 sym->name);
	return sym;
}

/* Count the distinct addresses of the function symbols with a FUNC's name. */
static uint32_t count_places(const struct symbols *syms, const struct func *inst)
{
	uint32_t nr, places = 0;
	const uint32_t *named = symbols__with_stem(syms, inst->full, inst->name_len, &nr);
	const struct symbol *last = NULL;

	for (uint32_t i = 0; i < nr; i++) {
		const struct symbol *sym = &syms->funcs[named[i]];

		if (!is_func(sym, inst))
			continue;
		if (last && last->section == sym->section && last->address == sym->address)
			continue;
		last = sym;
		places++;
	}
	return places;
}

/* Bare names must be unique. */
static void check_bare_names(struct verifier *v)
{
	uint32_t places = 0;

	for_each(inst, v->insts) {
		if (inst == v->insts->array || compare_names(inst - 1, inst))
			places = count_places(v->syms, inst);
		if (!inst->record && v->btf->nr_records && places > 1)
			report_violation(v, inst->id, "has no address, but %u function symbols have its name",
					 places);
		if (!v->insts->nr_with_file)
			continue;
		if (inst->file && places == 1)
			report_violation(v, inst->id, "has a file in its name, but is the only function with that name");
		else if (!inst->file && places > 1)
			report_violation(v, inst->id, "has no file in its name, but %u function symbols have that name",
					 places);
	}
}

/* Count the places where functions start, and the places without a FUNC. */
static void count_symbols(struct verifier *v)
{
	const struct symbol *all = v->syms->funcs;
	uint32_t end;

	for (uint32_t i = 0; i < v->syms->nr_funcs; i = end) {
		bool whole = false, has_func = false;

		for (end = i; end < v->syms->nr_funcs && all[end].section == all[i].section &&
			      all[end].address == all[i].address; end++) {
			whole |= !symbol__is_fragment(&all[end]);
			has_func |= v->has_func[end];
		}
		v->counts->symbols += whole;
		v->counts->unencoded += whole && !has_func;
	}
}

static int open_witness(struct verifier *v)
{
	int err;

	err = symbols__new(v->img, false, false, &v->syms);
	if (err)
		return err;
	if (!v->syms->nr_funcs)
		return msg_fail(-EINVAL,
				"%s: no function symbols to check against (is it stripped?)",
				v->img->path);
	err = ftrace__read(v->syms, &v->ftrace);
	if (err)
		return err;
	if (v->img->type == ET_REL)
		return v->detached_rel ? 0 : record_relocs__read(&v->relocs, v->syms);
	if (v->btf->nr_records && !v->syms->has_text)
		return msg_fail(-EINVAL, "%s: no symbol _text, to which addresses in BTF are relative",
				v->img->path);
	return 0;
}

static void check_func(struct verifier *v, const struct func *inst)
{
	const struct symbol *sym = NULL;

	if (!inst->record && v->btf->nr_records)
		sym = find_by_name(v, inst);
	else if (inst->record && v->detached_rel)
		sym = find_detached(v, inst);
	else if (inst->record && v->img->type == ET_REL)
		sym = find_relocated(v, inst);
	else if (inst->record)
		sym = find_linked(v, inst);
	v->counts->records += inst->record != NULL;
	if (!sym)
		return;
	v->has_func[sym - v->syms->funcs] = true;
	if (inst->record && is_func(sym, inst))
		check_symbol(v, inst, sym);
}

int verify_image(const struct funcs *insts, const char *subject, const struct image *img,
		 bool detached, FILE *f, json_t *found, struct verify_counts *counts)
{
	struct verifier v = {
		.insts = insts, .btf = insts->btf, .subject = subject, .img = img, .f = f, .found = found,
		.counts = counts, .detached_rel = detached && img->type == ET_REL,
	};
	int err;

	*counts = (struct verify_counts){};
	if (!insts->btf->nr_records && !insts->nr_with_file)
		return 0;
	err = open_witness(&v);
	if (!err) {
		v.has_func = xcalloc(v.syms->nr_funcs, sizeof(*v.has_func));
		check_bare_names(&v);
		for_each(inst, insts)
			if (inst > insts->array && !strcmp(inst[-1].full, inst->full))
				check_equal_names(&v, inst - 1, inst);
		for_each(inst, insts)
			check_func(&v, inst);
		check_unused_relocs(&v);
		count_symbols(&v);
	}
	free(v.has_func);
	record_relocs__destroy(&v.relocs);
	code_table__destroy(&v.ftrace);
	symbols__free(v.syms);
	return err;
}
