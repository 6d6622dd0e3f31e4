// SPDX-License-Identifier: GPL-2.0-only
/* Collect functions and tags for the writer. */
#include <elf.h>

#include "encode/parts.h"
#include "functions/proto.h"
#include "util/memory.h"

static int tag_func(struct btf_out *out, const char *value, uint32_t place)
{
	return push(&out->tags, (struct out_tag){ .value = value, .on = OUT_FUNC, .target = place,
						  .component = -1 });
}

/* Call @fn for every kfunc that is encoded; @i is its place among the FUNCs. */
static int for_each_kfunc(struct encoding *e, void *arg,
			  int (*fn)(struct encoding *e, const struct kfunc *k, uint32_t i, void *arg))
{
	const struct instances *in = &e->instances;
	uint32_t *place __cleanup(free_pointer) = xcalloc(e->syms->nr_funcs + 1, sizeof(*place));
	int err = 0;

	if (!place)
		return -ENOMEM;
	for (uint32_t i = 0; i < in->nr_encoded; i++)
		if (in->array[in->order[i]].sym)
			place[in->array[in->order[i]].sym - e->syms->funcs] = i + 1;
	for_each(k, &e->kfuncs)
		if (!err && k->sym && place[k->sym - e->syms->funcs])
			err = fn(e, k, place[k->sym - e->syms->funcs] - 1, arg);
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
	int64_t proto = proto__with_arena(&e->store, in->facts.proto, k->flags);

	if (proto < 0)
		return proto;
	in->facts.proto = proto;
	return 0;
}

int encoding__give_attributes(struct encoding *e)
{
	return for_each_kfunc(e, NULL, give_attributes);
}

/* The origin (unit << 32 | DIE) of a function or variable, and its place. */
struct origin {
	uint64_t	key;
	uint32_t	place;
};

static int compare_origins(const void *x, const void *y)
{
	const struct origin *a = x, *b = y;

	return cmp_int(a->key, b->key);
}

/* A prototype may lack parameters of the source: does one still have its number? */
static bool has_param(const struct encoding *e, const struct tag_seen *t, uint32_t place)
{
	const struct node *nodes = e->store.nodes, *proto;

	if (!t->param)
		return true;
	proto = &nodes[e->instances.array[e->instances.order[place]].facts.proto];
	return (uint32_t)t->component < proto->nr_children &&
	       e->store.children[proto->child + t->component].name == t->param;
}

static int tag_seen(struct encoding *e, struct btf_out *out)
{
	const struct instances *in = &e->instances;
	struct origin *funcs __cleanup(free_pointer) = xcalloc(in->nr_encoded + 1, sizeof(*funcs));
	struct origin *vars __cleanup(free_pointer) = xcalloc(out->vars.nr + 1, sizeof(*vars));
	uint32_t i, nr_funcs = 0;
	int err = 0;

	if (!funcs || !vars)
		return -ENOMEM;
	for (i = 0; i < in->nr_encoded; i++) {
		const struct func_facts *f = &in->array[in->order[i]].facts;

		if (f->die)
			funcs[nr_funcs++] = (struct origin){ (uint64_t)f->unit << 32 | f->die, i };
	}
	for (i = 0; i < out->vars.nr; i++)
		vars[i] = (struct origin){ out->vars.array[i].origin, i };
	qsort(funcs, nr_funcs, sizeof(*funcs), compare_origins);
	qsort(vars, out->vars.nr, sizeof(*vars), compare_origins);
	for_each(t, &e->observed.tags) {
		struct out_tag tag = { .value = e->store.strings.array[t->value].s,
				       .on = OUT_TYPE, .target = t->target,
				       .component = t->component, .attribute = t->attribute };
		struct origin key = { .key = t->target }, *at;

		if (t->on != TAG_ON_TYPE) {
			at = t->on == TAG_ON_FUNC ?
			     bsearch(&key, funcs, nr_funcs, sizeof(key), compare_origins) :
			     bsearch(&key, vars, out->vars.nr, sizeof(key), compare_origins);
			if (!at || (t->on == TAG_ON_FUNC && !has_param(e, t, at->place)))
				continue;
			tag.on = t->on == TAG_ON_FUNC ? OUT_FUNC : OUT_VAR;
			tag.target = at->place;
		}
		err = err ?: push(&out->tags, tag);
	}
	return err;
}

int encoding__collect_tags(struct encoding *e, struct btf_out *out)
{
	int err = 0;

	if (e->opts->kfuncs)
		err = for_each_kfunc(e, out, tag_kfunc);
	return err || !e->observed.tags.nr ? err : tag_seen(e, out);
}

int encoding__collect_funcs(const struct encoding *e, struct btf_out *out)
{
	const struct instances *in = &e->instances;

	out->funcs = xcalloc(in->nr_encoded + 1, sizeof(*out->funcs));
	if (!out->funcs)
		return -ENOMEM;
	while (out->nr_funcs < in->nr_encoded) {
		const struct instance *inst = &in->array[in->order[out->nr_funcs]];

		out->funcs[out->nr_funcs++] = (struct out_func){
			.name = inst->name, .proto = inst->facts.proto, .offset = inst->offset,
			.record = e->opts->func.address && inst->in_core_text,
			.linkage = inst->facts.external && !e->opts->func.pahole ?
				   BTF_FUNC_GLOBAL : BTF_FUNC_STATIC,
		};
	}
	return 0;
}

/* Each record is relocated against the function's own symbol, which identifies the section. */
int encoding__collect_relocs(struct encoding *e)
{
	const struct instances *in = &e->instances;

	if (e->img->type != ET_REL || !e->opts->func.address)
		return 0;
	e->relocs = xcalloc(in->nr_encoded + 1, sizeof(*e->relocs));
	if (!e->relocs)
		return -ENOMEM;
	for (uint32_t i = 0; i < in->nr_encoded; i++)
		if (e->btf.record_at[i])
			e->relocs[e->nr_relocs++] = (struct btf_reloc){
					.offset = e->btf.record_at[i],
					.symbol = in->array[in->order[i]].sym->index };
	return 0;
}
