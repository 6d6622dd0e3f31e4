// SPDX-License-Identifier: GPL-2.0-only
/* Collect functions and tags for the writer. */
#include <elf.h>

#include "encode/parts.h"
#include "functions/proto.h"
#include "util/memory.h"

static void tag_func(struct btf_out *out, const char *value, uint32_t place)
{
	push(&out->tags, (struct out_tag){ .value = value, .on = OUT_FUNC, .target = place,
					   .component = -1 });
}

int encoding__add_kfuncs(struct encoding *e, struct btf_out *out)
{
	const struct instances *in = &e->instances;
	/* by symbol: the place of its FUNC, starting at 1 */
	uint32_t *places __cleanup(free_pointer) = xcalloc(e->syms->nr_funcs + 1, sizeof(*places));

	for (uint32_t i = 0; i < in->nr_encoded; i++)
		if (in->array[in->order[i]].sym)
			places[in->array[in->order[i]].sym - e->syms->funcs] = i + 1;
	for_each(k, &e->kfuncs) {
		uint32_t place = k->sym ? places[k->sym - e->syms->funcs] : 0;
		struct func_facts *facts;
		int64_t proto;

		if (!place)
			continue;
		tag_func(out, "bpf_kfunc", place - 1);
		if (k->flags & KF_FASTCALL)
			tag_func(out, "bpf_fastcall", place - 1);
		if (!e->opts->attributes)
			continue;
		facts = &in->array[in->order[place - 1]].facts;
		proto = proto__with_arena(&e->store, facts->proto, k->flags);
		if (proto < 0)
			return proto;
		facts->proto = proto;
	}
	return 0;
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

void encoding__collect_tags(const struct encoding *e, struct btf_out *out)
{
	const struct instances *in = &e->instances;
	struct origin *funcs __cleanup(free_pointer) = xcalloc(in->nr_encoded + 1, sizeof(*funcs));
	struct origin *vars __cleanup(free_pointer) = xcalloc(out->vars.nr + 1, sizeof(*vars));
	uint32_t i, nr_funcs = 0;

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
		push(&out->tags, tag);
	}
}

void encoding__collect_funcs(const struct encoding *e, struct btf_out *out)
{
	const struct instances *in = &e->instances;

	out->funcs = xcalloc(in->nr_encoded + 1, sizeof(*out->funcs));
	while (out->nr_funcs < in->nr_encoded) {
		const struct instance *inst = &in->array[in->order[out->nr_funcs]];

		out->funcs[out->nr_funcs++] = (struct out_func){
			.name = inst->name, .proto = inst->facts.proto, .offset = inst->offset,
			.record = e->opts->func.address && inst->in_core_text,
			.linkage = inst->facts.external && !e->opts->func.pahole ?
				   BTF_FUNC_GLOBAL : BTF_FUNC_STATIC,
		};
	}
}

/* Each record is relocated against the function's own symbol, which identifies the section. */
void encoding__collect_relocs(struct encoding *e)
{
	const struct instances *in = &e->instances;

	if (e->img->type != ET_REL || !e->opts->func.address)
		return;
	e->relocs = xcalloc(in->nr_encoded + 1, sizeof(*e->relocs));
	for (uint32_t i = 0; i < in->nr_encoded; i++)
		if (e->btf.record_at[i])
			e->relocs[e->nr_relocs++] = (struct btf_reloc){
					.offset = e->btf.record_at[i],
					.symbol = in->array[in->order[i]].sym->index };
}
