// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "image/symbols.h"
#include "image/relocate.h"
#include "btf/relocs.h"
#include "inspect/dwarf.h"
#include "inspect/verify.h"
#include "util/msg.h"
#include "util/search.h"

/**
 * struct verifier - one image and one BTF
 * @text:	address of _text
 * @relocs:	of a relocatable file
 * @detached_rel: there are none, as this is not the file's own .BTF
 * @funcs:	FUNCs whose symbol was found, or one that they might be of
 */
struct verifier {
	const struct instances	*insts;
	const struct btf_data	*btf;
	const char		*subject;
	const struct image	*img;
	struct symbols		*syms;
	uint64_t		text;
	struct record_relocs	relocs;
	bool			detached_rel;
	struct dwarf_func	*funcs;
	uint32_t		nr_funcs;
	FILE			*f;
	struct verify_counts	*counts;
};

__attribute__((format(printf, 3, 4)))
static void violation(struct verifier *v, uint32_t id, const char *fmt, ...)
{
	unsigned int kind = BTF_INFO_KIND(btf_data__type(v->btf, id)->info);
	const char *name = kind == BTF_KIND_DECL_TAG ? "" : btf_data__name(v->btf, id);
	va_list ap;

	v->counts->violations++;
	fprintf(v->f, "%s: type %u (%s%s%s): ", v->subject, id, btf_kind__name(kind),
		*name ? " " : "", name);
	va_start(ap, fmt);
	vfprintf(v->f, fmt, ap);
	va_end(ap);
	fputc('\n', v->f);
}

/* The entry of .rela.BTF for a record, NULL in linked images and without one. */
static struct record_reloc *reloc_of(const struct verifier *v, const struct btf_func *record)
{
	size_t offset = (const uint8_t *)record - v->btf->types;

	return record_relocs__find(&v->relocs, v->btf->types_start + offset);
}

/* The section that a record counts from; 0 in linked images, or if it is not known. */
static uint32_t section_of(const struct verifier *v, const struct btf_func *record)
{
	const struct record_reloc *reloc = reloc_of(v, record);

	return reloc && reloc->sym ? reloc->sym->section : 0;
}

/* Compare two records of one name by place. */
static int compare_places(const struct verifier *v, const struct btf_func *a,
			  const struct btf_func *b)
{
	uint32_t sa = section_of(v, a), sb = section_of(v, b);
	uint64_t oa = btf_func__offset(a), ob = btf_func__offset(b);

	if (sa != sb)
		return sa < sb ? -1 : 1;
	return oa < ob ? -1 : oa > ob;
}

enum stage { STAGE_TYPES, STAGE_FUNCS, STAGE_REST };

static enum stage stage_of(const struct btf_type *t)
{
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_FUNC:
		return STAGE_FUNCS;
	case BTF_KIND_VAR:
	case BTF_KIND_DATASEC:
	case BTF_KIND_DECL_TAG:
		return STAGE_REST;
	default:
		return STAGE_TYPES;
	}
}

static void check_stages(struct verifier *v)
{
	static const char * const expected[] = {
		[STAGE_TYPES] = "types before all FUNCs",
		[STAGE_FUNCS] = "FUNCs as one run",
	};
	enum stage last = STAGE_TYPES;
	uint32_t last_id = 0;

	for (uint32_t i = 0; i < v->btf->nr_types; i++) {
		enum stage stage = stage_of(v->btf->index[i]);
		uint32_t id = v->btf->first_id + i;

		if (stage < last)
			violation(v, id, "stands behind type %u, a %s, expected %s", last_id,
				  btf_kind__name(BTF_INFO_KIND(btf_data__type(v->btf, last_id)->info)),
				  expected[stage]);
		if (stage > last) {
			last = stage;
			last_id = id;
		}
	}
}

/*
 * Each FUNC against the one before it; where that is another kind, it was said.
 * Stripped BTF does not show where the FUNCs with an address began, so names may
 * begin anew once.
 */
static void check_func_order(struct verifier *v)
{
	bool may_restart = !v->btf->addressed;

	for (uint32_t i = 1; i < v->btf->nr_types; i++) {
		uint32_t id = v->btf->first_id + i;
		const struct btf_func *before, *func;
		int order;

		if (stage_of(v->btf->index[i - 1]) != STAGE_FUNCS ||
		    stage_of(v->btf->index[i]) != STAGE_FUNCS)
			continue;
		before = btf_data__func(v->btf, id - 1);
		func = btf_data__func(v->btf, id);
		if (!before != !func) {
			if (!func)
				violation(v, id, "has no address and stands behind one that has");
			continue;
		}
		order = strcmp(btf_data__name(v->btf, id - 1), btf_data__name(v->btf, id));
		if (order > 0 && may_restart)
			may_restart = false;
		else if (order > 0)
			violation(v, id, "stands behind '%s', expected FUNCs in the order of names",
				  btf_data__name(v->btf, id - 1));
		else if (!order && v->btf->index[i - 1]->name_off != v->btf->index[i]->name_off)
			violation(v, id, "its name stands twice among the strings");
		else if (!order && func && !v->detached_rel && compare_places(v, before, func) > 0)
			violation(v, id, "0x%" PRIx64 " stands behind 0x%" PRIx64 ", expected FUNCs of one name in the order of addresses",
				  (uint64_t)btf_func__offset(func),
				  (uint64_t)btf_func__offset(before));
	}
}

static int compare_records(const void *a, const void *b, void *arg)
{
	const struct instance *x = *(const struct instance * const *)a;
	const struct instance *y = *(const struct instance * const *)b;

	return compare_places(arg, x->record, y->record) ?: strcmp(x->name, y->name) ?:
	       (x->id > y->id) - (x->id < y->id);
}

static int check_duplicates(struct verifier *v)
{
	const struct instance **addressed = malloc((v->insts->nr + 1) * sizeof(*addressed));
	uint32_t nr = 0;

	if (!addressed)
		return -ENOMEM;
	for (uint32_t i = 0; i < v->insts->nr; i++) {
		if (v->insts->all[i].record)
			addressed[nr++] = &v->insts->all[i];
	}
	qsort_r(addressed, nr, sizeof(*addressed), compare_records, v);
	for (uint32_t i = 1; i < nr; i++) {
		const struct instance *a = addressed[i - 1], *b = addressed[i];

		if (!v->detached_rel && !compare_places(v, a->record, b->record) &&
		    !strcmp(a->name, b->name))
			violation(v, b->id, "0x%" PRIx64 " is the address of type %u of that name as well",
				  (uint64_t)btf_func__offset(b->record), a->id);
	}
	free(addressed);
	return 0;
}

/* ThinLTO calls a static function foo.llvm.123456, and changes nothing else. */
static bool is_thinlto_suffix(const char *suffix)
{
	size_t digits;

	if (strncmp(suffix, ".llvm.", 6))
		return false;
	digits = strspn(suffix + 6, "0123456789");
	return digits && !suffix[6 + digits];
}

/*
 * The symbol of exactly a FUNC's name, what stands behind an '@' in that aside.
 * The symbols of one place are ordered by name: find the first that is not
 * before it, then look at those that begin with it.
 */
static const struct func_sym *find_symbol(const struct func_sym *syms, uint32_t nr,
					  const char *name)
{
	size_t len = strcspn(name, "@");
	uint32_t i = first_not_before(at, nr, strncmp(syms[at].name, name, len) < 0);

	for (; i < nr && !strncmp(syms[i].name, name, len); i++) {
		const char *suffix = syms[i].name + len;

		if (!*suffix || is_thinlto_suffix(suffix))
			return &syms[i];
		if (*suffix > '.')
			break;
	}
	return NULL;
}

static void remember_symbol(struct verifier *v, const struct instance *inst,
			    const struct func_sym *sym)
{
	v->funcs[v->nr_funcs++] = (struct dwarf_func){ .id = inst->id, .sym = sym };
}

/* The symbol of a FUNC's name. */
static void check_symbol(struct verifier *v, const struct instance *inst,
			 const struct func_sym *sym)
{
	const struct section *sec = &v->img->sections[sym->section];
	uint64_t start = v->img->type == ET_REL ? 0 : sec->address;

	if (func_sym__is_fragment(sym))
		violation(v, inst->id, "'%s' is a piece of a function, and is never called",
			  sym->name);
	if (sym->size > sec->size || sym->address - start > sec->size - sym->size)
		violation(v, inst->id, "'%s' ends behind its section %s", sym->name, sec->name);
}

static void check_record(struct verifier *v, const struct instance *inst)
{
	uint64_t offset = btf_func__offset(inst->record);
	uint64_t address = v->text + offset;
	uint32_t section = symbols__section_of(v->syms, address);
	bool flagged = btf_func__flags(inst->record) & BTF_FUNC_INIT;
	const struct func_sym *syms, *sym;
	uint32_t nr;

	v->counts->records++;
	v->counts->init += flagged;
	if (!section) {
		violation(v, inst->id, "_text + 0x%" PRIx64 " is 0x%" PRIx64 ", in no executable section",
			  offset, address);
		return;
	}
	syms = symbols__at(v->syms, section, address, &nr);
	sym = find_symbol(syms, nr, inst->name);
	if (!nr)
		violation(v, inst->id, "_text + 0x%" PRIx64 " is 0x%" PRIx64 ", where no function symbol starts",
			  offset, address);
	else if (!sym)
		violation(v, inst->id, "_text + 0x%" PRIx64 " is 0x%" PRIx64 ", where '%s' starts%s",
			  offset, address, syms[0].name, nr > 1 ? " (and others)" : "");
	else
		check_symbol(v, inst, sym);
	if (nr)
		remember_symbol(v, inst, sym ?: &syms[0]);
	if (flagged != symbols__is_init(v->syms, section, address))
		violation(v, inst->id, "_text + 0x%" PRIx64 " is in %s, and the flag for init text is %s",
			  offset, v->img->sections[section].name, flagged ? "set" : "clear");
}

/* A function of that name at that offset of any section. */
static const struct func_sym *find_at_offset(const struct symbols *syms, const char *name,
					     uint64_t offset)
{
	uint32_t nr, i;
	const uint32_t *index = symbols__with_base(syms, name, strcspn(name, ".@"), &nr);

	for (i = 0; i < nr; i++) {
		const struct func_sym *sym = &syms->funcs[index[i]];

		if (sym->address == offset && find_symbol(sym, 1, name))
			return sym;
	}
	return NULL;
}

/* A record of a relocatable file. */
static void check_relocated(struct verifier *v, const struct instance *inst)
{
	uint64_t offset = btf_func__offset(inst->record);
	struct record_reloc *r = reloc_of(v, inst->record);
	const struct func_sym *sym;

	v->counts->records++;
	if (btf_func__flags(inst->record))
		violation(v, inst->id, "flags are 0x%x, expected none in a relocatable file",
			  btf_func__flags(inst->record));
	if (v->detached_rel) {
		sym = find_at_offset(v->syms, inst->name, offset);
		if (!sym)
			violation(v, inst->id, "no function of that name starts at 0x%" PRIx64 " of any section",
				  offset);
		else
			check_symbol(v, inst, sym);
		if (sym)
			remember_symbol(v, inst, sym);
		return;
	}
	if (!r) {
		violation(v, inst->id, "its record has no relocation in .rela.BTF");
		return;
	}
	if (r->used)
		violation(v, inst->id, "its record has several relocations");
	r->used = true;
	if (r->type != image__reloc_type(v->img) || r->addend)
		violation(v, inst->id, "its relocation is of type %u with addend 0x%" PRIx64 ", expected type %u and 0",
			  r->type, r->addend, image__reloc_type(v->img));
	if (!r->sym)
		violation(v, inst->id, "its relocation is against symbol %u, which is no function",
			  r->symbol);
	else if (!find_symbol(r->sym, 1, inst->name))
		violation(v, inst->id, "its relocation is against '%s'", r->sym->name);
	else
		check_symbol(v, inst, r->sym);
	if (r->sym && r->sym->address != offset)
		violation(v, inst->id, "0x%" PRIx64 " is not where '%s' starts, expected 0x%" PRIx64,
			  offset, r->sym->name, r->sym->address);
	if (r->sym)
		remember_symbol(v, inst, r->sym);
}

static void check_unused_relocs(struct verifier *v)
{
	uint32_t i;

	for (i = 0; i < v->relocs.nr && !v->detached_rel; i++) {
		const struct record_reloc *r = &v->relocs.array[i];

		if (r->used)
			continue;
		v->counts->violations++;
		fprintf(v->f, "%s: .rela.BTF: a relocation of 0x%" PRIx64 ", where no record is\n",
			v->subject, r->offset);
	}
}

/* At how many places does a function symbol of that name start? */
static uint32_t count_places(const struct symbols *syms, const char *name)
{
	uint32_t nr, places = 0;
	const uint32_t *named = symbols__named(syms, name, &nr);

	for (uint32_t i = 0; i < nr; i++) {
		const struct func_sym *sym = &syms->funcs[named[i]];
		const struct func_sym *prev = i ? &syms->funcs[named[i - 1]] : NULL;

		places += !prev || prev->section != sym->section || prev->address != sym->address;
	}
	return places;
}

static void check_tags(struct verifier *v)
{
	uint32_t places = 0;

	for (uint32_t i = 0; i < v->insts->nr; i++) {
		const struct instance *inst = &v->insts->all[i];

		v->counts->tagged += inst->nr_tags != 0;
		if (inst->rank == 1)
			places = count_places(v->syms, inst->name);
		if (inst->nr_tags > 1)
			violation(v, inst->id, "has %u unit: tags, expected one", inst->nr_tags);
		else if (!inst->nr_tags && places > 1)
			violation(v, inst->id, "has no unit: tag, and %u function symbols bear its name",
				  places);
	}
}

static int compare_symbols(const void *a, const void *b, void *arg)
{
	const struct dwarf_func *x = a, *y = b;
	const struct verifier *v = arg;

	if (x->sym->section != y->sym->section)
		return x->sym->section < y->sym->section ? -1 : 1;
	if (x->sym->address != y->sym->address)
		return x->sym->address < y->sym->address ? -1 : 1;
	return strcmp(btf_data__name(v->btf, x->id), btf_data__name(v->btf, y->id)) ?:
	       (x->id > y->id) - (x->id < y->id);
}

/* Places where functions start, and those where no FUNC is. */
static void count_symbols(struct verifier *v)
{
	uint32_t at = 0, nr;

	for (uint32_t i = 0; i < v->syms->nr_funcs; i += nr) {
		const struct func_sym *syms = &v->syms->funcs[i];
		bool whole = false;

		for (nr = 0; i + nr < v->syms->nr_funcs && syms[nr].section == syms->section &&
			     syms[nr].address == syms->address; nr++)
			whole |= !func_sym__is_fragment(&syms[nr]);
		while (at < v->nr_funcs && v->funcs[at].sym < syms)
			at++;
		v->counts->symbols += whole;
		v->counts->unencoded += whole && (at == v->nr_funcs ||
						  v->funcs[at].sym >= syms + nr);
	}
}

static int compare_ids(const void *a, const void *b)
{
	const struct dwarf_func *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int ask_dwarf(struct verifier *v, bool list_missing)
{
	struct dwarf_missing missing = {
		.list = list_missing ? v->f : NULL, .subject = v->subject,
	};
	int err = dwarf_judge(v->img, v->syms, v->btf, v->funcs, v->nr_funcs, &missing);

	if (err)
		return err;
	v->counts->missing = missing.nr;
	qsort(v->funcs, v->nr_funcs, sizeof(*v->funcs), compare_ids);
	for (uint32_t i = 0; i < v->nr_funcs; i++) {
		const struct dwarf_func *func = &v->funcs[i];

		v->counts->agreed += func->verdict == DWARF_AGREES;
		v->counts->contradicted += func->verdict == DWARF_CONTRADICTS;
		if (list_missing && func->verdict == DWARF_SILENT)
			fprintf(v->f, "%s: not described: %s at 0x%" PRIx64 "\n", v->subject,
				func->sym->name, func->sym->address);
		if (func->verdict == DWARF_CONTRADICTS)
			violation(v, func->id, "DWARF of '%s': %s", func->sym->name, func->reason);
	}
	return 0;
}

static bool has_promises(const struct instances *insts)
{
	if (insts->btf->addressed)
		return true;
	for (uint32_t i = 0; i < insts->nr; i++) {
		if (insts->all[i].nr_tags)
			return true;
	}
	return false;
}

static int open_witness(struct verifier *v)
{
	int err;

	err = symbols__new(v->img, &v->syms);
	if (err)
		return err;
	if (!v->syms->nr_funcs) {
		msg_error("%s: no function symbols to check against (is it stripped?)",
			  v->img->path);
		return -EINVAL;
	}
	if (v->img->type == ET_REL)
		return v->detached_rel ? 0 : record_relocs__read(&v->relocs, v->syms);
	if (v->btf->addressed && !image__symbol(v->img, "_text", &v->text)) {
		msg_error("%s: no symbol _text, which addresses in BTF count from", v->img->path);
		return -EINVAL;
	}
	return 0;
}

int verify_image(const struct instances *insts, const char *subject, const struct image *img,
		 const struct verify_options *opts, FILE *f, struct verify_counts *counts)
{
	struct verifier v = {
		.insts = insts, .btf = insts->btf, .subject = subject, .img = img, .f = f,
		.counts = counts, .detached_rel = opts->detached && img->type == ET_REL,
	};
	int err;

	*counts = (struct verify_counts){ .funcs = insts->nr,
					  .relocatable = img->type == ET_REL };
	if (!has_promises(insts))
		return 0;
	err = open_witness(&v);
	if (err)
		goto out;
	v.funcs = malloc((insts->nr + 1) * sizeof(*v.funcs));
	if (!v.funcs) {
		msg_error("%s: out of memory", img->path);
		err = -ENOMEM;
		goto out;
	}

	check_stages(&v);
	check_func_order(&v);
	err = check_duplicates(&v);
	if (err) {
		msg_error("%s: out of memory", img->path);
		goto out;
	}
	for (uint32_t i = 0; i < insts->nr; i++) {
		if (!insts->all[i].record)
			continue;
		if (img->type == ET_REL)
			check_relocated(&v, &insts->all[i]);
		else
			check_record(&v, &insts->all[i]);
	}
	check_unused_relocs(&v);
	check_tags(&v);
	qsort_r(v.funcs, v.nr_funcs, sizeof(*v.funcs), compare_symbols, &v);
	count_symbols(&v);
	if (opts->dwarf && v.btf->addressed)
		err = ask_dwarf(&v, opts->list_missing);
out:
	for (uint32_t i = 0; i < v.nr_funcs; i++)
		free(v.funcs[i].reason);
	free(v.funcs);
	record_relocs__destroy(&v.relocs);
	symbols__free(v.syms);
	return err;
}
