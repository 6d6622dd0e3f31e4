// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/arrival.h"
#include "inspect/dwarf.h"
#include "inspect/same_type.h"
#include "inspect/source.h"
#include "inspect/text.h"
#include "util/msg.h"
#include "util/search.h"

/**
 * struct judge - one image
 * @counted:	by position in @syms->funcs: it is missing, and was counted
 * @unit:	where the unit that is heard is in .debug_info
 * @in_c:	it is one of C
 * @old_clang:	of clang before 17, which does not record that a result was removed
 * @undescribed: FUNCs without a body of their name, ordered by name
 */
struct judge {
	const struct image	*img;
	const struct symbols	*syms;
	const struct btf_data	*btf;
	const struct abi	*abi;
	struct dwarf_func	*funcs;
	uint32_t		nr;
	struct dwarf_missing	*missing;
	bool			*counted;
	struct dwarf_func	**undescribed;
	uint32_t		nr_undescribed;
	Dwfl			*dwfl;
	Dwfl_Module		*module;
	Dwarf			*dwarf;
	Dwarf_Addr		bias;
	uint64_t		unit;
	bool			in_c;
	bool			old_clang;
	bool			oom;
};

/* --- the prototype ------------------------------------------------------- */

__attribute__((format(printf, 2, 3)))
static char *say_why(struct judge *j, const char *fmt, ...)
{
	char *reason = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&reason, fmt, ap) < 0) {
		j->oom = true;
		reason = NULL;
	}
	va_end(ap);
	/* names out of the DWARF may hold anything */
	return reason ? text_clean(reason) : NULL;
}

static const char *name_of(const struct judge *j, const struct dwarf_func *func)
{
	return btf_data__name(j->btf, func->id);
}

static const struct btf_type *prototype_of(const struct judge *j, uint32_t func)
{
	return btf_data__type(j->btf, btf_data__type(j->btf, func)->type);
}

static const char *shown_name(const char *name)
{
	return *name ? name : "(anon)";
}

/*
 * Which of the source's parameters are in the prototype, in its order?  For an
 * ordinary function all have to be.
 */
static char *match_params(struct judge *j, struct source *src, const struct btf_type *proto)
{
	const struct btf_param *params = (const struct btf_param *)(proto + 1);
	unsigned int nr = BTF_INFO_VLEN(proto->info), at = 0;
	bool dots = nr && !params[nr - 1].type && !params[nr - 1].name_off;

	if (dots != src->dots)
		return say_why(j, "the source has %s '...'", src->dots ? "a" : "no");
	nr -= dots;
	if (!src->is_clone && nr != src->nr)
		return say_why(j, "has %u parameters, the source %u", nr, src->nr);
	for (unsigned int i = 0; i < src->nr; i++) {
		struct param *param = &src->params[i];
		const char *name = at < nr ? btf_data__string(j->btf, params[at].name_off) : NULL;

		param->kept = name && !strcmp(name, param->name);
		if (param->kept)
			at++;
		else if (!src->is_clone)
			return say_why(j, "parameter %u is '%s', in the source '%s'", i + 1,
				       shown_name(name), shown_name(param->name));
		else
			continue;
		if (!same_type(j->btf, params[at - 1].type, entry_type(&param->die, &param->type)))
			return say_why(j, "parameter '%s' is of another type in the source",
				       shown_name(param->name));
	}
	if (at < nr)
		return say_why(j, "parameter '%s' is not the source's, or out of order",
			       shown_name(btf_data__string(j->btf, params[at].name_off)));
	return NULL;
}

static char *check_result(struct judge *j, struct source *src, const struct btf_type *proto)
{
	Dwarf_Die type;

	if (src->may_drop_result)
		return proto->type ? say_why(j, "need not return anything, expected void") : NULL;
	if (!proto->type && src->result_unknown)
		return NULL;
	if (!same_type(j->btf, proto->type, entry_type(&src->result, &type)))
		return say_why(j, "the source returns another type");
	return NULL;
}

/* gcc does not record its preserve_none, which passes arguments in r12 to r15 first. */
static bool is_preserve_none(const struct judge *j, const struct source *src)
{
	for (unsigned int i = 0; i < src->nr && i < 4; i++)
		if (src->params[i].place.kind != PLACE_VALUE || src->params[i].place.nr != 1 ||
		    src->params[i].place.regs[0] != 12 + (int)i)
			return false;
	return src->nr && j->img->machine == EM_X86_64;
}

/*
 * The kept parameters get places one after the other; those of the DWARF must
 * not differ, and for a clone must be the same.
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
				return say_why(j, "parameter '%s' is missing, and is %s",
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
			return say_why(j, "parameter '%s' is %s, by the ABI %s", shown_name(param->name),
				       place__print(&param->place, found, sizeof(found)),
				       place__print(&by_abi, wanted, sizeof(wanted)));
	}
	return NULL;
}

/*
 * The body bears another name: the FUNC is of an alias, or of a function that the
 * compiler found to have the same code.  What that was declared as is its own
 * affair, but not what it is called with.
 */
static char *check_alias(struct judge *j, const struct source *src, const struct btf_type *proto)
{
	unsigned int nr = BTF_INFO_VLEN(proto->info);

	return nr == src->nr + src->dots ? NULL :
	       say_why(j, "has %u parameters, but the code is that of '%s', which has %u", nr,
		       src->name, src->nr + src->dots);
}

static char *contradicts_it(struct judge *j, uint32_t func, struct source *src, bool by_name)
{
	const struct btf_type *proto = prototype_of(j, func);

	if (src->body.entry == src->body.end)
		return say_why(j, "is without code, as '%s' there is empty", src->name);
	if (!by_name)
		return check_alias(j, src, proto);
	if (!j->in_c)
		return say_why(j, "is written in a language with other rules for arguments than C's");
	if (src->is_foreign || is_preserve_none(j, src))
		return say_why(j, "is called by another convention than C's");
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
	return !reason && !j->oom;
}

/* --- functions and their symbols ----------------------------------------- */

/* Length of a name without what tools put behind it: foo.isra.0, foo@kernel/a.c. */
static size_t base_length(const char *name)
{
	return *name ? 1 + strcspn(name + 1, ".@") : 0;
}

/* Compare two names up to what tools put behind them. */
static int compare_bases(const char *a, const char *b)
{
	size_t len_a = base_length(a), len_b = base_length(b);
	int order = strncmp(a, b, len_a < len_b ? len_a : len_b);

	return order ?: (len_a > len_b) - (len_a < len_b);
}

static bool is_of(const char *symbol, const char *name)
{
	return !compare_bases(symbol, name);
}

/* Any suffix but ThinLTO's, which only keeps statics of several units apart. */
static bool is_clone_name(const char *name)
{
	const char *suffix = name + base_length(name);
	size_t digits;

	if (*suffix != '.')
		return false;
	if (strncmp(suffix, ".llvm.", 6))
		return true;
	digits = strspn(suffix + 6, "0123456789");
	return !digits || suffix[6 + digits];
}

/* The section and the address or offset in it that an address of the DWARF means. */
static bool find_place(const struct judge *j, Dwarf_Addr address, uint32_t *section,
		       uint64_t *offset)
{
	Dwarf_Addr bias;
	Elf_Scn *scn;

	*offset = address;
	if (j->img->type != ET_REL) {
		*section = symbols__section_of(j->syms, address);
		return *section;
	}
	*offset += j->bias;
	scn = dwfl_module_address_section(j->module, offset, &bias);
	*section = scn ? elf_ndxscn(scn) : 0;
	return *section;
}

/*
 * The symbols a body is of: those that begin with it, or else those before it
 * that end with it, for entries made for tracers are not always counted in.
 */
static const struct func_sym *symbols_of(const struct judge *j, const struct body *body,
					 uint32_t *nr)
{
	const struct func_sym *all = j->syms->funcs, *found;
	uint32_t section, at;
	uint64_t entry;

	*nr = 0;
	if (!find_place(j, body->entry, &section, &entry))
		return NULL;
	found = symbols__at(j->syms, section, entry, nr);
	if (*nr)
		return found;
	at = first_not_before(i, j->syms->nr_funcs,
			      all[i].section < section ||
			      (all[i].section == section && all[i].address < entry));
	if (!at || all[at - 1].section != section ||
	    all[at - 1].address + all[at - 1].size != entry + (body->end - body->entry))
		return NULL;
	return symbols__at(j->syms, section, all[at - 1].address, nr);
}

static int compare_to_place(const struct func_sym *sym, const struct func_sym *place)
{
	if (sym->section != place->section)
		return sym->section < place->section ? -1 : 1;
	return sym->address < place->address ? -1 : sym->address > place->address;
}

/* The FUNCs at the place of a symbol. */
static struct dwarf_func *funcs_at(const struct judge *j, const struct func_sym *place,
				   uint32_t *nr)
{
	uint32_t begin = first_not_before(i, j->nr, compare_to_place(j->funcs[i].sym, place) < 0);
	uint32_t end = first_not_before(i, j->nr, compare_to_place(j->funcs[i].sym, place) <= 0);

	*nr = end - begin;
	return j->funcs + begin;
}

/* --- hearing ------------------------------------------------------------- */

static void hear_source(struct judge *j, struct dwarf_func *func, struct source *src)
{
	bool by_name = is_of(name_of(j, func), src->name), nocall = src->is_clone;

	if (func->by_name && !by_name)
		return;
	if (by_name && !func->by_name) {
		func->by_name = true;
		func->verdict = DWARF_SILENT;
	}
	/* bodies that a linker has folded have several entries */
	if (func->verdict == DWARF_AGREES)
		return;
	free(func->reason);
	func->reason = NULL;
	src->is_clone |= is_clone_name(func->sym->name);
	src->may_drop_result |= !!strstr(func->sym->name, ".isra");
	src->result_unknown = j->old_clang && func->sym->bind == STB_LOCAL;
	func->reason = contradicts_it(j, func->id, src, by_name);
	func->verdict = func->reason ? DWARF_CONTRADICTS : DWARF_AGREES;
	func->unit = by_name || func->sym->bind != STB_LOCAL ? 0 : j->unit;
	src->is_clone = nocall;
	src->may_drop_result = nocall;
}

/* Of a clone, with the parameters that are left. */
static void list_missing(struct judge *j, const struct func_sym *sym, const struct source *src)
{
	FILE *f = j->missing->list;
	const char *before = "(";

	fprintf(f, "%s: missing: %s at 0x%" PRIx64, j->missing->subject, sym->name, sym->address);
	if (src->is_clone)
		fprintf(f, ", a clone that takes ");
	for (unsigned int i = 0; src->is_clone && i < src->nr; i++) {
		char *name;

		if (!src->params[i].kept)
			continue;
		name = say_why(j, "%s%s", before, shown_name(src->params[i].name));
		fputs(name ?: "", f);
		free(name);
		before = ", ";
	}
	if (src->is_clone)
		fputs(*before == '(' ? "nothing" : ")", f);
	fputc('\n', f);
}

/*
 * The body has no FUNC: might it?  The symbols of one place are ordered by name,
 * and foo comes before foo.isra.0.
 */
static void count_missing(struct judge *j, const struct func_sym *syms, uint32_t nr,
			  struct source *src)
{
	uint32_t at = first_not_before(i, nr, strcmp(syms[i].name, src->name) < 0);
	const struct func_sym *sym = &syms[at];
	uint32_t nr_named;

	if (at == nr || !is_of(sym->name, src->name) || func_sym__is_fragment(sym) ||
	    j->counted[sym - j->syms->funcs])
		return;
	/* skipped by design: init_text */
	symbols__with_base(j->syms, sym->name, sym->base_len, &nr_named);
	if (nr_named > 1 && !symbols__is_core_text(j->syms, sym->section, sym->address))
		return;
	src->is_clone |= is_clone_name(sym->name);
	if (!is_provable(j, src))
		return;
	j->counted[sym - j->syms->funcs] = true;
	j->missing->nr++;
	if (j->missing->list)
		list_missing(j, sym, src);
}

/* Of more FUNCs at one place than that only those of the body's name are heard, and so many. */
#define MAX_ALIASES	16

static void hear_body(struct judge *j, Dwarf_Die *die, const struct body *body)
{
	uint32_t nr_syms, nr, i = 0;
	const struct func_sym *syms = symbols_of(j, body, &nr_syms);
	struct dwarf_func *funcs;
	struct source src;

	if (!syms || !source__read(&src, die, body, j->abi))
		return;
	funcs = funcs_at(j, syms, &nr);
	if (!nr && j->in_c)
		count_missing(j, syms, nr_syms, &src);
	if (nr > MAX_ALIASES)
		i = first_not_before(k, nr, strcmp(name_of(j, &funcs[k]), src.name) < 0);
	for (uint32_t heard = 0; i < nr && heard < MAX_ALIASES; i++, heard++)
		hear_source(j, &funcs[i], &src);
}

static void find_assembler(struct judge *j, Dwarf_Die *die, const struct body *body)
{
	uint32_t nr;
	const struct func_sym *syms = symbols_of(j, body, &nr);
	struct dwarf_func *funcs;

	if (!syms)
		return;
	funcs = funcs_at(j, syms, &nr);
	for (uint32_t i = 0; i < nr && i < MAX_ALIASES; i++)
		funcs[i].in_assembler = true;
}

static int compare_names(const void *a, const void *b, void *arg)
{
	return compare_bases(name_of(arg, *(struct dwarf_func * const *)a),
			     name_of(arg, *(struct dwarf_func * const *)b));
}

/*
 * FUNCs that no body of their name was heard of: in assembler, aliases, and code
 * that the compiler made without describing it.  Their names are to be looked for
 * among all that is declared.  Of a clone that would prove nothing.
 */
static void find_undescribed(struct judge *j)
{
	for (uint32_t i = 0; i < j->nr; i++) {
		struct dwarf_func *func = &j->funcs[i];

		if (func->by_name || func->verdict == DWARF_CONTRADICTS)
			continue;
		if (is_clone_name(func->sym->name)) {
			func->verdict = DWARF_CONTRADICTS;
			func->reason = say_why(j, "is a clone, and is not described");
			continue;
		}
		if (func->in_assembler)
			func->verdict = DWARF_SILENT;
		if (func->unit) {
			func->verdict = DWARF_CONTRADICTS;
			func->reason = say_why(j, "is of another unit than the code there");
		}
		j->undescribed[j->nr_undescribed++] = func;
	}
	qsort_r(j->undescribed, j->nr_undescribed, sizeof(*j->undescribed), compare_names, j);
}

static char *contradicts_declaration(struct judge *j, const struct dwarf_func *func, Dwarf_Die *die)
{
	if (!same_prototype(j->btf, btf_data__type(j->btf, func->id)->type, die))
		return say_why(j, "is declared in another way%s",
			       func->in_assembler ? ", and in assembler" : "");
	if (!func->in_assembler)
		return NULL;
	if (source__is_foreign(die))
		return say_why(j, "is declared with another calling convention than C's");
	/* C also declares what it does not call */
	return BTF_INFO_VLEN(prototype_of(j, func->id)->info) ? NULL :
	       say_why(j, "is declared without arguments, which proves nothing of assembler");
}

/*
 * What a C unit declares.  Of a function in assembler one declaration that differs
 * is enough, for others one that is the same.
 */
static void hear_declaration(struct judge *j, Dwarf_Die *die)
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
		struct dwarf_func *func = j->undescribed[at];

		if (func->unit && func->unit != j->unit)
			continue;
		if (func->by_name &&
		    (func->verdict == DWARF_CONTRADICTS) == func->in_assembler)
			continue;
		if (func->in_assembler && (!dwarf_hasattr(die, DW_AT_external) ||
					   !dwarf_hasattr(die, DW_AT_prototyped)))
			continue;
		func->by_name = true;
		free(func->reason);
		func->reason = contradicts_declaration(j, func, die);
		func->verdict = func->reason ? DWARF_CONTRADICTS : DWARF_AGREES;
	}
}

/* --- units --------------------------------------------------------------- */

static bool is_c(int language)
{
	return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
	       language == DW_LANG_C11 || language == 0x2c /* DW_LANG_C17 */ ||
	       language == 0x3e /* DW_LANG_C23 */;
}

static int bad_dwarf(const struct judge *j, Dwarf_Die *unit)
{
	msg_error("%s: the unit at .debug_info + 0x%" PRIx64 ": %s", j->img->path,
		  (uint64_t)dwarf_dieoffset(unit), dwarf_errmsg(-1));
	return -EINVAL;
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
enum pass { ASSEMBLER, BODIES, DECLARATIONS };

static int hear_unit(struct judge *j, Dwarf_Die *unit, enum pass pass)
{
	Dwarf_Die die;
	int err;

	for (err = dwarf_child(unit, &die); !err; err = dwarf_siblingof(&die, &die)) {
		struct body body = {};

		if (dwarf_tag(&die) == DW_TAG_invalid)
			return bad_dwarf(j, unit);
		if (dwarf_tag(&die) != DW_TAG_subprogram)
			continue;
		if (pass == DECLARATIONS)
			hear_declaration(j, &die);
		else if (!body__read(&die, &body))
			continue;
		else if (pass == ASSEMBLER)
			find_assembler(j, &die, &body);
		else
			hear_body(j, &die, &body);
	}
	return err < 0 ? bad_dwarf(j, unit) : 0;
}

static int hear_units(struct judge *j, enum pass pass)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;
	int err;

	while (!(err = dwarf_get_units(j->dwarf, cu, &cu, NULL, &type, &unit, NULL))) {
		int language = dwarf_srclang(&unit);

		if (dwarf_tag(&unit) == DW_TAG_invalid)
			return bad_dwarf(j, &unit);
		if (is_assembly(language) != (pass == ASSEMBLER))
			continue;
		if (pass != ASSEMBLER && is_terse(&unit))
			continue;
		j->in_c = is_c(language);
		j->old_clang = is_old_clang(&unit);
		j->unit = dwarf_dieoffset(&unit);
		err = hear_unit(j, &unit, pass);
		if (err || j->oom)
			return err ?: -ENOMEM;
	}
	if (err < 0) {
		msg_error("%s: .debug_info: %s", j->img->path, dwarf_errmsg(-1));
		return -EINVAL;
	}
	return 0;
}

/* No other file is ever looked for. */
static int no_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			 const char *file, const char *link, GElf_Word crc, char **found)
{
	return -1;
}

/* libdwfl, not libdw alone: it applies the relocations of modules. */
static int open_dwarf(struct judge *j)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = no_debug_file,
		.section_address = dwfl_offline_section_address,
	};

	j->dwfl = dwfl_begin(&callbacks);
	j->module = j->dwfl ? dwfl_report_offline(j->dwfl, j->img->path, j->img->path, -1) : NULL;
	if (j->module && !dwfl_report_end(j->dwfl, NULL, NULL))
		j->dwarf = dwfl_module_getdwarf(j->module, &j->bias);
	if (j->dwarf)
		return 0;
	msg_error("%s: no DWARF to check against: %s", j->img->path, dwfl_errmsg(-1));
	return -EINVAL;
}

int dwarf_judge(const struct image *img, const struct symbols *syms, const struct btf_data *btf,
		struct dwarf_func *funcs, uint32_t nr, struct dwarf_missing *missing)
{
	struct judge j = {
		.img = img, .syms = syms, .btf = btf, .abi = abi__of(img), .funcs = funcs,
		.nr = nr, .missing = missing,
		.counted = calloc(syms->nr_funcs + 1, sizeof(*j.counted)),
		.undescribed = malloc((nr + 1) * sizeof(*j.undescribed)),
	};
	int err = j.counted && j.undescribed ? open_dwarf(&j) : -ENOMEM;

	err = err ?: hear_units(&j, ASSEMBLER);
	err = err ?: hear_units(&j, BODIES);
	if (!err)
		find_undescribed(&j);
	err = err ?: hear_units(&j, DECLARATIONS);
	for (uint32_t i = 0; !err && i < nr; i++) {
		if (!funcs[i].in_assembler || funcs[i].by_name)
			continue;
		funcs[i].verdict = DWARF_CONTRADICTS;
		funcs[i].reason = say_why(&j, "is in assembler, and no C unit declares it");
	}
	if (j.oom)
		err = -ENOMEM;
	if (err == -ENOMEM)
		msg_error("%s: out of memory", img->path);
	dwfl_end(j.dwfl);
	free(j.undescribed);
	free(j.counted);
	return err;
}
