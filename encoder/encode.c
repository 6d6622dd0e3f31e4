// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <time.h>

#include "btf/distill.h"
#include "btf/match.h"
#include "encode.h"
#include "functions/proto.h"
#include "functions/source_tree.h"
#include "functions/variables.h"
#include "image/relocate.h"
#include "types/fit.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

static uint64_t read_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Add the time since the last step to this one. */
static void end_step(struct encoding *e, enum encode_step step)
{
	uint64_t now = read_clock();

	e->nanoseconds[step] += now - e->step_start;
	e->step_start = now;
}

/* --- opening: the symbols, and where the units are ------------------------------ */

/* Find the units, including assembly ones, whose functions' names are needed before the rest. */
static int open_units(struct encoding *e)
{
	int err = dwarf__open(e->img, &e->dw);

	for (uint32_t i = 0; !err && i < e->dw->nr_units; i++)
		e->dw->units[i].assembler = unit__is_assembler(e->dw, &e->dw->units[i]);
	return err;
}

/* Read the symbols, and derive the options that depend on them. */
static int open_symbols(struct encoding *e)
{
	struct encode_options *opts = &e->opts;
	int err = symbols__new(e->img, opts->load.global_vars, opts->func.unproven, &e->syms);

	if (err)
		return err;
	if (!opts->from_btf)
		table__expect(&e->names, e->syms->nr_funcs);
	for (uint32_t i = 0; i < e->syms->nr_funcs && !opts->from_btf; i++) {
		const struct symbol *sym = &e->syms->funcs[i];

		names__add(&e->names, hash_bytes(sym->name, sym->base_len));
	}
	opts->func.address &= e->img->type == ET_REL ? !!image__reloc_type(e->img) :
						       e->syms->has_text;
	opts->load.kfuncs &= opts->load.decl_tags;
	opts->load.proven = opts->func.address;
	opts->load.of_source = opts->func.unproven;
	opts->load.true_signature = opts->func.true_signature;
	return 0;
}

static int open_part(void *arg, unsigned int thread, uint32_t part)
{
	return part ? open_units(arg) : open_symbols(arg);
}

int encode__open(const struct image *img, const struct encode_options *opts, struct encoding *ret)
{
	const uint32_t *fentry;
	uint32_t nr;
	int err;

	*ret = (struct encoding){ .img = img, .opts = *opts, .step_start = read_clock() };
	/* the parts use different sections, unless relocations refer to symbols */
	err = jobs__each(img->type != ET_REL ? opts->threads : 1, opts->from_btf ? 1 : 2, open_part,
			 ret);
	if (!err && ret->dw) {
		fentry = symbols__named(ret->syms, "__fentry__", &nr);
		ret->dw->fentry = nr ? ret->syms->funcs[*fentry].address : 0;
	}
	end_step(ret, STEP_OPEN);
	return err;
}

/* --- reading units ----------------------------------------------------------------- */

struct unit_worker {
	struct loader	loader;
	uint64_t	walk, hash;
};

struct unit_team {
	struct encoding		*e;
	struct unit_worker	*workers;
};

static int read_group(struct unit_worker *w, uint32_t first)
{
	uint64_t start = read_clock(), walked;
	int err;

	err = loader__read(&w->loader, first, dwarf__group_size(w->loader.dw, first));
	walked = read_clock();
	w->walk += walked - start;
	err = err ?: loader__intern(&w->loader, NULL);
	w->hash += read_clock() - walked;
	return err;
}

static int do_unit(void *arg, unsigned int thread, uint32_t unit)
{
	struct unit_team *team = arg;
	const struct dwarf *dw = team->e->dw;
	int err = dw->units[unit].group == unit ? read_group(&team->workers[thread], unit) : 0;

	if (!(unit & 15) && team->e->opts.progress)
		msg_progress("units", unit, dw->nr_units);
	return err;
}

/* Merge the stores and lists of all workers into those of the first. */
static int gather_workers(struct encoding *e, struct unit_worker *workers, unsigned int nr)
{
	uint32_t *map, *strings;
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr; i++) {
		e->nanoseconds[STEP_WALK] += workers[i].walk;
		e->nanoseconds[STEP_HASH] += workers[i].hash;
		store__add_counts(&workers[i].loader.store);
		loader__trim(&workers[i].loader);
	}
	for (i = 1; !err && i < nr; i++) {
		err = store__merge(&workers[0].loader.store, &workers[i].loader.store,
				   &map, &strings);
		if (err)
			break;
		err = observed__merge(&workers[0].loader.observed, &workers[i].loader.observed,
				      map, strings);
		free(map);
		free(strings);
		loader__destroy(&workers[i].loader);
	}
	return err;
}

static int run_team(struct encoding *e, struct unit_worker *workers, unsigned int nr)
{
	struct unit_team team = { .e = e, .workers = workers };
	int err;

	for (unsigned int i = 0; i < nr; i++) {
		workers[i] = (struct unit_worker){};
		loader__init(&workers[i].loader, e->dw, &e->names, &e->assembler, &e->opts.load);
		loader__expect(&workers[i].loader);
	}
	err = jobs__each(nr, e->dw->nr_units, do_unit, &team);
	if (e->opts.progress)
		msg_progress("units", e->dw->nr_units, e->dw->nr_units);
	return err;
}

/* --- names with conflicting definitions --------------------------------------------- */

/* Return: by unit, for the first unit of each group: whether it must be read again. */
static bool *find_affected(struct encoding *e, const struct loader *l, const struct conflicts *c)
{
	const struct observed *o = &l->observed;
	bool *affected = xcalloc(e->dw->nr_units + 1, sizeof(*affected));

	for_each(u, &o->units) {
		bool last = u + 1 == o->units.array + o->units.nr;
		uint32_t i = u->start, end = last ? o->named.nr : u[1].start;

		while (i < end && !conflicts__has(c, o->named.array[i]))
			i++;
		affected[u->unit] = i < end;
	}
	return affected;
}

/* Drop the entries of units that are read again. */
#define forget(list, unit_of)								\
({											\
	uint32_t nr_ = 0;								\
											\
	for_each(entry, list)								\
		if (!affected[e->dw->units[entry->unit_of].group])			\
			(list)->array[nr_++] = *entry;					\
	(list)->nr = nr_;								\
})

static int resolve_conflicts(struct encoding *e, struct loader *l)
{
	struct conflicts c __cleanup(conflicts__destroy) = {};
	bool *affected __cleanup(free_pointer) = NULL;
	int err = conflicts__find(&c, &l->store);

	e->conflicts = c.nr;
	if (err || !c.nr)
		return err;
	affected = find_affected(e, l, &c);
	forget(&l->observed.bodies, facts.unit);
	forget(&l->observed.vars, unit);
	forget(&l->observed.tags, unit);
	for (uint32_t i = 0; !err && i < e->dw->nr_units; i++) {
		if (!affected[i])
			continue;
		e->reread += dwarf__group_size(e->dw, i);
		err = loader__read(l, i, dwarf__group_size(e->dw, i));
		err = err ?: loader__intern(l, &c);
	}
	return err;
}

/* Remove types that BTF cannot represent, with one warning for each reason. */
static void fit_types(struct encoding *e)
{
	struct fit fit __cleanup(fit__destroy) = {};
	uint32_t empty = 0;

	store__fit(&e->store, &fit);
	observed__fit(&e->observed, &fit);
	for (uint32_t i = 0; e->dw && i < e->dw->nr_units; i++)
		empty += unit__is_empty(e->dw, &e->dw->units[i]);
	if (empty)
		msg_warn("%s: %u compile units are empty", e->img->path, empty);
	for (enum misfit m = 0; m < NR_MISFITS; m++)
		if (fit.nr[m])
			msg_warn("%s: BTF cannot represent %u %s: they, and what needs them, are omitted or only declared",
				 e->img->path, fit.nr[m], misfit__text(m));
}

/* Read all units, resolve conflicting definitions, and fit the types. */
static int read_units(struct encoding *e)
{
	unsigned int nr = e->opts.threads;
	struct unit_worker *workers;
	unsigned int i;
	int err;

	if (nr > e->dw->nr_units)
		nr = e->dw->nr_units;
	workers = xcalloc(nr, sizeof(*workers));
	err = run_team(e, workers, nr);
	if (err == -EAGAIN) {
		for (i = 0; i < nr; i++)
			loader__destroy(&workers[i].loader);
		e->dw->empty_names = true;
		err = run_team(e, workers, nr);
	}
	/* the workers have measured their steps */
	e->step_start = read_clock();
	err = err ?: gather_workers(e, workers, nr);
	end_step(e, STEP_MERGE);
	err = err ?: resolve_conflicts(e, &workers[0].loader);
	end_step(e, STEP_CONFLICTS);
	if (!err) {
		/* the loader must not free these */
		e->store = workers[0].loader.store;
		e->observed = workers[0].loader.observed;
		observed__trim(&e->observed);
		memset(&workers[0].loader.store, 0, sizeof(e->store));
		memset(&workers[0].loader.observed, 0, sizeof(e->observed));
	}
	while (nr-- > 0)
		loader__destroy(&workers[nr].loader);
	free(workers);
	if (!err)
		fit_types(e);
	return err;
}

/* --- loading ----------------------------------------------------------------- */

/*
 * Assemblers describe functions without prototypes: note their names, as only their
 * declarations in other units are needed.
 */
static int find_assembler(struct encoding *e)
{
	struct loader l = {};
	int err = 0;

	for (uint32_t i = 0; !err && i < e->dw->nr_units; i++) {
		if (!e->dw->units[i].assembler)
			continue;
		if (!l.dw)
			loader__init(&l, e->dw, &e->names, &e->assembler, &e->opts.load);
		err = loader__read(&l, i, 1);
		for_each(func, &l.records.funcs) {
			uint32_t name = l.records.recs.array[func->rec].name;

			if (!err && func->body && name)
				names__add(&e->assembler, l.store.strings.array[name].hash);
		}
	}
	if (l.dw)
		loader__destroy(&l);
	return err;
}

/* Names of a kernel's units take a megabyte; this limits the cost of malformed ones. */
#define MAX_UNIT_NAMES	(64UL << 20)

static int check_unit_names(const struct dwarf *dw)
{
	size_t size = 0;

	for (uint32_t i = 0; i < dw->nr_units; i++) {
		const struct unit *u = &dw->units[i];

		size += strlen(u->name ?: "") + strlen(u->comp_dir ?: "");
		if (size > MAX_UNIT_NAMES)
			return unit__error(dw, u, u->start,
					   "names of units take more than 64 MiB");
	}
	return 0;
}

/*
 * Find the file of each unit, as it is called in the source tree.  All units must have been read,
 * because the root of the tree is derived from their names.
 */
static void name_files(struct encoding *e)
{
	struct source_tree tree __cleanup(source_tree__destroy) = {
		.prefixes = e->opts.prefixes.array, .nr_prefixes = e->opts.prefixes.nr,
	};

	e->nr_units = e->dw ? e->dw->nr_units : e->input.units.nr;
	e->files = xcalloc(e->nr_units + 1, sizeof(*e->files));
	if (e->dw)
		source_tree__find(&tree, e->dw);
	for (uint32_t i = 0; i < e->nr_units; i++) {
		const struct unit *u = e->dw ? &e->dw->units[i] : NULL;

		if (u)
			e->files[i] = source_tree__path(&tree, u->name ?: "", u->comp_dir);
		/* files in BTF have lost their prefixes already; options may name others */
		else if (tree.nr_prefixes)
			e->files[i] = source_tree__path(&tree, e->input.units.array[i], NULL);
		else
			e->files[i] = xstrdup(e->input.units.array[i]);
		/* users select functions by these, for which FUNCs would be omitted */
		if (e->opts.func.unproven)
			text_plain(e->files[i], "");
	}
}

static int load_dwarf(struct encoding *e)
{
	int err = e->opts.load.proven ? find_assembler(e) : 0;

	end_step(e, STEP_OPEN);
	if (err)
		return err;
	err = read_units(e);
	err = err ?: check_unit_names(e->dw);
	if (!err)
		name_files(e);
	return err;
}

static int load_btf(struct encoding *e)
{
	int err;

	store__init(&e->store);
	err = from_btf__read(e->img, e->syms, e->opts.base, &e->opts.load, &e->input, &e->store,
			     &e->observed);
	if (!err) {
		name_files(e);
		err = funcs_read__join(&e->input.funcs, e->syms, &e->observed, &e->store,
				       e->input.units.array);
	}
	end_step(e, STEP_WALK);
	return err;
}

int encode__load(struct encoding *e)
{
	const struct encode_options *opts = &e->opts;
	struct decision d = { .syms = e->syms, .seen = &e->observed, .store = &e->store,
			      .read = opts->from_btf ? &e->input.funcs : NULL,
			      .ftrace = &e->ftrace, .opts = &opts->func };
	int err;

	if (e->dw && !e->dw->nr_units)
		return msg_fail(-EINVAL, "%s: no debug information (.debug_info): build with -g",
				e->img->path);
	err = opts->from_btf ? load_btf(e) : load_dwarf(e);
	if (!err && opts->load.kfuncs)
		err = kfuncs__read(&e->kfuncs, e->syms);
	if (!err && opts->func.address && opts->func.files)
		err = ftrace__read(e->syms, &e->ftrace);
	d.files = e->files;
	err = err ?: instances__decide(&e->instances, &d);
	end_step(e, STEP_FUNCTIONS);
	return err;
}

/* --- data for the writer ------------------------------------------------------------- */

static void tag_func(struct btf_out *out, const char *value, uint32_t place)
{
	push(&out->tags, (struct out_tag){ .value = value, .on = TAG_ON_FUNC, .target = place,
					   .component = -1 });
}

/* Add kfuncs' tags, and attributes to their prototypes. */
static int add_kfuncs(struct encoding *e, struct btf_out *out)
{
	const struct instances *in = &e->instances;
	/* by symbol: the place of its FUNC, starting at 1 */
	uint32_t *places __cleanup(free_pointer) = xcalloc(e->syms->nr_funcs + 1, sizeof(*places));

	for (uint32_t i = 0; i < in->order.nr; i++)
		if (in->array[in->order.array[i]].sym)
			places[in->array[in->order.array[i]].sym - e->syms->funcs] = i + 1;
	for_each(k, &e->kfuncs) {
		uint32_t place = k->sym ? places[k->sym - e->syms->funcs] : 0;
		struct func_facts *facts;
		int64_t proto;

		if (!place)
			continue;
		tag_func(out, "bpf_kfunc", place - 1);
		if (k->flags & KF_FASTCALL)
			tag_func(out, "bpf_fastcall", place - 1);
		if (!e->opts.load.attributes)
			continue;
		facts = &in->array[in->order.array[place - 1]].facts;
		proto = proto__with_arena(&e->store, facts->proto, k->flags);
		if (proto < 0)
			return proto;
		facts->proto = proto;
	}
	return 0;
}

/**
 * struct origin - where a function or variable is from
 * @key:	unit << 32 | DIE
 * @place:	its position in the output
 */
struct origin {
	enum tag_on	on;
	uint64_t	key;
	uint32_t	place;
};

static int compare_origins(const void *x, const void *y)
{
	const struct origin *a = x, *b = y;

	return cmp_int(a->on, b->on) ?: cmp_int(a->key, b->key);
}

/* A prototype may lack parameters of the source.  Test whether this one still has its number. */
static bool has_param(const struct encoding *e, const struct tag_seen *t, uint32_t place)
{
	const struct node *nodes = e->store.nodes, *proto;

	if (!t->param)
		return true;
	proto = &nodes[e->instances.array[e->instances.order.array[place]].facts.proto];
	return (uint32_t)t->component < proto->nr_children &&
	       e->store.children[proto->child + t->component].name == t->param;
}

static void collect_tags(const struct encoding *e, struct btf_out *out)
{
	const struct instances *in = &e->instances;
	VECTOR(struct origin) origins = {};

	if (!e->observed.tags.nr)
		return;
	for_each(at, &in->order) {
		const struct func_facts *f = &in->array[*at].facts;
		uint64_t key = (uint64_t)f->unit << 32 | f->die;

		if (f->die)
			push(&origins, (struct origin){ TAG_ON_FUNC, key, at - in->order.array });
	}
	for_each(var, &out->vars)
		push(&origins, (struct origin){ TAG_ON_VAR, var->origin, var - out->vars.array });
	vector__sort(&origins, compare_origins);
	for_each(t, &e->observed.tags) {
		struct out_tag tag = { .value = e->store.strings.array[t->value].s,
				       .on = t->on, .target = t->target,
				       .component = t->component, .attribute = t->attribute };
		struct origin key = { .on = t->on, .key = t->target }, *at;

		if (t->on != TAG_ON_TYPE) {
			at = origins.nr ? bsearch(&key, origins.array, origins.nr, sizeof(key),
						  compare_origins) : NULL;
			if (!at || (t->on == TAG_ON_FUNC && !has_param(e, t, at->place)))
				continue;
			tag.target = at->place;
		}
		push(&out->tags, tag);
	}
	free(origins.array);
}

static void collect_funcs(const struct encoding *e, struct btf_out *out)
{
	const struct instances *in = &e->instances;
	bool has_relocs = e->img->type == ET_REL && e->opts.func.address;

	for_each(at, &in->order) {
		const struct instance *inst = &in->array[*at];

		push(&out->funcs, (struct out_func){
			.name = inst->name, .proto = inst->facts.proto, .offset = inst->offset,
			.record = e->opts.func.address && inst->in_core_text,
			.linkage = inst->facts.external && !e->opts.func.pahole ?
				   BTF_FUNC_GLOBAL : BTF_FUNC_STATIC,
			/* the symbol identifies the section */
			.symbol = has_relocs ? inst->sym->index : 0 });
	}
}

/* --- writing ---------------------------------------------------------------------- */

/*
 * Check the result like its readers do.  Malformed DWARF, such as a void member or a name
 * with a blank, may only be detected by the rules of BTF, and kernels reject all BTF that
 * breaks them.
 */
static int verify_written(struct encoding *e)
{
	const struct btf_data *base = e->opts.base ? e->opts.base->btf : NULL;
	struct btf_data *distilled = NULL;
	int err = 0;

	if (e->btf.base)
		err = btf_data__parse(e->btf.base, e->btf.base_size, e->img->path, NULL,
				      &distilled, NULL);
	err = err ?: btf_data__parse(e->btf.bytes, e->btf.size, e->img->path, distilled ?: base,
				     &e->written, NULL);
	if (err == -EINVAL)
		msg_error("%s: its %s results in BTF that no kernel would accept", e->img->path,
			  e->opts.from_btf ? "BTF" : "debug information");
	if (err)
		btf_data__free(distilled);
	else
		e->written->owned_base = distilled;
	return err;
}

/* From here on, references by name lead to their definitions. */
static int resolve_references(struct encoding *e)
{
	uint32_t *primaries __cleanup(free_pointer) = NULL;
	int err = store__resolve_names(&e->store, &primaries);

	if (err)
		return err;
	for_each(var, &e->observed.vars)
		if (!(e->store.nodes[var->type].flags & TYPE_VARIANT))
			var->type = primaries[var->type];
	return 0;
}

static int collect_output(struct encoding *e, struct btf_out *out)
{
	int err = add_kfuncs(e, out);

	err = err ?: resolve_references(e);
	err = err ?: variables__decide(&e->variables, e->syms, &e->observed, &e->store, e->files,
				       e->opts.force);
	if (err)
		return err;
	for_each(var, &e->variables)
		if (!var->reason)
			push(&out->vars, var->out);
	collect_funcs(e, out);
	collect_tags(e, out);
	/* split BTF has the ids of types that the base has */
	if (e->input.is_split && out->base)
		out->base_ids = from_btf__base_ids(&e->input, e->store.nr_nodes);
	else if (out->base)
		err = match_base(out->base, &e->store, &out->base_ids);
	/* the input is on the same base */
	if (e->input.parts.nr == 1 && e->input.is_split == !!out->base)
		out->like = e->input.parts.array[0].btf;
	return err;
}

static int write_output(struct encoding *e, const struct btf_out *out)
{
	int err = btf_out__write(out, &e->btf);

	if (!err && e->btf.nr_renamed)
		msg_warn("%s: %u names are not identifiers: other characters are replaced with \"_\"",
			 e->img->path, e->btf.nr_renamed);
	if (!err && e->btf.nr_cut)
		msg_warn("%s: %u names are longer than 511 bytes: they are cut", e->img->path,
			 e->btf.nr_cut);
	if (!err && e->opts.distill)
		err = distill__base(out->base, &e->btf);
	return err;
}

int encode__write(struct encoding *e)
{
	struct btf_out out __cleanup(btf_out__destroy) = {
		.store = &e->store, .base = e->opts.base, .layout = e->opts.layout,
		.big_endian = e->img->big_endian };
	int err = collect_output(e, &out);

	end_step(e, STEP_FUNCTIONS);
	err = err ?: write_output(e, &out);
	end_step(e, STEP_WRITE);
	err = err ?: verify_written(e);
	end_step(e, STEP_VERIFY);
	return err;
}

const char *encoding__file(const struct encoding *e, uint32_t unit)
{
	return unit < e->nr_units ? e->files[unit] : "";
}

void encoding__free(struct encoding *e)
{
	for (uint32_t i = 0; i < e->nr_units && e->files; i++)
		free(e->files[i]);
	free(e->files);
	btf_data__free(e->written);
	btf_bytes__destroy(&e->btf);
	code_table__destroy(&e->ftrace);
	instances__destroy(&e->instances);
	decided_vars__destroy(&e->variables);
	kfuncs__destroy(&e->kfuncs);
	observed__destroy(&e->observed);
	store__destroy(&e->store);
	from_btf__destroy(&e->input);
	dwarf__close(e->dw);
	table__destroy(&e->names);
	table__destroy(&e->assembler);
	symbols__free(e->syms);
	*e = (struct encoding){};
}
