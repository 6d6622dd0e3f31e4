// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <stdatomic.h>
#include <time.h>

#include "btf/distill.h"
#include "btf/match.h"
#include "btf/order.h"
#include "encode.h"
#include "functions/arena.h"
#include "functions/names.h"
#include "functions/source_tree.h"
#include "functions/variables.h"
#include "types/fit.h"
#include "util/grow.h"
#include "util/jobserver.h"
#include "util/msg.h"

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void note_time(struct encoding *e, enum encode_step step, uint64_t *start)
{
	uint64_t end = now();

	e->nanoseconds[step] += end - *start;
	*start = end;
}

/* --- reading: threads share the units out ------------------------------------ */

/**
 * struct team - the threads and what they share
 * @next:	first unit that nobody has taken yet
 * @err:	first error; ends the work of all
 */
struct team {
	struct encoding	*e;
	atomic_uint	next;
	atomic_int	err;
};

struct worker {
	struct team	*team;
	struct loader	loader;
	uint64_t	walk, hash;
};

static int read_group(struct worker *w, uint32_t first)
{
	uint64_t start = now(), walked;
	int err;

	err = loader__read(&w->loader, first, dwarf__group_size(w->team->e->dw, first));
	walked = now();
	w->walk += walked - start;
	err = err ?: loader__intern(&w->loader, first, NULL);
	w->hash += now() - walked;
	return err;
}

static void work(void *workers, unsigned int number)
{
	struct worker *w = (struct worker *)workers + number;
	struct team *team = w->team;
	const struct dwarf *dw = team->e->dw;
	uint32_t i;
	int err = 0, none = 0;

	while (!err && !atomic_load(&team->err)) {
		i = atomic_fetch_add(&team->next, 1);
		if (i >= dw->nr_units)
			break;
		if (dw->units[i].group == i)
			err = read_group(w, i);
		if (!(i & 15) && team->e->opts->progress)
			msg_progress("units", i, dw->nr_units);
	}
	if (err)
		atomic_compare_exchange_strong(&team->err, &none, err);
}

/* Put all workers' stores and lists into the first one's, and take those. */
static int gather(struct encoding *e, struct worker *workers, unsigned int nr)
{
	uint32_t *map, *strings;
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr; i++) {
		e->nanoseconds[STEP_WALK] += workers[i].walk;
		e->nanoseconds[STEP_HASH] += workers[i].hash;
		store__settle(&workers[i].loader.store);
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

/* The other workers' memory is freed; the first one's loader is left to the caller. */
static int run_team(struct encoding *e, struct worker *workers, unsigned int nr)
{
	struct team team = { .e = e };
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < nr; i++) {
		workers[i] = (struct worker){ .team = &team };
		err = loader__init(&workers[i].loader, e->dw, &e->names, &e->assembler,
				   &e->opts->load);
	}
	if (!err)
		jobs__run(nr, work, workers);
	if (e->opts->progress)
		msg_progress("units", e->dw->nr_units, e->dw->nr_units);
	return err ?: atomic_load(&team.err);
}

/* --- names with several contents --------------------------------------------- */

/* By unit, of those that are the first of their group. */
static bool *find_affected(struct encoding *e, const struct loader *l, const struct conflicts *c)
{
	const struct observed *o = &l->observed;
	bool *affected = calloc(e->dw->nr_units + 1, sizeof(*affected));
	bool *has = calloc(l->store.nr_nodes, sizeof(*has));
	uint32_t i, k;

	if (!affected || !has) {
		free(affected);
		free(has);
		return NULL;
	}
	for (i = 1; i < l->store.nr_nodes; i++)
		has[i] = conflicts__has(c, &l->store, &l->store.nodes[i]);
	for (i = 0; i < o->nr_units; i++) {
		const struct unit_named *u = &o->unit_named[i];

		for (k = u->start; k < u->start + u->nr; k++) {
			if (!has[o->named[k]])
				continue;
			affected[u->unit] = true;
			break;
		}
	}
	free(has);
	return affected;
}

/* Forget what the units that are read again said. */
static void forget(struct observed *o, const struct dwarf *dw, const bool *affected)
{
	uint32_t i, nr;

	for (i = nr = 0; i < o->nr_bodies; i++)
		if (!affected[dw->units[o->bodies[i].unit].group])
			o->bodies[nr++] = o->bodies[i];
	o->nr_bodies = nr;
	for (i = nr = 0; i < o->nr_vars; i++)
		if (!affected[dw->units[o->vars[i].unit].group])
			o->vars[nr++] = o->vars[i];
	o->nr_vars = nr;
	for (i = nr = 0; i < o->nr_tags; i++)
		if (!affected[dw->units[o->tags[i].unit].group])
			o->tags[nr++] = o->tags[i];
	o->nr_tags = nr;
}

static int settle_conflicts(struct encoding *e, struct loader *l)
{
	struct conflicts c = {};
	bool *affected;
	uint32_t i;
	int err;

	err = conflicts__find(&c, &l->store);
	if (err || !c.keys.nr)
		return err;
	e->conflicts = c.keys.nr;
	affected = find_affected(e, l, &c);
	err = affected ? 0 : -ENOMEM;
	if (affected)
		forget(&l->observed, e->dw, affected);
	for (i = 0; !err && i < e->dw->nr_units; i++) {
		if (!affected[i])
			continue;
		e->reread += dwarf__group_size(e->dw, i);
		err = loader__read(l, i, dwarf__group_size(e->dw, i));
		err = err ?: loader__intern(l, i, &c);
	}
	free(affected);
	conflicts__destroy(&c);
	return err;
}

static int read_units(struct encoding *e)
{
	unsigned int nr = e->opts->threads ?: 1;
	uint64_t start = now();
	struct worker *workers;
	int err;

	if (nr > e->dw->nr_units)
		nr = e->dw->nr_units ?: 1;
	workers = calloc(nr, sizeof(*workers));
	if (!workers)
		return -ENOMEM;
	err = run_team(e, workers, nr);
	start = now();
	err = err ?: gather(e, workers, nr);
	note_time(e, STEP_MERGE, &start);
	err = err ?: settle_conflicts(e, &workers[0].loader);
	note_time(e, STEP_CONFLICTS, &start);
	if (!err) {
		/* the loader keeps nothing of these */
		e->store = workers[0].loader.store;
		e->observed = workers[0].loader.observed;
		memset(&workers[0].loader.store, 0, sizeof(e->store));
		memset(&workers[0].loader.observed, 0, sizeof(e->observed));
	}
	while (nr-- > 0)
		loader__destroy(&workers[nr].loader);
	free(workers);
	return err;
}

/* --- loading ----------------------------------------------------------------- */

/* Names of units of a kernel take a megabyte; this bounds what lies about them cost. */
#define MAX_UNIT_NAMES	(64UL << 20)

static int check_unit_names(const struct dwarf *dw)
{
	size_t size = 0;
	uint32_t i;

	for (i = 0; i < dw->nr_units; i++) {
		const struct unit *u = &dw->units[i];

		size += strlen(u->name ?: "") + strlen(u->comp_dir ?: "");
		if (size > MAX_UNIT_NAMES)
			return unit__error(dw, u, u->start,
					   "names of units take more than 64 MiB");
	}
	return 0;
}

static int name_files(struct encoding *e)
{
	struct source_tree tree = { .prefixes = e->opts->prefixes,
				    .nr_prefixes = e->opts->nr_prefixes };
	uint32_t i;
	int err = check_unit_names(e->dw);

	if (err)
		return err;
	e->nr_units = e->dw->nr_units;
	e->files = calloc(e->nr_units + 1, sizeof(*e->files));
	err = e->files ? source_tree__find(&tree, e->dw) : -ENOMEM;
	for (i = 0; !err && i < e->nr_units; i++) {
		const struct unit *u = &e->dw->units[i];

		e->files[i] = source_tree__path(&tree, u->name ?: "", u->comp_dir);
		err = e->files[i] ? 0 : -ENOMEM;
	}
	source_tree__destroy(&tree);
	return err;
}

/*
 * Functions that assemblers describe have no prototype there: their declarations in
 * other units are wanted, and only theirs.
 */
static int find_assembler(struct encoding *e)
{
	struct loader l = {};
	uint32_t i, k;
	int err = 0;

	for (i = 0; !err && i < e->dw->nr_units; i++) {
		if (!unit__is_assembler(e->dw, &e->dw->units[i]))
			continue;
		if (!l.dw)
			err = loader__init(&l, e->dw, &e->names, &e->assembler, &e->opts->load);
		err = err ?: loader__read(&l, i, 1);
		for (k = 0; !err && k < l.records.nr_funcs; k++) {
			const struct func_rec *func = &l.records.funcs[k];
			uint32_t name = l.records.recs[func->rec].name;

			if (func->body && name)
				err = names__add(&e->assembler, &l.store.strings.array[name]);
		}
	}
	if (l.dw)
		loader__destroy(&l);
	return err;
}

/* Functions, variables and tags of types that are not there any more. */
static void fit_observed(struct observed *o, const struct fit *fit)
{
	uint32_t i, nr;

	for (i = 0; i < o->nr_bodies; i++) {
		if (fit->fates[o->bodies[i].proto] == FATE_GONE)
			o->bodies[i].doubts |= DOUBT_MISFIT;
		if (fit->fates[o->bodies[i].proven] == FATE_GONE)
			o->bodies[i].proven = 0;
	}
	for (i = 0; i < o->nr_mentions; i++)
		if (fit->fates[o->mentions[i].proto] == FATE_GONE)
			o->mentions[i].doubts |= DOUBT_MISFIT;
	for (i = 0; i < o->nr_vars; i++)
		if (fit->fates[o->vars[i].type] == FATE_GONE)
			o->vars[i].type = 0;
	for (i = nr = 0; i < o->nr_tags; i++) {
		const struct tag_seen *t = &o->tags[i];
		enum fate fate = t->on == TAG_ON_TYPE ? fit->fates[t->target] : FATE_KEPT;

		if (fate == FATE_KEPT || (fate == FATE_SHRUNK && t->component < 0))
			o->tags[nr++] = *t;
	}
	o->nr_tags = nr;
}

/* What BTF cannot hold costs itself, and is said once for each kind of it. */
static int fit_types(struct encoding *e)
{
	struct fit fit;
	enum misfit m;
	int err;

	err = store__fit(&e->store, &fit);
	if (err)
		return err;
	fit_observed(&e->observed, &fit);
	for (m = 0; m < NR_MISFITS; m++)
		if (fit.nr[m])
			msg_warn("%s: BTF cannot hold %u %s: they are left out, with what needs them, or only declared",
				 e->img->path, fit.nr[m], misfit__text(m));
	fit__destroy(&fit);
	return 0;
}

static int load_dwarf(struct encoding *e)
{
	uint64_t start = now();
	int err;

	err = names__init(&e->names, e->syms);
	err = err ?: dwarf__open(e->img, &e->dw);
	if (!err && e->opts->load.proven)
		err = find_assembler(e);
	note_time(e, STEP_OPEN, &start);
	if (err)
		return err;
	err = read_units(e);
	err = err ?: fit_types(e);
	return err ?: name_files(e);
}

/* Files that BTF names have lost their prefixes already; there may be others to cut off. */
static int name_input_files(struct encoding *e)
{
	const struct source_tree tree = { .prefixes = e->opts->prefixes,
					  .nr_prefixes = e->opts->nr_prefixes };
	const struct from_btf *in = &e->input;
	uint32_t i;

	e->nr_units = in->nr_units;
	e->files = calloc(e->nr_units + 1, sizeof(*e->files));
	for (i = 0; e->files && i < e->nr_units; i++) {
		e->files[i] = tree.nr_prefixes ? source_tree__path(&tree, in->units[i], NULL) :
			      strdup(in->units[i]);
		if (!e->files[i])
			return -ENOMEM;
	}
	return e->files ? 0 : -ENOMEM;
}

static int load_btf(struct encoding *e)
{
	uint64_t start = now();
	int err;

	err = store__init(&e->store);
	err = err ?: from_btf__read(e->img, e->syms, e->opts->base, &e->opts->load, &e->input,
				    &e->store, &e->observed);
	err = err ?: name_input_files(e);
	err = err ?: funcs_read__join(&e->input.funcs, e->syms, &e->observed, &e->store,
				       e->input.units);
	note_time(e, STEP_WALK, &start);
	return err;
}

int encode__load(const struct image *img, const struct encode_options *opts,
		 struct encoding *ret)
{
	struct encoding *e = ret;
	uint64_t start = now();
	int err;

	memset(e, 0, sizeof(*e));
	e->img = img;
	e->opts = opts;
	err = symbols__new(img, &e->syms);
	note_time(e, STEP_OPEN, &start);
	if (!err)
		err = opts->from_btf ? load_btf(e) : load_dwarf(e);
	start = now();
	if (!err && opts->kfuncs)
		err = kfuncs__read(&e->kfuncs, e->syms);
	err = err ?: instances__decide(&e->instances, e->syms, &e->observed, &e->store,
				       &opts->func);
	err = err ?: instances__name(&e->instances, e->syms, e->files, &opts->func);
	if (!err && opts->from_btf)
		err = funcs_read__settle(&e->input.funcs, e->syms, &e->store, &opts->func,
					 &e->instances);
	note_time(e, STEP_FUNCTIONS, &start);
	if (err == -ENOMEM)
		msg_error("%s: out of memory", img->path);
	if (err)
		encoding__free(e);
	return err;
}

/* --- writing: from decisions to what the writer takes ------------------------- */

struct tag_list {
	struct out_tag	*array;
	uint32_t	nr, cap;
};

static int add_tag(struct tag_list *tags, const struct out_tag *tag)
{
	if (grow(&tags->array, &tags->cap, (uint64_t)tags->nr + 1, sizeof(*tags->array)))
		return -ENOMEM;
	tags->array[tags->nr++] = *tag;
	return 0;
}

static int tag_func(struct tag_list *tags, const char *value, uint32_t place)
{
	return add_tag(tags, &(struct out_tag){ .value = value, .on = OUT_FUNC, .target = place,
						.component = -1 });
}

/* Call @fn for every kfunc that is encoded; @i is its place among the FUNCs. */
static int for_each_kfunc(struct encoding *e, void *arg,
			  int (*fn)(struct encoding *e, const struct kfunc *k, uint32_t i, void *arg))
{
	const struct instances *in = &e->instances;
	uint32_t *place = calloc(e->syms->nr_funcs + 1, sizeof(*place)), i;
	int err = place ? 0 : -ENOMEM;

	for (i = 0; !err && i < in->nr_encoded; i++)
		if (in->array[in->order[i]].sym)
			place[in->array[in->order[i]].sym - e->syms->funcs] = i + 1;
	for (i = 0; !err && i < e->kfuncs.nr; i++) {
		const struct func_sym *sym = e->kfuncs.array[i].sym;

		if (sym && place[sym - e->syms->funcs])
			err = fn(e, &e->kfuncs.array[i], place[sym - e->syms->funcs] - 1, arg);
	}
	free(place);
	return err;
}

static int tag_kfunc(struct encoding *e, const struct kfunc *k, uint32_t i, void *arg)
{
	int err = tag_func(arg, "bpf_kfunc", i);

	if (!err && k->flags & KF_FASTCALL)
		err = tag_func(arg, "bpf_fastcall", i);
	return err;
}

static int give_attributes(struct encoding *e, const struct kfunc *k, uint32_t i, void *arg)
{
	struct instance *in = &e->instances.array[e->instances.order[i]];

	return arena__attribute(&e->store, &in->proto, k->flags);
}

/* The origin (unit << 32 | DIE) of a function or variable, and its place. */
struct origin {
	uint64_t	key;
	uint32_t	place;
};

static int compare_origins(const void *x, const void *y)
{
	const struct origin *a = x, *b = y;

	return a->key < b->key ? -1 : a->key > b->key;
}

static int tag_seen(struct encoding *e, const struct variables *v, struct tag_list *tags)
{
	const struct instances *in = &e->instances;
	struct origin *funcs = calloc(in->nr_encoded + 1, sizeof(*funcs));
	struct origin *vars = calloc(v->nr + 1, sizeof(*vars));
	uint32_t i, nr_funcs = 0;
	int err = funcs && vars ? 0 : -ENOMEM;

	for (i = 0; !err && i < in->nr_encoded; i++) {
		const struct instance *inst = &in->array[in->order[i]];

		if (inst->die)
			funcs[nr_funcs++] = (struct origin){ (uint64_t)inst->unit << 32 | inst->die, i };
	}
	for (i = 0; !err && i < v->nr; i++)
		vars[i] = (struct origin){ v->origins[i], i };
	if (!err) {
		qsort(funcs, nr_funcs, sizeof(*funcs), compare_origins);
		qsort(vars, v->nr, sizeof(*vars), compare_origins);
	}
	for (i = 0; !err && i < e->observed.nr_tags; i++) {
		const struct tag_seen *t = &e->observed.tags[i];
		struct out_tag tag = { .value = e->store.strings.array[t->value].s,
				       .on = OUT_TYPE, .target = t->target,
				       .component = t->component, .attribute = t->attribute };
		struct origin key = { .key = t->target }, *at;

		if (t->on == TAG_ON_TYPE) {
			err = add_tag(tags, &tag);
			continue;
		}
		at = t->on == TAG_ON_FUNC ?
		     bsearch(&key, funcs, nr_funcs, sizeof(key), compare_origins) :
		     bsearch(&key, vars, v->nr, sizeof(key), compare_origins);
		if (!at)
			continue;
		tag.on = t->on == TAG_ON_FUNC ? OUT_FUNC : OUT_VAR;
		tag.target = at->place;
		err = add_tag(tags, &tag);
	}
	free(funcs);
	free(vars);
	return err;
}

static int collect_tags(struct encoding *e, const struct variables *v, struct tag_list *tags)
{
	int err = 0;

	if (e->opts->kfuncs)
		err = for_each_kfunc(e, tags, tag_kfunc);
	return err ?: tag_seen(e, v, tags);
}

static struct out_func *collect_funcs(const struct encoding *e)
{
	const struct instances *in = &e->instances;
	struct out_func *funcs = calloc(in->nr_encoded + 1, sizeof(*funcs));
	uint32_t i;

	for (i = 0; funcs && i < in->nr_encoded; i++) {
		const struct instance *inst = &in->array[in->order[i]];

		funcs[i] = (struct out_func){
			.name = inst->name, .proto = inst->proto, .offset = inst->offset,
			 .flags = inst->init ? BTF_FUNC_INIT : 0,
			.linkage = inst->external && !e->opts->func.pahole ?
				   BTF_FUNC_GLOBAL : BTF_FUNC_STATIC,
		};
	}
	return funcs;
}

/* Each record is relocated against the function's own symbol: that says its section. */
static int collect_relocs(struct encoding *e)
{
	const struct instances *in = &e->instances;
	uint32_t i;

	if (e->img->type != ET_REL || !e->opts->func.address)
		return 0;
	e->relocs = calloc(in->nr_encoded + 1, sizeof(*e->relocs));
	if (!e->relocs)
		return -ENOMEM;
	for (i = 0; i < in->nr_encoded; i++)
		e->relocs[e->nr_relocs++] = (struct btf_reloc){
				.offset = e->btf.record_at[i],
				.symbol = in->array[in->order[i]].sym->index };
	return 0;
}

/*
 * Read what was written, as its readers will.  What DWARF lies about, a member
 * that is void or a name with a blank, may only come to light in BTF's rules,
 * and a kernel that finds it there drops all types.
 */
static int verify(const struct encoding *e)
{
	const struct btf_data *base = e->opts->base ? e->opts->base->btf : NULL;
	struct btf_data *distilled = NULL, *btf = NULL;
	int err = 0;

	if (e->distilled) {
		err = btf_data__parse(e->distilled, e->distilled_size, e->img->path, NULL,
				      &distilled);
		base = distilled;
	}
	err = err ?: btf_data__parse(e->btf.bytes, e->btf.size, e->img->path, base, &btf);
	if (err == -EINVAL)
		msg_error("%s: its %s makes BTF that no kernel would take", e->img->path,
			  e->opts->from_btf ? "BTF" : "debug information");
	btf_data__free(btf);
	btf_data__free(distilled);
	return err;
}

/* Which types the base has: split BTF says it by their ids. */
static int find_base_ids(struct encoding *e, const struct primaries *primaries, uint32_t **ret)
{
	if (!e->input.is_split)
		return match_base(e->opts->base, &e->store, primaries, ret);
	*ret = from_btf__base_ids(&e->input, e->store.nr_nodes);
	return *ret ? 0 : -ENOMEM;
}

int encode__write(struct encoding *e)
{
	struct btf_out out = { .store = &e->store, .big_endian = e->img->big_endian,
			       .nr_funcs = e->instances.nr_encoded,
			       .addressed = e->opts->func.address };
	struct primaries primaries = {};
	struct variables vars = {};
	struct tag_list tags = {};
	struct out_func *funcs = NULL;
	uint32_t *base_ids = NULL;
	uint64_t start = now();
	int err;

	err = primaries__find(&primaries, &e->store);
	err = err ?: variables__decide(&vars, e->img, &e->observed, &e->store, &primaries,
				       e->opts->force);
	if (!err && e->opts->kfuncs && e->opts->attributes)
		err = for_each_kfunc(e, NULL, give_attributes);
	err = err ?: collect_tags(e, &vars, &tags);
	if (!err && e->opts->base)
		err = find_base_ids(e, &primaries, &base_ids);
	out.base = e->opts->base;
	out.layout = e->opts->layout;
	out.base_ids = base_ids;
	primaries__destroy(&primaries);
	if (!err) {
		funcs = collect_funcs(e);
		err = funcs ? 0 : -ENOMEM;
	}
	note_time(e, STEP_FUNCTIONS, &start);
	if (!err) {
		out.funcs = funcs;
		out.vars = vars.vars;
		out.nr_vars = vars.nr;
		out.tags = tags.array;
		out.nr_tags = tags.nr;
		out.sections = vars.sections;
		out.nr_sections = vars.nr_sections;
		err = btf_out__write(&out, &e->btf);
		if (!err && e->btf.nr_renamed)
			msg_warn("%s: %u names are no identifiers: they are written with \"_\" for what cannot stand in one",
				 e->img->path, e->btf.nr_renamed);
		/* on the same base, that is */
		if (!err && e->input.nr_parts == 1 && e->input.is_split == !!out.base)
			err = btf_bytes__order_strings(&e->btf, e->input.parts[0].btf);
		if (!err && e->opts->distill)
			err = distill__base(e->opts->base, &e->btf, out.nr_funcs, out.big_endian,
					    &e->distilled, &e->distilled_size);
		err = err ?: collect_relocs(e);
	}
	note_time(e, STEP_WRITE, &start);
	err = err ?: verify(e);
	note_time(e, STEP_VERIFY, &start);
	if (err == -ENOMEM)
		msg_error("%s: out of memory", e->img->path);
	free(base_ids);
	free(funcs);
	free(tags.array);
	variables__destroy(&vars);
	return err;
}

const char *encoding__file(const struct encoding *e, uint32_t unit)
{
	return unit < e->nr_units ? e->files[unit] : "";
}

void encoding__free(struct encoding *e)
{
	uint32_t i;

	for (i = 0; i < e->nr_units && e->files; i++)
		free(e->files[i]);
	free(e->files);
	free(e->btf.bytes);
	free(e->btf.record_at);
	free(e->distilled);
	free(e->relocs);
	instances__destroy(&e->instances);
	kfuncs__destroy(&e->kfuncs);
	observed__destroy(&e->observed);
	store__destroy(&e->store);
	from_btf__destroy(&e->input);
	dwarf__close(e->dw);
	names__destroy(&e->names);
	names__destroy(&e->assembler);
	symbols__free(e->syms);
	memset(e, 0, sizeof(*e));
}
