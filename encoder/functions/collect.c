// SPDX-License-Identifier: GPL-2.0-only
#include "functions/collect.h"
#include "functions/proto.h"
#include "util/memory.h"

static void tag_func(struct btf_out *out, const char *value, uint32_t index)
{
	push(&out->tags, (struct out_tag){ .value = value, .on = TAG_ON_FUNC, .target = index,
					   .component = -1 });
}

int collect_kfuncs(struct btf_out *out, const struct kfuncs *kfuncs, const struct symbols *syms,
		   struct instances *in, struct store *store, bool attributes)
{
	/* by symbol: the index of its FUNC, starting at 1 */
	uint32_t *indices __cleanup(free_pointer) = xcalloc(syms->nr_funcs + 1, sizeof(*indices));

	for (uint32_t i = 0; i < in->order.nr; i++)
		if (in->array[in->order.array[i]].sym)
			indices[in->array[in->order.array[i]].sym - syms->funcs] = i + 1;
	for_each(k, kfuncs) {
		uint32_t index = k->sym ? indices[k->sym - syms->funcs] : 0;
		struct out_func *func;
		int64_t proto;

		if (!index)
			continue;
		tag_func(out, "bpf_kfunc", index - 1);
		if (k->flags & KF_FASTCALL)
			tag_func(out, "bpf_fastcall", index - 1);
		if (!attributes)
			continue;
		func = &in->array[in->order.array[index - 1]].out;
		proto = proto__with_arena(store, func->proto, k->flags);
		if (proto < 0)
			return proto;
		func->proto = proto;
	}
	return 0;
}

/**
 * struct tag_owner - a function or variable of the output, by its description
 * @desc:	desc__id() of its description
 * @index:	its position in the output
 */
struct tag_owner {
	enum tag_on	on;
	uint64_t	desc;
	uint32_t	index;
};

static int compare_owners(const void *x, const void *y)
{
	const struct tag_owner *a = x, *b = y;

	return cmp_int(a->on, b->on) ?: cmp_int(a->desc, b->desc);
}

/* A prototype may lack parameters of the source.  Test whether this one still has its number. */
static bool has_param(const struct instances *in, const struct store *s, const struct tag_seen *t,
		      uint32_t index)
{
	const struct node *proto;

	if (!t->param)
		return true;
	proto = &s->nodes[in->array[in->order.array[index]].out.proto];
	return (uint32_t)t->component < proto->nr_children &&
	       s->children[proto->child + t->component].name == t->param;
}

void collect_tags(struct btf_out *out, const struct observed *observed,
		  const struct instances *in, const struct decided_vars *vars,
		  const struct store *store)
{
	VECTOR(struct tag_owner) all = {};
	uint32_t nr_vars = 0;

	if (!observed->tags.nr)
		return;
	for_each(at, &in->order) {
		const struct func_facts *f = &in->array[*at].facts;

		if (f->desc)
			push(&all, (struct tag_owner){ TAG_ON_FUNC, desc__id(f->unit, f->desc),
						       at - in->order.array });
	}
	for_each(var, vars)
		if (!var->reason)
			push(&all, (struct tag_owner){ TAG_ON_VAR, var->desc, nr_vars++ });
	vector__sort(&all, compare_owners);
	for_each(t, &observed->tags) {
		struct out_tag tag = { .value = store->strings.array[t->value].s,
				       .on = t->on, .target = t->type,
				       .component = t->component, .attribute = t->attribute };
		struct tag_owner key = { .on = t->on, .desc = t->desc }, *at;

		if (t->on != TAG_ON_TYPE) {
			at = all.nr ? bsearch(&key, all.array, all.nr, sizeof(key),
						  compare_owners) : NULL;
			if (!at || (t->on == TAG_ON_FUNC && !has_param(in, store, t, at->index)))
				continue;
			tag.target = at->index;
		}
		push(&out->tags, tag);
	}
	free(all.array);
}

void collect_vars(struct btf_out *out, const struct decided_vars *vars)
{
	for_each(var, vars)
		if (!var->reason)
			push(&out->vars, var->out);
}
