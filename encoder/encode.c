// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "btf/distill.h"
#include "btf/match.h"
#include "encode.h"
#include "functions/collect.h"
#include "functions/source_tree.h"
#include "functions/variables.h"
#include "image/relocate.h"
#include "load/units.h"
#include "types/fit.h"
#include "types/shape.h"
#include "util/clock.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

/* Add the time since the last step to this one. */
static void end_step(struct encoding *e, enum encode_step step)
{
	uint64_t now = clock__now();

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
	int err = symbols__new(e->img, opts->load.global_vars, opts->func.for_map, &e->syms);

	if (err)
		return err;
	if (!opts->from_btf)
		table__expect(&e->stems, e->syms->nr_funcs);
	for (uint32_t i = 0; i < e->syms->nr_funcs && !opts->from_btf; i++) {
		const struct symbol *sym = &e->syms->funcs[i];

		name_set__add(&e->stems, hash_bytes(sym->name, sym->stem_len));
	}
	opts->func.address = opts->addresses && (e->img->type == ET_REL ? image__reloc_type(e->img) :
						 e->syms->has_text);
	opts->load.prove = opts->func.address;
	opts->load.of_source = opts->func.for_map;
	opts->load.true_signature = opts->func.true_signature;
	return 0;
}

static int open_item(void *arg, unsigned int thread, uint32_t item)
{
	return item ? open_units(arg) : open_symbols(arg);
}

int encode__open(const struct image *img, const struct encode_options *opts, struct encoding *ret)
{
	const uint32_t *fentry;
	uint32_t nr;
	int err;

	*ret = (struct encoding){ .img = img, .opts = *opts, .step_start = clock__now() };
	/* the items use different sections, unless relocations refer to symbols */
	err = jobs__each(img->type != ET_REL ? opts->threads : 1, opts->from_btf ? 1 : 2, open_item,
			 ret);
	if (!err && ret->dw) {
		fentry = symbols__named(ret->syms, "__fentry__", &nr);
		ret->dw->fentry = nr ? ret->syms->funcs[*fentry].address : 0;
	}
	end_step(ret, STEP_OPEN);
	return err;
}

/* --- loading ----------------------------------------------------------------- */

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

	e->nr_units = e->dw ? e->dw->nr_units : e->input.files.nr;
	e->files = xcalloc(e->nr_units + 1, sizeof(*e->files));
	if (e->dw)
		source_tree__find(&tree, e->dw);
	for (uint32_t i = 0; i < e->nr_units; i++) {
		const struct unit *u = e->dw ? &e->dw->units[i] : NULL;

		if (u)
			e->files[i] = source_tree__path(&tree, u->name ?: "", u->comp_dir);
		/* files in BTF have lost their prefixes already; options may name others */
		else if (tree.nr_prefixes)
			e->files[i] = source_tree__path(&tree, e->input.files.array[i], NULL);
		else
			e->files[i] = xstrdup(e->input.files.array[i]);
		/* users select functions by these, for which FUNCs would be omitted */
		if (e->opts.func.for_map)
			text_plain(e->files[i], "");
	}
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

static int load_dwarf(struct encoding *e)
{
	struct units u __cleanup(units__destroy) = {
		.dw = e->dw, .stems = &e->stems, .assembler = &e->assembler, .opts = &e->opts.load,
		.threads = e->opts.threads, .progress = e->opts.progress };
	int err = e->opts.load.prove ? units__find_assembler(&u, &e->assembler) : 0;

	end_step(e, STEP_OPEN);
	/* threads call loader__read() and loader__intern() for groups of units; then the stores are merged */
	err = err ?: units__read(&u);
	e->nanoseconds[STEP_WALK] = u.walk;
	e->nanoseconds[STEP_HASH] = u.hash;
	e->nanoseconds[STEP_MERGE] = u.merge;
	e->step_start = clock__now();
	err = err ?: units__resolve_conflicts(&u);
	e->conflicts = u.conflicts;
	e->reread = u.reread;
	end_step(e, STEP_CONFLICTS);
	if (err)
		return err;
	units__take(&u, &e->store, &e->observed);
	observed__trim(&e->observed);
	fit_types(e);
	err = check_unit_names(e->dw);
	if (!err)
		name_files(e);
	return err;
}

static int load_btf(struct encoding *e)
{
	int err;

	store__init(&e->store, 0);
	err = from_btf__read(e->img, e->syms, e->opts.base, &e->opts.load, &e->input, &e->store,
			     &e->observed);
	if (!err) {
		name_files(e);
		err = funcs_read__join(&e->input.funcs, e->syms, &e->observed, &e->store,
				       e->input.files.array);
	}
	end_step(e, STEP_WALK);
	return err;
}

int encode__load(struct encoding *e)
{
	const struct encode_options *opts = &e->opts;
	struct decision d = { .syms = e->syms, .observed = &e->observed, .store = &e->store,
			      .read = opts->from_btf ? &e->input.funcs : NULL,
			      .ftrace = &e->ftrace, .opts = &opts->func };
	int err;

	if (e->dw && !e->dw->nr_units)
		return msg_fail(-EINVAL, "%s: %s", e->img->path, image__no_dwarf(e->img));
	err = opts->from_btf ? load_btf(e) : load_dwarf(e);
	if (!err && opts->load.kfuncs && opts->load.decl_tags)
		err = kfuncs__read(&e->kfuncs, e->syms);
	if (!err && opts->func.address && opts->func.by_file)
		err = ftrace__read(e->syms, &e->ftrace);
	d.files = e->files;
	err = err ?: instances__decide(&e->instances, &d);
	end_step(e, STEP_FUNCTIONS);
	return err;
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

/*
 * Until here, a struct, union or enum that a node refers to is the definition or declaration of a
 * unit with that node; from here on, it is the definition that most units have.
 */
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
	int err = collect_kfuncs(out, &e->kfuncs, e->syms, &e->instances, &e->store,
				 e->opts.load.attributes);

	err = err ?: resolve_references(e);
	err = err ?: variables__decide(&e->variables, e->syms, &e->observed, &e->store, e->files,
				       e->opts.force);
	if (err)
		return err;
	collect_vars(out, &e->variables);
	grow(&out->funcs.array, &out->funcs.cap, e->instances.order.nr, sizeof(*out->funcs.array));
	for_each(at, &e->instances.order)
		push(&out->funcs, e->instances.array[*at].out);
	collect_tags(out, &e->observed, &e->instances, &e->variables, &e->store);
	out->keys = store__keys(&e->store);
	/* split BTF has the ids of types that the base has */
	if (e->input.is_split && out->base)
		out->base_ids = from_btf__base_ids(&e->input, e->store.nr_nodes);
	else if (out->base)
		err = match_base(out->base, &e->store, out->keys, &out->base_ids);
	/* the input is on the same base */
	if (e->input.objects.nr == 1 && e->input.is_split == !!out->base)
		out->like = e->input.objects.array[0].btf;
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
	store__close(&e->store);
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
	table__destroy(&e->stems);
	table__destroy(&e->assembler);
	symbols__free(e->syms);
	*e = (struct encoding){};
}
