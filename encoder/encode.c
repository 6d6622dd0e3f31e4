// SPDX-License-Identifier: GPL-2.0-only
#include "btf/distill.h"
#include "btf/match.h"
#include "encode/parts.h"
#include "util/msg.h"

/* --- loading ----------------------------------------------------------------- */

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
		if (!e->dw->units[i].assembler)
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

static int load_dwarf(struct encoding *e)
{
	uint64_t start = encoding__now();
	int err = e->opts->load.proven ? find_assembler(e) : 0;

	encoding__note_time(e, STEP_OPEN, &start);
	if (err)
		return err;
	err = encoding__read_units(e);
	return err ?: encoding__name_files(e);
}

static int load_btf(struct encoding *e)
{
	uint64_t start = encoding__now();
	int err;

	err = store__init(&e->store);
	err = err ?: from_btf__read(e->img, e->syms, e->opts->base, &e->opts->load, &e->input,
				    &e->store, &e->observed);
	err = err ?: encoding__name_input_files(e);
	err = err ?: funcs_read__join(&e->input.funcs, e->syms, &e->observed, &e->store,
				       e->input.units.array);
	encoding__note_time(e, STEP_WALK, &start);
	return err;
}

int encode__load(struct encoding *e, const struct encode_options *opts)
{
	struct code_table ftrace __cleanup(code_table__destroy) = {};
	struct decision d = { .syms = e->syms, .seen = &e->observed, .store = &e->store,
			      .read = opts->from_btf ? &e->input.funcs : NULL,
			      .ftrace = &ftrace, .opts = &opts->func };
	uint64_t start;
	int err;

	e->opts = opts;
	err = opts->from_btf ? load_btf(e) : load_dwarf(e);
	start = encoding__now();
	if (!err && opts->kfuncs)
		err = kfuncs__read(&e->kfuncs, e->syms);
	if (!err && opts->func.address && opts->func.files)
		err = ftrace__read(e->syms, e->dw ? e->dw->relocator : NULL, &ftrace);
	d.files = e->files;
	err = err ?: instances__decide(&e->instances, &d);
	encoding__note_time(e, STEP_FUNCTIONS, &start);
	if (err == -ENOMEM)
		msg_error("%s: out of memory", e->img->path);
	return err;
}

/* --- writing ---------------------------------------------------------------------- */

/*
 * Read what was written, as its readers will.  What DWARF lies about, a member
 * that is void or a name with a blank, may only come to light in BTF's rules,
 * and a kernel that finds it there drops all types.
 */
static int verify_written(const struct encoding *e)
{
	const struct btf_data *base = e->opts->base ? e->opts->base->btf : NULL;
	struct btf_data *distilled = NULL, *btf = NULL;
	int err = 0;

	if (e->distilled) {
		err = btf_data__parse_in_place(e->distilled, e->distilled_size, e->img->path, NULL,
					       &distilled);
		base = distilled;
	}
	err = err ?: btf_data__parse_in_place(e->btf.bytes, e->btf.size, e->img->path, base, &btf);
	if (err == -EINVAL)
		msg_error("%s: its %s makes BTF that no kernel would take", e->img->path,
			  e->opts->from_btf ? "BTF" : "debug information");
	btf_data__free(btf);
	btf_data__free(distilled);
	return err;
}

/* Which types the base has: split BTF says it by their ids. */
static int find_base_ids(struct encoding *e, uint32_t **ret)
{
	if (!e->input.is_split)
		return match_base(e->opts->base, &e->store, ret);
	*ret = from_btf__base_ids(&e->input, e->store.nr_nodes);
	return *ret ? 0 : -ENOMEM;
}

/* Once: from here on, a reference is to the type that it means. */
static int resolve_references(struct encoding *e)
{
	struct primaries primaries = {};
	int err = primaries__find(&primaries, &e->store);

	if (!err)
		primaries__apply(&primaries, &e->store);
	for_each(var, &e->observed.vars)
		if (!err)
			var->type = primaries__resolve(&primaries, &e->store, &store_referrer,
						       var->type);
	primaries__destroy(&primaries);
	return err;
}

int encode__write(struct encoding *e)
{
	struct btf_out out = { .store = &e->store, .big_endian = e->img->big_endian,
			       .nr_funcs = e->instances.nr_encoded };
	struct variables vars = {};
	struct tag_list tags = {};
	struct out_func *funcs = NULL;
	uint32_t *base_ids = NULL;
	uint64_t start = encoding__now();
	int err = 0;

	if (e->opts->kfuncs && e->opts->attributes)
		err = encoding__give_attributes(e);
	err = err ?: resolve_references(e);
	err = err ?: variables__decide(&vars, e->syms, &e->observed, &e->store, e->opts->force);
	err = err ?: encoding__collect_tags(e, &vars, &tags);
	if (!err && e->opts->base)
		err = find_base_ids(e, &base_ids);
	out.base = e->opts->base;
	out.layout = e->opts->layout;
	out.base_ids = base_ids;
	/* on the same base, that is */
	if (e->input.parts.nr == 1 && e->input.is_split == !!out.base)
		out.like = e->input.parts.array[0].btf;
	if (!err) {
		funcs = encoding__collect_funcs(e);
		err = funcs ? 0 : -ENOMEM;
	}
	encoding__note_time(e, STEP_FUNCTIONS, &start);
	if (!err) {
		out.funcs = funcs;
		out.vars = vars.array;
		out.nr_vars = vars.nr;
		out.tags = tags.array;
		out.nr_tags = tags.nr;
		out.sections = vars.sections;
		out.nr_sections = vars.nr_sections;
		err = btf_out__write(&out, &e->btf);
		if (!err && e->btf.nr_renamed)
			msg_warn("%s: %u names are no identifiers: they are written with \"_\" for what cannot stand in one",
				 e->img->path, e->btf.nr_renamed);
		if (!err && e->opts->distill)
			err = distill__base(e->opts->base, &e->btf, out.nr_funcs, out.big_endian,
					    &e->distilled, &e->distilled_size);
		err = err ?: encoding__collect_relocs(e);
	}
	encoding__note_time(e, STEP_WRITE, &start);
	err = err ?: verify_written(e);
	encoding__note_time(e, STEP_VERIFY, &start);
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
