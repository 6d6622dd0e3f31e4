// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "image/symbols.h"
#include "image/relocate.h"
#include "btf/relocs.h"
#include "inspect/verify.h"
#include "util/msg.h"
#include "util/search.h"

/**
 * struct verifier - one image and one BTF
 * @text:	address of _text
 * @relocs:	of a relocatable file
 * @detached_rel: there are none, as this is not the file's own .BTF
 * @files:	names say files
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
	bool			files;
	FILE			*f;
	struct verify_counts	*counts;
};

__attribute__((format(printf, 3, 4)))
static void violation(struct verifier *v, uint32_t id, const char *fmt, ...)
{
	unsigned int kind = BTF_INFO_KIND(btf_data__type(v->btf, id)->info);
	const char *name = btf_data__name(v->btf, id);
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

/*
 * Where functions share a name, files tell them apart; if no FUNC says one, this
 * is BTF without files, where namesakes have the order of their addresses.
 */
static bool has_files(const struct instances *insts)
{
	for (uint32_t i = 0; i < insts->nr; i++) {
		if (insts->all[i].file)
			return true;
	}
	return false;
}

static int compare_full_names(const void *a, const void *b)
{
	const struct instance *x = *(const struct instance * const *)a;
	const struct instance *y = *(const struct instance * const *)b;

	return strcmp(x->full, y->full) ?: (x->id > y->id) - (x->id < y->id);
}

/* Two FUNCs of one name, the first of which has the lower id. */
static void check_equal_names(struct verifier *v, const struct instance *a,
			      const struct instance *b)
{
	int order;

	if (v->files) {
		violation(v, b->id, "type %u has that name as well", a->id);
		return;
	}
	if (!v->btf->addressed || v->detached_rel)
		return;
	order = compare_places(v, a->record, b->record);
	if (!order)
		violation(v, b->id, "0x%" PRIx64 " is the address of type %u of that name as well",
			  (uint64_t)btf_func__offset(b->record), a->id);
	else if (order > 0)
		violation(v, b->id, "0x%" PRIx64 " stands behind 0x%" PRIx64 ", expected FUNCs of one name in the order of addresses",
			  (uint64_t)btf_func__offset(b->record),
			  (uint64_t)btf_func__offset(a->record));
}

static int check_names(struct verifier *v)
{
	uint32_t nr = v->insts->nr;
	const struct instance **order = malloc((nr + 1UL) * sizeof(*order));

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr; i++)
		order[i] = &v->insts->all[i];
	qsort(order, nr, sizeof(*order), compare_full_names);
	for (uint32_t i = 1; i < nr; i++) {
		if (!strcmp(order[i - 1]->full, order[i]->full))
			check_equal_names(v, order[i - 1], order[i]);
	}
	free(order);
	return 0;
}

/* foo.cold and foo.part.0 are pieces of foo, and neither is foo. */
static bool is_piece(const char *suffix)
{
	return strstr(suffix, ".cold") || strstr(suffix, ".part.");
}

/*
 * The symbols of one place are ordered by name: find the first that is not
 * before @name, then look at those that begin with it.
 */
static bool has_symbol(const struct func_sym *syms, uint32_t nr, const struct instance *inst)
{
	const char *name = inst->full;
	size_t len = inst->name_len;
	uint32_t i = first_not_before(at, nr, strncmp(syms[at].name, name, len) < 0);

	for (; i < nr && !strncmp(syms[i].name, name, len); i++) {
		const char *suffix = syms[i].name + len;

		if (!*suffix || (*suffix == '.' && !is_piece(suffix)))
			return true;
		if (*suffix > '.')
			break;
	}
	return false;
}

static void check_record(struct verifier *v, const struct instance *inst)
{
	uint64_t offset = btf_func__offset(inst->record);
	uint64_t address = v->text + offset;
	uint32_t section = symbols__section_of(v->syms, address);
	bool flagged = btf_func__flags(inst->record) & BTF_FUNC_INIT;
	const struct func_sym *syms;
	uint32_t nr;

	v->counts->records++;
	v->counts->init += flagged;
	if (!section) {
		violation(v, inst->id, "_text + 0x%" PRIx64 " is 0x%" PRIx64 ", in no executable section",
			  offset, address);
		return;
	}
	syms = symbols__at(v->syms, section, address, &nr);
	if (!nr)
		violation(v, inst->id, "_text + 0x%" PRIx64 " is 0x%" PRIx64 ", where no function symbol starts",
			  offset, address);
	else if (!has_symbol(syms, nr, inst))
		violation(v, inst->id, "_text + 0x%" PRIx64 " is 0x%" PRIx64 ", where '%s' starts%s",
			  offset, address, syms[0].name, nr > 1 ? " (and others)" : "");
	if (flagged != symbols__is_init(v->syms, section, address))
		violation(v, inst->id, "_text + 0x%" PRIx64 " is in %s, and the flag for init text is %s",
			  offset, v->img->sections[section].name, flagged ? "set" : "clear");
}

/* Is a function NAME or NAME.suffix at that offset of any section? */
static bool is_at_offset(const struct symbols *syms, const struct instance *inst,
			 uint64_t offset)
{
	uint32_t nr, i;
	const uint32_t *index = symbols__with_base(syms, inst->full, strcspn(inst->full, ".@"),
						   &nr);

	for (i = 0; i < nr; i++) {
		const struct func_sym *sym = &syms->funcs[index[i]];

		if (sym->address == offset && has_symbol(sym, 1, inst))
			return true;
	}
	return false;
}

/* A record of a relocatable file. */
static void check_relocated(struct verifier *v, const struct instance *inst)
{
	uint64_t offset = btf_func__offset(inst->record);
	struct record_reloc *r = reloc_of(v, inst->record);

	v->counts->records++;
	if (btf_func__flags(inst->record))
		violation(v, inst->id, "flags are 0x%x, expected none in a relocatable file",
			  btf_func__flags(inst->record));
	if (v->detached_rel) {
		if (!is_at_offset(v->syms, inst, offset))
			violation(v, inst->id, "no function of that name starts at 0x%" PRIx64 " of any section",
				  offset);
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
	else if (!has_symbol(r->sym, 1, inst))
		violation(v, inst->id, "its relocation is against '%s'", r->sym->name);
	else if (r->sym->address != offset)
		violation(v, inst->id, "0x%" PRIx64 " is not where '%s' starts, expected 0x%" PRIx64,
			  offset, r->sym->name, r->sym->address);
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

/* At how many places does a function symbol of that name start, and how many are global? */
static uint32_t count_places(const struct symbols *syms, const char *name, uint32_t *globals)
{
	uint32_t nr, places = 0;
	const uint32_t *named = symbols__named(syms, name, &nr);
	const struct func_sym *last = NULL;

	*globals = 0;
	for (uint32_t i = 0; i < nr; i++) {
		const struct func_sym *sym = &syms->funcs[named[i]];

		if (last && last->section == sym->section && last->address == sym->address)
			continue;
		last = sym;
		places++;
		*globals += sym->bind != STB_LOCAL;
	}
	return places;
}

/* A bare name is that of the only function, or of the only global one. */
static int check_bare_names(struct verifier *v)
{
	uint32_t places, globals;

	for (uint32_t i = 0; i < v->insts->nr; i++) {
		const struct instance *inst = &v->insts->all[i];
		char *name;

		v->counts->with_file += inst->file != NULL;
		if (!v->files)
			continue;
		name = strndup(inst->full, inst->name_len);
		if (!name)
			return -ENOMEM;
		places = count_places(v->syms, name, &globals);
		free(name);
		if (inst->file && places == 1)
			violation(v, inst->id, "says a file, and is the only function of its name");
		else if (!inst->file && places > 1 && globals != 1)
			violation(v, inst->id, "says no file, and %u function symbols bear its name",
				  places);
	}
	return 0;
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
		 bool detached, FILE *f, struct verify_counts *counts)
{
	struct verifier v = {
		.insts = insts, .btf = insts->btf, .subject = subject, .img = img, .f = f,
		.counts = counts, .detached_rel = detached && img->type == ET_REL,
	};
	int err;

	*counts = (struct verify_counts){ .funcs = insts->nr,
					  .relocatable = img->type == ET_REL };
	v.files = has_files(insts);
	if (!insts->btf->addressed && !v.files)
		return 0;
	err = open_witness(&v);
	if (err)
		goto out;

	err = check_names(&v) ?: check_bare_names(&v);
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
out:
	record_relocs__destroy(&v.relocs);
	symbols__free(v.syms);
	return err;
}
