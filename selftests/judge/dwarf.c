// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "arrival.h"
#include "dwarf.h"
#include "same_type.h"
#include "source.h"

/**
 * struct judge - one image
 * @verbose:	print missing functions
 * @nr_missing:	their number
 * @undescribed: FUNCs without a body of their name, sorted by name
 * @unit:	offset of the current unit in .debug_info
 * @in_c:	it is written in C
 * @old_clang:	by clang before 17, which does not record that a result was removed
 */
struct judge {
	const struct image	*img;
	const struct btf	*btf;
	const struct abi	*abi;
	struct func		*funcs;
	uint32_t		nr;
	bool			verbose;
	uint32_t		nr_missing;
	struct func		**undescribed;
	uint32_t		nr_undescribed;
	Dwfl			*dwfl;
	Dwfl_Module		*module;
	Dwarf			*dwarf;
	Dwarf_Addr		bias;
	uint64_t		unit;
	bool			in_c;
	bool			old_clang;
};

/* --- the prototype ------------------------------------------------------- */

/* Names from the DWARF may contain anything. */
__attribute__((format(printf, 1, 2)))
static char *explain(const char *fmt, ...)
{
	char *reason = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&reason, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	for (char *p = reason; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return reason;
}

static const char *name_of(const struct judge *j, const struct func *func)
{
	return string_at(j->btf, type_of(j->btf, func->id)[0]);
}

static const uint32_t *prototype_of(const struct judge *j, uint32_t func)
{
	return type_of(j->btf, type_of(j->btf, func)[2]);
}

static const char *shown_name(const char *name)
{
	return *name ? name : "(anon)";
}

/*
 * Which of the source's parameters are in the prototype, in its order?  For an
 * ordinary function all have to be.
 */
static char *match_params(struct judge *j, struct source *src, const uint32_t *proto)
{
	const uint32_t *params = proto + 3;
	unsigned int nr = vlen_of(proto), at = 0;
	bool dots = nr && !params[2 * nr - 2] && !params[2 * nr - 1];

	if (dots != src->dots)
		return explain("the source has %s '...'", src->dots ? "a" : "no");
	nr -= dots;
	if (!src->is_clone && nr != src->nr)
		return explain("has %u parameters, the source %u", nr, src->nr);
	for (unsigned int i = 0; i < src->nr; i++) {
		struct param *param = &src->params[i];
		const char *name = at < nr ? string_at(j->btf, params[2 * at]) : NULL;

		param->kept = name && !strcmp(name, param->name);
		if (param->kept)
			at++;
		else if (!src->is_clone)
			return explain("parameter %u is '%s', in the source '%s'", i + 1,
				       shown_name(name), shown_name(param->name));
		else
			continue;
		if (!same_type(j->btf, params[2 * at - 1], entry_type(&param->die, &param->type)))
			return explain("parameter '%s' is of another type in the source",
				       shown_name(param->name));
	}
	if (at < nr)
		return explain("parameter '%s' is not the source's, or out of order",
			       shown_name(string_at(j->btf, params[2 * at])));
	return NULL;
}

static char *check_result(struct judge *j, struct source *src, const uint32_t *proto)
{
	Dwarf_Die type;

	if (src->may_drop_result)
		return proto[2] ? explain("need not return anything, expected void") : NULL;
	if (!proto[2] && src->result_unknown)
		return NULL;
	if (!same_type(j->btf, proto[2], entry_type(&src->result, &type)))
		return explain("the source returns another type");
	return NULL;
}

/* gcc does not record its preserve_none, which passes arguments in r12 to r15 first. */
static bool is_preserve_none(const struct judge *j, const struct source *src)
{
	for (unsigned int i = 0; i < src->nr && i < 4; i++)
		if (src->params[i].place.kind != PLACE_VALUE || src->params[i].place.nr != 1 ||
		    src->params[i].place.regs[0] != 12 + (int)i)
			return false;
	return src->nr && j->img->header.e_machine == EM_X86_64;
}

/*
 * The remaining parameters get places one after the other; locations in DWARF must not
 * contradict them, and for a clone must be the same.
 */
static char *check_places(struct judge *j, struct source *src)
{
	char wanted[80], found[80];
	struct arguments args;
	Dwarf_Die result;

	arguments__begin(&args, j->abi, type_behind(&src->result, &result) ? &result : NULL);
	for (unsigned int i = 0; i < src->nr; i++) {
		struct param *param = &src->params[i];
		struct place by_abi = { .kind = PLACE_UNKNOWN };

		if (!param->kept) {
			if (param->place.kind != PLACE_CONSTANT)
				return explain("parameter '%s' is missing, and is %s",
					       shown_name(param->name),
					       place__print(&param->place, found, sizeof(found)));
			continue;
		}
		if (type_behind(&param->die, &param->type))
			by_abi = arguments__next(&args, &param->type);
		else
			args.lost = true;
		if (src->is_clone ? !same_place(&by_abi, &param->place, j->abi) :
				    other_place(&by_abi, &param->place, j->abi))
			return explain("parameter '%s' is %s, by the ABI %s", shown_name(param->name),
				       place__print(&param->place, found, sizeof(found)),
				       place__print(&by_abi, wanted, sizeof(wanted)));
	}
	return NULL;
}

/*
 * The body has another name: the FUNC describes an alias, or a function that the compiler
 * merged with this body. Its declaration may differ, but not the way it is called.
 */
static char *check_alias(struct judge *j, const struct source *src, const uint32_t *proto)
{
	unsigned int nr = vlen_of(proto);

	return nr == src->nr + src->dots ? NULL :
	       explain("has %u parameters, but the code belongs to '%s', which has %u", nr,
		       src->name, src->nr + src->dots);
}

static char *contradicts_it(struct judge *j, uint32_t func, struct source *src, bool by_name)
{
	const uint32_t *proto = prototype_of(j, func);

	if (src->body.entry == src->body.end)
		return explain("is without code, as '%s' there is empty", src->name);
	if (!by_name)
		return check_alias(j, src, proto);
	if (!j->in_c)
		return explain("is written in a language with other rules for arguments than C's");
	if (src->is_foreign || is_preserve_none(j, src))
		return explain("is called by another convention than C's");
	return match_params(j, src, proto) ?: check_result(j, src, proto) ?: check_places(j, src);
}

/* Would a FUNC with all that is passed keep the promise? */
static bool is_provable(struct judge *j, struct source *src)
{
	char *reason;

	if (src->is_foreign || is_preserve_none(j, src) || src->body.entry == src->body.end)
		return false;
	for (unsigned int i = 0; i < src->nr; i++)
		src->params[i].kept = !src->is_clone || src->params[i].place.kind != PLACE_CONSTANT;
	reason = check_places(j, src);
	free(reason);
	return !reason;
}

/* --- functions and their symbols ----------------------------------------- */

static bool is_of(const char *symbol, const char *name)
{
	return !compare_bases(symbol, name);
}

/* A function with a suffix may have other arguments, except for ThinLTO's suffix. */
static bool is_clone_name(const char *name)
{
	const char *suffix = name + stem_length(name);

	return *suffix == '.' && !is_thinlto_suffix(suffix);
}

/* The section and the address or offset in it that an address of the DWARF means. */
static bool find_place(const struct judge *j, Dwarf_Addr address, uint32_t *section,
		       uint64_t *offset)
{
	Dwarf_Addr bias;
	Elf_Scn *scn;

	*offset = address;
	if (!image__is_relocatable(j->img)) {
		*section = image__code_at(j->img, address);
		return *section;
	}
	*offset += j->bias;
	scn = dwfl_module_address_section(j->module, offset, &bias);
	*section = scn ? elf_ndxscn(scn) : 0;
	return *section;
}

/*
 * Find the symbols of a body: those at its start, or else earlier ones with the same end,
 * because a body may exclude the bytes that tracers patch.
 */
static struct symbol *symbols_of(const struct judge *j, const struct body *body,
					 uint32_t *nr)
{
	struct symbol *all = j->img->symbols, *found;
	uint32_t section, at;
	uint64_t entry;

	*nr = 0;
	if (!find_place(j, body->entry, &section, &entry))
		return NULL;
	found = image__at(j->img, section, entry, nr);
	if (*nr)
		return found;
	at = first_not_before(i, j->img->nr,
			      all[i].section < section ||
			      (all[i].section == section && all[i].address < entry));
	if (!at || all[at - 1].section != section ||
	    all[at - 1].address + all[at - 1].size != entry + (body->end - body->entry))
		return NULL;
	return image__at(j->img, section, all[at - 1].address, nr);
}

static int compare_to_place(const struct symbol *sym, const struct symbol *place)
{
	if (sym->section != place->section)
		return sym->section < place->section ? -1 : 1;
	return sym->address < place->address ? -1 : sym->address > place->address;
}

/* The FUNCs at the place of a symbol. */
static struct func *funcs_at(const struct judge *j, const struct symbol *place,
				   uint32_t *nr)
{
	uint32_t begin = first_not_before(i, j->nr, compare_to_place(j->funcs[i].sym, place) < 0);
	uint32_t end = first_not_before(i, j->nr, compare_to_place(j->funcs[i].sym, place) <= 0);

	*nr = end - begin;
	return j->funcs + begin;
}

/* --- bodies and declarations --------------------------------------------- */

static void check_source(struct judge *j, struct func *func, struct source *src)
{
	bool by_name = is_of(name_of(j, func), src->name), nocall = src->is_clone;

	if (func->by_name && !by_name)
		return;
	if (by_name && !func->by_name) {
		func->by_name = true;
		func->verdict = SILENT;
	}
	/* bodies that a linker has folded have several entries */
	if (func->verdict == AGREES)
		return;
	free(func->reason);
	func->reason = NULL;
	src->is_clone |= is_clone_name(func->sym->name);
	src->may_drop_result |= !!strstr(func->sym->name, ".isra");
	src->result_unknown = j->old_clang && func->sym->local;
	func->reason = contradicts_it(j, func->id, src, by_name);
	func->verdict = func->reason ? CONTRADICTS : AGREES;
	func->unit = by_name || !func->sym->local ? 0 : j->unit;
	src->is_clone = nocall;
	src->may_drop_result = nocall;
}

/* Of a clone, with the remaining parameters */
static void list_missing(const struct judge *j, const struct symbol *sym, const struct source *src)
{
	const char *before = "(";

	printf("%s: missing: %s at 0x%" PRIx64, j->btf->path, sym->name, sym->address);
	if (src->is_clone)
		printf(", a clone that takes ");
	for (unsigned int i = 0; src->is_clone && i < src->nr; i++) {
		char *name;

		if (!src->params[i].kept)
			continue;
		name = explain("%s%s", before, shown_name(src->params[i].name));
		fputs(name, stdout);
		free(name);
		before = ", ";
	}
	if (src->is_clone)
		fputs(*before == '(' ? "nothing" : ")", stdout);
	putchar('\n');
}

/*
 * Check if a body without a FUNC could have one. The symbols at an address are sorted by
 * name, and foo precedes foo.isra.0.
 */
static void count_missing(struct judge *j, struct symbol *syms, uint32_t nr, struct source *src)
{
	uint32_t at = first_not_before(i, nr, strcmp(syms[i].name, src->name) < 0);
	struct symbol *sym = &syms[at];
	uint32_t nr_named;

	if (at == nr || !is_of(sym->name, src->name) || is_fragment(sym->name) || sym->reported)
		return;
	/* skipped by design: init_text */
	image__with_stem(j->img, sym->name, &nr_named);
	if (nr_named > 1 && !image__is_core_text(j->img, sym))
		return;
	src->is_clone |= is_clone_name(sym->name);
	if (!is_provable(j, src))
		return;
	sym->reported = true;
	j->nr_missing++;
	if (j->verbose)
		list_missing(j, sym, src);
}

/* Of more FUNCs at one place than this, only so many are checked, starting at the body's name. */
#define MAX_ALIASES	16

static void check_body(struct judge *j, Dwarf_Die *die, const struct body *body)
{
	uint32_t nr_syms, nr, i = 0;
	struct symbol *syms = symbols_of(j, body, &nr_syms);
	struct func *funcs;
	struct source src;

	if (!syms || !source__read(&src, die, body, j->abi))
		return;
	funcs = funcs_at(j, syms, &nr);
	if (!nr && j->in_c)
		count_missing(j, syms, nr_syms, &src);
	if (nr > MAX_ALIASES)
		i = first_not_before(k, nr, strcmp(name_of(j, &funcs[k]), src.name) < 0);
	for (uint32_t checked = 0; i < nr && checked < MAX_ALIASES; i++, checked++)
		check_source(j, &funcs[i], &src);
}

static void find_assembly(struct judge *j, const struct body *body)
{
	uint32_t nr;
	const struct symbol *syms = symbols_of(j, body, &nr);
	struct func *funcs;

	if (!syms)
		return;
	funcs = funcs_at(j, syms, &nr);
	for (uint32_t i = 0; i < nr && i < MAX_ALIASES; i++)
		funcs[i].in_assembly = true;
}

static int compare_names(const void *a, const void *b, void *arg)
{
	return compare_bases(name_of(arg, *(struct func * const *)a),
			     name_of(arg, *(struct func * const *)b));
}

/*
 * FUNCs that no body of their name was checked of: in assembler, aliases, and code
 * that the compiler made without describing it.  Their names are to be looked for
 * among all that is declared.  Of a clone that would prove nothing.
 */
static void find_undescribed(struct judge *j)
{
	for (uint32_t i = 0; i < j->nr; i++) {
		struct func *func = &j->funcs[i];

		if (func->by_name || func->verdict == CONTRADICTS)
			continue;
		if (is_clone_name(func->sym->name)) {
			func->verdict = CONTRADICTS;
			func->reason = explain("is a clone, and is not described");
			continue;
		}
		if (func->in_assembly)
			func->verdict = SILENT;
		if (func->unit) {
			func->verdict = CONTRADICTS;
			func->reason = explain("is of another unit than the code there");
		}
		j->undescribed[j->nr_undescribed++] = func;
	}
	qsort_r(j->undescribed, j->nr_undescribed, sizeof(*j->undescribed), compare_names, j);
}

static char *contradicts_declaration(struct judge *j, const struct func *func, Dwarf_Die *die)
{
	if (!same_prototype(j->btf, type_of(j->btf, func->id)[2], die))
		return explain("is declared in another way%s",
			       func->in_assembly ? ", and in assembler" : "");
	if (!func->in_assembly)
		return NULL;
	if (source__is_foreign(die))
		return explain("is declared with another calling convention than C's");
	/* C also declares functions that it does not call */
	return vlen_of(prototype_of(j, func->id)) ? NULL :
	       explain("is declared without arguments, which proves nothing of assembler");
}

/*
 * Compare a FUNC with the declarations in C units. For a function in assembly, one
 * declaration that differs is a contradiction; for others, one equal declaration is enough.
 */
static void check_declaration(struct judge *j, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *label = dwarf_formstring(dwarf_attr(die, DW_AT_linkage_name, &attr));
	const char *name = label ?: dwarf_diename(die);
	uint32_t at, end;

	if (!name)
		return;
	at = first_not_before(i, j->nr_undescribed,
			      compare_bases(name_of(j, j->undescribed[i]), name) < 0);
	end = at + MAX_ALIASES < j->nr_undescribed ? at + MAX_ALIASES : j->nr_undescribed;
	for (; at < end && is_of(name_of(j, j->undescribed[at]), name); at++) {
		struct func *func = j->undescribed[at];

		if (func->unit && func->unit != j->unit)
			continue;
		if (func->by_name &&
		    (func->verdict == CONTRADICTS) == func->in_assembly)
			continue;
		if (func->in_assembly && (!dwarf_hasattr(die, DW_AT_external) ||
					   !dwarf_hasattr(die, DW_AT_prototyped)))
			continue;
		func->by_name = true;
		free(func->reason);
		func->reason = contradicts_declaration(j, func, die);
		func->verdict = func->reason ? CONTRADICTS : AGREES;
	}
}

/* --- units --------------------------------------------------------------- */

static bool is_c(int language)
{
	return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
	       language == DW_LANG_C11 || language == 0x2c /* DW_LANG_C17 */ ||
	       language == 0x3e /* DW_LANG_C23 */;
}

__attribute__((noreturn))
static void bad_unit(const struct judge *j, Dwarf_Die *unit)
{
	die("%s: the unit at .debug_info + 0x%" PRIx64 ": %s", j->img->path,
	    (uint64_t)dwarf_dieoffset(unit), dwarf_errmsg(-1));
}

/* gcc -g1 describes functions without their parameters. */
static bool is_terse(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));

	return producer && strstr(producer, " -g1 ");
}

static bool is_old_clang(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));
	const char *version = producer ? strstr(producer, "clang version ") : NULL;

	return version && atoi(version + strlen("clang version ")) < 17;
}

/* DWARF 6 has a number for assembly: DW_LANG_Assembly. */
static bool is_assembly(int language)
{
	return language == DW_LANG_Mips_Assembler || language == 0x31;
}

/* Three times through the units, in this order. */
enum pass { ASSEMBLY, BODIES, DECLARATIONS };

static void check_unit(struct judge *j, Dwarf_Die *unit, enum pass pass)
{
	Dwarf_Die die;
	int err;

	for (err = dwarf_child(unit, &die); !err; err = dwarf_siblingof(&die, &die)) {
		struct body body = {};

		if (dwarf_tag(&die) == DW_TAG_invalid)
			bad_unit(j, unit);
		if (dwarf_tag(&die) != DW_TAG_subprogram)
			continue;
		if (pass == DECLARATIONS)
			check_declaration(j, &die);
		else if (!body__read(&die, &body))
			continue;
		else if (pass == ASSEMBLY)
			find_assembly(j, &body);
		else
			check_body(j, &die, &body);
	}
	if (err < 0)
		bad_unit(j, unit);
}

static void check_units(struct judge *j, enum pass pass)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int err;

	while (!(err = dwarf_get_units(j->dwarf, cu, &cu, NULL, NULL, &unit, NULL))) {
		int language = dwarf_srclang(&unit);

		if (dwarf_tag(&unit) == DW_TAG_invalid)
			bad_unit(j, &unit);
		if (is_assembly(language) != (pass == ASSEMBLY))
			continue;
		if (pass != ASSEMBLY && is_terse(&unit))
			continue;
		j->in_c = is_c(language);
		j->old_clang = is_old_clang(&unit);
		j->unit = dwarf_dieoffset(&unit);
		check_unit(j, &unit, pass);
	}
	if (err < 0)
		die("%s: .debug_info: %s", j->img->path, dwarf_errmsg(-1));
}

/* Do not look for other files. */
static int no_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			 const char *file, const char *link, GElf_Word crc, char **found)
{
	return -1;
}

/* libdwfl, because libdw alone does not apply the relocations of modules */
static void open_dwarf(struct judge *j)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = no_debug_file,
		.section_address = dwfl_offline_section_address,
	};

	j->dwfl = dwfl_begin(&callbacks);
	j->module = j->dwfl ? dwfl_report_offline(j->dwfl, j->img->path, j->img->path, -1) : NULL;
	if (j->module && !dwfl_report_end(j->dwfl, NULL, NULL))
		j->dwarf = dwfl_module_getdwarf(j->module, &j->bias);
	if (!j->dwarf)
		die("%s: no DWARF to check against: %s", j->img->path, dwfl_errmsg(-1));
}

uint32_t check_prototypes(const struct image *img, const struct btf *btf, struct func *funcs,
			  uint32_t nr, bool verbose)
{
	struct judge j = {
		.img = img, .btf = btf, .abi = abi__of(img), .funcs = funcs, .nr = nr,
		.verbose = verbose, .undescribed = alloc(nr, sizeof(*j.undescribed)),
	};

	open_dwarf(&j);
	check_units(&j, ASSEMBLY);
	check_units(&j, BODIES);
	find_undescribed(&j);
	check_units(&j, DECLARATIONS);
	for (uint32_t i = 0; i < nr; i++) {
		if (!funcs[i].in_assembly || funcs[i].by_name)
			continue;
		funcs[i].verdict = CONTRADICTS;
		funcs[i].reason = explain("is in assembler, and no C unit declares it");
	}
	dwfl_end(j.dwfl);
	free(j.undescribed);
	return j.nr_missing;
}
