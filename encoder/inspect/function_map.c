// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "inlined/inlined.h"
#include "inspect/decl.h"
#include "image/identity.h"
#include "inspect/function_map.h"
#include "util/document.h"
#include "util/json.h"
#include "inspect/print.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

/* --- sorting and looking up ----------------------------------------------------------- */

size_t function__source_len(const char *symbol, size_t len)
{
	const char *dot = len > 1 ? memchr(symbol + 1, '.', len - 1) : NULL;

	return dot ? (size_t)(dot - symbol) : len;
}

static int compare_parts(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return memcmp(a, b, a_len < b_len ? a_len : b_len) ?: cmp_int(a_len, b_len);
}

/* Compare the names of functions without their files: FUNCs are sorted like this. */
static int compare_function_names(const struct function *a, const struct function *b)
{
	const char *x = a->name + a->source_len, *y = b->name + b->source_len;

	return compare_parts(a->name, a->source_len, b->name, b->source_len) ?:
	       compare_parts(x, strcspn(x, "@"), y, strcspn(y, "@"));
}

static bool same_code(const struct function *a, const struct function *b)
{
	return a->has_offset && b->has_offset && a->section == b->section &&
	       a->offset == b->offset;
}

static int compare_functions(const void *x, const void *y)
{
	const struct function *a = x, *b = y;

	/* FUNCs are sorted by address, which some of them lack */
	return compare_function_names(a, b) ?: cmp_int(a->is_only_func, b->is_only_func) ?:
	       (a->is_only_func ? cmp_int(a->id, b->id) : 0) ?:
	       cmp_int(a->section, b->section) ?: cmp_int(a->offset, b->offset) ?:
	       strcmp(a->symbol, b->symbol);
}

struct named_functions function_map__named(const struct function_map *map, const char *name,
					   size_t len)
{
	const struct function *f = map->array;
	const size_t source_len = function__source_len(name, len);
	uint32_t first = first_not_before(i, map->nr, compare_parts(f[i].name, f[i].source_len,
								    name, source_len) < 0);
	uint32_t end = first_not_before(i, map->nr, compare_parts(f[i].name, f[i].source_len,
								  name, source_len) <= 0);

	return (struct named_functions){ f + first, end - first };
}

bool named_functions__have(const struct named_functions *named, enum code_kind kind)
{
	for_each(f, named)
		if (f->kind == kind)
			return true;
	return false;
}

static int compare_places(const void *x, const void *y, void *arg)
{
	const struct function *all = arg;
	const struct function *a = &all[*(const uint32_t *)x], *b = &all[*(const uint32_t *)y];

	return cmp_int(a->section, b->section) ?: cmp_int(a->offset, b->offset) ?:
	       cmp_int(!a->func_id, !b->func_id) ?: cmp_int(a->is_unproven, b->is_unproven) ?:
	       cmp_int(b->size, a->size) ?: strcmp(a->name, b->name);
}

static void index_places(struct function_map *map)
{
	uint32_t *by_place, nr = 0;

	for (uint32_t i = 0; i < map->nr; i++)
		if (map->array[i].has_offset)
			push(&map->by_place, i);
	by_place = map->by_place.array;
	if (map->by_place.nr)
		qsort_r(by_place, map->by_place.nr, sizeof(*by_place), compare_places, map->array);
	for (uint32_t i = 0; i < map->by_place.nr; i++)
		if (!nr || !same_code(&map->array[by_place[nr - 1]], &map->array[by_place[i]]))
			by_place[nr++] = by_place[i];
	map->by_place.nr = nr;
}

/* Return: the index in @by_place of the first function after a place. */
static uint32_t find_next(const struct function_map *map, uint32_t section, uint64_t offset)
{
	const struct function *all = map->array;
	const uint32_t *at = map->by_place.array;

	return first_not_before(k, map->by_place.nr, (cmp_int(all[at[k]].section, section) ?:
						      cmp_int(all[at[k]].offset, offset)) <= 0);
}

uint64_t function_map__extent(const struct function_map *map, const struct function *func)
{
	uint32_t i = find_next(map, func->section, func->offset);
	const struct function *next = i < map->by_place.nr ?
				      &map->array[map->by_place.array[i]] : NULL;

	return next && next->section == func->section ? next->offset - func->offset : UINT64_MAX;
}

const struct function *function_map__find(const struct function_map *map, uint32_t section,
					  uint64_t offset)
{
	uint32_t i = find_next(map, section, offset);
	const struct function *f = i ? &map->array[map->by_place.array[i - 1]] : NULL;

	/* a symbol of size 0, of assembly, has its first byte */
	if (!f || f->section != section || offset - f->offset >= (f->size ?: 1))
		return NULL;
	return f;
}

/* --- names ---------------------------------------------------------------------------- */

json_t *function_map__head(const struct function_map *map)
{
	char hex[BUILD_ID_HEX];

	if (map->syms)
		return image__head(map->syms->img);
	return json_pack("{s:o, s:n}", "build_id",
			 text_json(map->id.size ? build_id__hex(&map->id, hex) : NULL), "module");
}

const char *function_map__section(const struct function_map *map, uint32_t section)
{
	return map->is_module && map->syms ? map->syms->img->sections[section].name : NULL;
}

static const char *own_name(struct function_map *map, char *name)
{
	push(&map->names, text_clean(name));
	return name;
}

/* Name @nr functions that have the same name, unless their files are in it. */
static void name_shared(struct function_map *map, struct function *first, uint32_t nr)
{
	struct function *f = first;
	bool shared = false;

	for (uint32_t i = 1; i < nr; i++)
		shared |= !same_code(first, &first[i]);
	for (; f < first + nr; f++) {
		if (strchr(f->name, '@') || f->is_only_func)
			continue;
		if (shared && !f->has_offset)
			f->name = own_name(map, xasprintf("%s@0x%" PRIx64, f->symbol,
							  f->offset + map->text));
		else if (shared)
			f->name = own_name(map, xasprintf("%s@%s+0x%" PRIx64, f->symbol,
							  function_map__section(map, f->section) ?: "_text",
							  f->offset));
		else if (f > first)
			f->name = f->symbol;
	}
}

static bool has_several_bodies(const struct function *first, uint32_t nr)
{
	const struct function *last = NULL;

	for (const struct function *f = first; f < first + nr; f++) {
		if (f->kind != CODE_BODY)
			continue;
		if (last && !same_code(last, f))
			return true;
		last = f;
	}
	return false;
}

/* Sort and index functions, and give each a unique name. */
static void finish_map(struct function_map *map)
{
	struct function *f = map->array;
	uint32_t i, end;

	vector__sort(map, compare_functions);
	for (i = 0; i < map->nr; i = end) {
		for (end = i + 1; end < map->nr && same_source(&f[i], &f[end]); end++)
			;
		f[i].is_shared = has_several_bodies(&f[i], end - i);
		for (uint32_t k = i + 1; k < end; k++)
			f[k].is_shared = f[i].is_shared;
	}
	for (i = 0; i < map->nr; i = end) {
		for (end = i + 1; end < map->nr && !compare_function_names(&f[i], &f[end]); end++)
			;
		if (end - i > 1)
			name_shared(map, &f[i], end - i);
	}
	index_places(map);
}

/* --- symbols -------------------------------------------------------------------------- */

static enum code_kind kind_of(const struct symbol *sym)
{
	if (symbol__is_padding(sym))
		return CODE_PADDING;
	return symbol__is_fragment(sym) ? CODE_PART : CODE_BODY;
}

/* Only malformed images have such names; '?' also selects them. */
static char *replace_invalid(const char *name)
{
	char *copy = xstrdup(*name ? name : "?");

	for (char *c = copy; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_.$", *c))
			*c = '?';
	return copy;
}

static struct function make_function(struct function_map *map, const struct symbol *sym)
{
	struct function f = {
		.name = sym->name, .symbol = sym->name, .source_len = sym->stem_len,
		.offset = sym->address - map->text, .size = MIN(sym->size, UINT32_MAX),
		.section = map->is_module ? sym->section : 0,
		.has_offset = map->is_module || (map->syms->has_text && sym->address >= map->text),
		.kind = kind_of(sym), .reason = FUNC_NO_DWARF, .patched = NOT_PATCHED,
		.linkage = sym->bind == STB_LOCAL ? BTF_FUNC_STATIC : BTF_FUNC_GLOBAL,
	};

	if (!name__is_valid(sym->name))
		f.name = f.symbol = own_name(map, replace_invalid(sym->name));
	/* ThinLTO's suffix is not part of the name */
	if (sym->has_suffix && !symbol__is_clone(sym))
		f.name = own_name(map, xstrndup(f.symbol, sym->stem_len));
	map->has_offsets |= f.has_offset;
	return f;
}

static void add_instances(struct function_map *map, const struct encoding *e)
{
	for_each(inst, &e->instances) {
		struct function f = make_function(map, inst->sym);
		const char *file = encoding__file(e, inst->facts.unit);

		if (f.symbol == inst->sym->name && strchr(inst->out.name, '@'))
			f.name = inst->out.name;
		f.file = *file ? file : NULL;
		f.reason = inst->reason;
		f.is_unproven = instance__is_unproven(inst);
		f.linkage = inst->facts.external ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC;
		push(map, f);
	}
	for (uint32_t i = 0; i < e->instances.order.nr; i++) {
		struct function *f = &map->array[e->instances.order.array[i]];

		f->btf = e->written;
		f->func_id = e->btf.first_func + i;
	}
}

static void add_symbols(struct function_map *map)
{
	const struct symbols *syms = map->syms;

	for (uint32_t i = 0; i < syms->nr_funcs; i++) {
		const struct symbol *sym = &syms->funcs[i];

		if (!i || cmp_place(sym - 1, sym) || strcmp(sym[-1].name, sym->name))
			push(map, make_function(map, sym));
	}
}

/* Find where functions are declared. */
static int find_decls(struct function_map *map, const struct encoding *e)
{
	int err;

	map->nr_decls = map->nr;
	map->decls = xcalloc(map->nr, sizeof(*map->decls));
	for (uint32_t i = 0; i < map->nr; i++)
		if (func_facts__exist(&e->instances.array[i].facts))
			map->decls[i].inst = &e->instances.array[i];
	err = decls__find(e->dw, map->decls, map->nr);
	for (uint32_t i = 0; i < map->nr && !err; i++) {
		if (!map->decls[i].file)
			continue;
		map->array[i].decl_file = text_clean(map->decls[i].file);
		map->array[i].decl_line = map->decls[i].inst->facts.decl_line;
	}
	return err;
}

/* Find out where the kernel accepts kprobes. */
static int find_verdicts(struct function_map *map)
{
	struct kprobes k __cleanup(kprobes__destroy) = {};
	int err = kprobes__read(map->syms, &k);

	if (err)
		return err;
	for_each(f, map) {
		uint64_t address = f->offset + map->text;
		int64_t patched = kprobes__patched(&k, f->section, address, f->size);

		f->inside = kprobes__verdict(&k, f->section, address);
		f->verdict = f->inside != KPROBE_INIT && kprobes__rejects(&k, f->section, address) ?
			     KPROBE_BLACKLISTED : f->inside;
		if (patched >= 0 && patched < NOT_PATCHED)
			f->patched = patched;
	}
	map->reserved = k.reserved;
	k.reserved = (struct code_table){};
	return 0;
}

/* --- FUNCs ---------------------------------------------------------------------------- */

/*
 * Find the function of a FUNC by its name and address.  A FUNC without an address needs a name
 * that no other function has.  @nr: number of functions with that name.
 */
static struct function *find_func(const struct function_map *map, const char *full, size_t len,
				  const struct btf_func *record, uint32_t *nr)
{
	const struct named_functions named = function_map__named(map, full, len);
	struct function *ret = NULL;
	uint32_t found = 0;

	*nr = 0;
	for_each(f, &named) {
		if (strncmp(f->name, full, len) || (f->name[len] && f->name[len] != '@'))
			continue;
		++*nr;
		if (record ? btf_func__offset(record) != f->offset :
			     full[len] && strcmp(f->name, full))
			continue;
		found++;
		/* offsets in several sections of a module may be equal */
		if (!ret || !strcmp(f->name, full))
			ret = &map->array[f - map->array];
	}
	return record ? ret : found == 1 && (*nr == 1 || full[len]) ? ret : NULL;
}

/*
 * pahole may call the FUNC of a clone like the source function, which has no other body.
 * Return: the clone, or NULL.
 */
static struct function *find_clone(const struct function_map *map, const char *name)
{
	const struct named_functions named = function_map__named(map, name, strlen(name));
	struct function *ret = NULL;

	for_each(f, &named) {
		if (f->kind != CODE_BODY)
			continue;
		if (ret)
			return NULL;
		ret = &map->array[f - map->array];
	}
	return ret;
}

/** struct funcs_only - FUNCs without a symbol */
struct funcs_only {
	VECTOR(struct function);
};

static void join_func(struct function_map *map, const struct btf_data *btf, uint32_t id,
		      struct funcs_only *others)
{
	const struct btf_type *t = btf_data__type(btf, id);
	const struct btf_func *record = btf_data__func(btf, id);
	const char *full = btf_data__string(btf, t->name_off);
	size_t len = strcspn(full, "@");
	const char *file = NULL;
	struct function *f;
	uint32_t nr = 0;

	if (full[len])
		file = own_name(map, xstrndup(full + len + 1, strcspn(full + len + 1, "#")));
	f = map->syms ? find_func(map, full, len, record, &nr) : NULL;
	if (!f && !nr && !record && map->syms) {
		f = find_clone(map, full);
		if (f)
			f->is_unproven = !f->func_id || f->is_unproven;
	}
	if (f)
		f->id = id;
	/* the build may have named files otherwise, with options */
	if (f && full[len]) {
		f->name = full;
		f->file = file;
	}
	if (f && !f->func_id) {
		f->btf = btf;
		f->func_id = id;
		f->reason = FUNC_ENCODED;
		f->linkage = BTF_INFO_VLEN(t->info);
	}
	/* without an address, this may be any of several functions */
	if (f || (nr && !record))
		return;
	push(others, (struct function){
		.name = full,
		.symbol = full[len] ? own_name(map, xstrndup(full, len)) : full,
		.source_len = function__source_len(full, len),
		.file = file,
		.offset = record ? btf_func__offset(record) : 0,
		/* the symbol would have the section */
		.has_offset = record && !map->is_module,
		.btf = btf, .func_id = id, .id = id, .patched = NOT_PATCHED,
		.linkage = BTF_INFO_VLEN(t->info), .is_only_func = true });
}

/* BTF of another build would have other addresses, and the ids and prototypes of other functions. */
static int check_build(const struct function_map *map, const struct input *in,
		       const struct funcs_only *others)
{
	const struct btf_data *btf = in->btf;
	const struct function *first = NULL;
	uint32_t nr = 0;
	int same;

	/* symbols may have been removed from it, since its BTF was written */
	if (!in->img || !strcmp(in->path, in->img->path))
		return 0;
	same = btf->img ? image__same_build(in->img, btf->img) : -ENOENT;
	if (!same)
		return msg_fail(-EINVAL, "%s: the BTF is of another build than %s: the build ids differ",
				in->path, in->img->path);
	for_each(f, others) {
		if (!btf_data__func(btf, f->id))
			continue;
		first = first ?: f;
		nr++;
	}
	if (same > 0 || !first || !map->has_image)
		return 0;
	return msg_fail(-EINVAL, "%s: the BTF is of another build than %s: no function %s is at offset 0x%" PRIx64 ", and %u of %u addresses in BTF are wrong",
			in->path, in->img->path, first->name, first->offset, nr, btf->nr_records);
}

static int join_btf(struct function_map *map, const struct input *in)
{
	const struct btf_data *btf = in->btf;
	struct funcs_only others = {};
	int err;

	vector__sort(map, compare_functions);
	for (uint32_t i = 0; i < btf->nr_types; i++)
		if (BTF_INFO_KIND(btf->index[i]->info) == BTF_KIND_FUNC)
			join_func(map, btf, btf->first_id + i, &others);
	err = check_build(map, in, &others);
	for_each(f, &others) {
		push(map, *f);
		map->has_all |= f->has_offset || f->file;
		map->has_offsets |= f->has_offset;
	}
	free(others.array);
	return err;
}

/* --- the map -------------------------------------------------------------------------- */

int function_map__read(struct function_map *map, struct input *in)
{
	const struct image *img = in->img;
	int err = 0;

	*map = (struct function_map){ .subject = in->path };
	if (img && image__has_bytes(img, ".debug_info")) {
		err = input__encode(in, true);
		if (err)
			return err;
		map->syms = in->encoding->syms;
		if (!image__nr_symbols(img))
			msg_warn("%s: has no symbols, so its functions are not known", in->path);
	} else if (img) {
		err = symbols__new(img, false, true, &map->own_syms);
		if (err)
			return err;
		map->syms = map->own_syms;
	}
	map->is_module = img ? img->type == ET_REL : in->btf && in->btf->base;
	/* neither of them: report that */
	if (img && !in->btf && !in->encoding && !map->syms->nr_funcs)
		err = btf_data__from_image(img, in->base, &in->btf);
	if (map->syms) {
		build_id__of(img, &map->id);
		map->text = map->syms->text_start;
		map->machine = img->machine;
		/* of an image without code, the map is complete, too */
		map->has_offsets = image__has_only_data(img) && image__nr_symbols(img);
		map->has_image = map->has_all = map->syms->nr_funcs || map->has_offsets;
		if (document__is_used())
			document__identify(function_map__head(map));
	}
	if (err)
		return err;
	if (in->encoding) {
		add_instances(map, in->encoding);
		err = find_decls(map, in->encoding);
	} else if (map->syms) {
		add_symbols(map);
	}
	if (!err && map->syms)
		err = find_verdicts(map);
	if (!err && in->btf)
		err = join_btf(map, in);
	finish_map(map);
	return err;
}

static int compare_inlined(const void *a, const void *b)
{
	const struct inlined_calls *x = a, *y = b;

	return strcmp(x->name, y->name) ?: strcmp(x->home, y->home);
}

int function_map__read_inlined(struct function_map *map, const struct input *in)
{
	struct inlined *inlined = NULL;
	uint32_t nr = 0;
	int err;

	if (map->block || map->calls.nr || !in->encoding)
		return 0;
	err = inlined__read_with_body(in->encoding->dw, in->threads, &inlined);
	if (err)
		return err;
	for_each(site, &inlined->sites)
		push(&map->calls, (struct inlined_calls){ site->name, site->home, 1 });
	vector__sort(&map->calls, compare_inlined);
	for_each(c, &map->calls) {
		struct inlined_calls *last = &map->calls.array[nr - 1];

		if (nr && !compare_inlined(last, c))
			last->nr++;
		else
			map->calls.array[nr++] = *c;
	}
	map->calls.nr = nr;
	for_each(c, &map->calls)
		c->home = own_name(map, xstrdup(c->home));
	inlined__free(inlined);
	return 0;
}

void function_map__destroy(struct function_map *map)
{
	for_each(name, &map->names)
		free(*name);
	free(map->names.array);
	decls__free(map->decls, map->nr_decls);
	symbols__free(map->own_syms);
	btf_data__free(map->own_btf);
	code_table__destroy(&map->reserved);
	if (!map->block) {
		free(map->calls.array);
		free(map->by_place.array);
		free(map->array);
	}
	free(map->block);
	*map = (struct function_map){};
}

/* --- one function --------------------------------------------------------------------- */

/*
 * Test for a place that is rejected, whatever the instruction is.  Without
 * CONFIG_KPROBES_ON_FTRACE, which arm64 lacks, ftrace's call is one.
 */
static bool is_reserved(const struct function_map *map, const struct function *func, uint64_t into)
{
	return code_table__has(&map->reserved, func->section, func->offset + map->text + into, 1) ||
	       (map->machine == EM_AARCH64 && func->patched == into);
}

/*
 * On x86-64, the kernel decodes the whole function at a kprobe that it may optimize.  It takes the padding at
 * the end of a module for a part of the last function, and may read the next page, which is not mapped.
 */
static bool may_crash(const struct function_map *map, const struct function *func, uint64_t into)
{
	const struct image *img = map->is_module && map->machine == EM_X86_64 ? map->syms->img : NULL;

	/* kprobes at ftrace's call are not optimized */
	if (!img || function_map__extent(map, func) != UINT64_MAX ||
	    (func->patched != NOT_PATCHED && (!into || into == func->patched)))
		return false;
	for (size_t i = func->section + 1; i < img->nr_sections; i++)
		if (img->sections[i].flags & SHF_EXECINSTR && img->sections[i].size &&
		    strncmp(img->sections[i].name, ".init", 5))
			return false;
	return true;
}

static struct kprobe_answer find_answer(const struct function_map *map, const struct function *func,
					uint64_t into, const struct instructions *ins)
{
	static const char *const reasons[] = {
		[INSN_NO_START] = "no instruction starts there",
		[INSN_REJECTED] = "kprobes cannot replace this instruction",
		[INSN_UNKNOWN] = "kprobes may not be able to replace this instruction",
	};
	struct insn_place place = {};

	if (!into)
		return (struct kprobe_answer){ .verdict = func->verdict };
	if (func->inside == KPROBE_BLACKLISTED || func->inside == KPROBE_INIT)
		return (struct kprobe_answer){ .verdict = func->inside };
	if (is_reserved(map, func, into))
		place = (struct insn_place){ .verdict = INSN_REJECTED,
			.what = "one that the kernel patches or looks up by address" };
	else if (!ins)
		return (struct kprobe_answer){ KPROBE_UNKNOWN,
			.why = "there is no image with the instruction" };
	else
		place = instructions__check(ins, func->section, func->offset + map->text, into);
	return (struct kprobe_answer){
		.verdict = place.verdict == INSN_ACCEPTED ? func->inside :
			   place.verdict != INSN_UNKNOWN ? KPROBE_INSTRUCTION :
			   func->inside == KPROBE_ACCEPTED ? KPROBE_UNKNOWN : func->inside,
		.why = reasons[place.verdict], .what = place.what };
}

struct kprobe_answer function_map__verdict(const struct function_map *map,
					   const struct function *func, uint64_t into,
					   const struct instructions *ins)
{
	struct kprobe_answer ret = find_answer(map, func, into, ins);

	if (ret.verdict == KPROBE_ACCEPTED && may_crash(map, func, into))
		ret = (struct kprobe_answer){
			KPROBE_UNKNOWN,
			.why = "the kernel may crash, because it also decodes the padding after a module's last function" };
	return ret;
}

json_t *function__flags_json(const struct function *func)
{
	const char *flag = kprobe_verdict__flag(func->verdict);
	json_t *flags = json_array();

	if (flag)
		json_array_append_new(flags, json_string(flag));
	if (func->is_unproven)
		json_array_append_new(flags, json_string("clone"));
	return flags;
}

char *function_map__counts(const struct function_map *map)
{
	uint32_t kinds[NR_CODE_KINDS] = {}, proven = 0, clones = 0, names = 0, shared = 0;
	const struct function *last = NULL;
	char *text = NULL;

	for_each(f, map) {
		kinds[f->kind]++;
		if (f->kind != CODE_BODY)
			continue;
		proven += f->func_id && !f->is_unproven;
		clones += f->is_unproven;
		shared += f->is_shared;
		names += f->is_shared && (!last || !same_source(last, f));
		last = f;
	}
	xappend(&text, "%u functions: %u with a proven prototype, %u with their source's prototype (clone), %u without a prototype",
		kinds[CODE_BODY], proven, clones, kinds[CODE_BODY] - proven - clones);
	if (kinds[CODE_PART])
		xappend(&text, "; and %u parts of functions (.part, .cold), which --all lists",
			kinds[CODE_PART]);
	xappend(&text, ".\n%u functions share %u name%s.", shared, names, names == 1 ? "" : "s");
	return text;
}
