// SPDX-License-Identifier: GPL-2.0-only
#include "load/load.h"
#include "types/fit.h"
#include "util/msg.h"

void observed__init(struct observed *o, uint64_t info)
{
	*o = (struct observed){};
	/* measured on kernels of several architectures and versions, plus a half */
	grow(&o->named.array, &o->named.cap, info / 96, sizeof(*o->named.array));
	grow(&o->bodies.array, &o->bodies.cap, info / 2048, sizeof(*o->bodies.array));
}

void observed__trim(struct observed *o)
{
	free(o->named.array);
	free(o->units.array);
	o->named = (typeof(o->named)){};
	o->units = (typeof(o->units)){};
	table__destroy(&o->mentioned);
}

void observed__destroy(struct observed *o)
{
	observed__trim(o);
	free(o->bodies.array);
	free(o->mentions.array);
	free(o->vars.array);
	free(o->tags.array);
	*o = (struct observed){};
}

/* A static function may be folded with another function of its unit, so the unit matters. */
static uint32_t unit_of(const struct func_mention *m)
{
	return m->folded && !m->facts.external && !m->declared ? m->facts.unit : 0;
}

static uint32_t mention_hash(const struct func_mention *m)
{
	return hash_fold((uint64_t)m->facts.name << 32 | m->facts.proto, HASH_K1 ^ unit_of(m));
}

/* Return: a mention's slot, or the free slot for it; NULL if it is too far away. */
static struct hash_slot *mention_slot(const struct observed *o, const struct func_mention *mention)
{
	struct hash_slot *slot;

	table__for_each(slot, &o->mentioned, mention_hash(mention)) {
		const struct func_mention *m = &o->mentions.array[slot->id - 1];

		if (m->facts.name == mention->facts.name &&
		    m->facts.proto == mention->facts.proto &&
		    m->declared == mention->declared && unit_of(m) == unit_of(mention))
			break;
	}
	return slot;
}

/*
 * Add a mention, or add its count to an equal mention.
 * Return: 0, or -EINVAL after a message.
 */
static int add_mention(struct observed *o, const struct func_mention *mention)
{
	const struct func_facts *facts = &mention->facts;
	struct func_mention *old;
	struct hash_slot *slot;

	table__expect(&o->mentioned, 1);
	slot = mention_slot(o, mention);
	/* requires crafted input */
	if (!slot)
		return msg_fail(-EINVAL, "too many functions share a hash");
	if (!slot->id) {
		push(&o->mentions, *mention);
		table__add(&o->mentioned, slot, mention_hash(mention), o->mentions.nr);
		return 0;
	}
	/* keep the earliest unit, independent of which thread read it */
	old = &o->mentions.array[slot->id - 1];
	if (facts->unit < old->facts.unit) {
		old->facts.unit = facts->unit;
		old->facts.decl_unit = facts->decl_unit;
		old->facts.decl_file = facts->decl_file;
		old->facts.decl_line = facts->decl_line;
	}
	old->count += mention->count;
	old->facts.doubts |= facts->doubts;
	old->facts.external |= facts->external;
	old->folded |= mention->folded;
	return 0;
}

/* Return: the description of a function, with ids of the store. */
static struct func_facts facts_of(const struct recs *r, const struct func_rec *func)
{
	const struct rec *recs = r->array, *rec = &recs[func->rec];

	return (struct func_facts){
		.name = rec->name, .key = rec->die, .unit = func->unit,
		.proto = recs[func->proto].node, .proven = recs[func->proven].node,
		.decl_unit = func->decl_unit, .decl_file = func->decl_file,
		.decl_line = func->decl_line, .doubts = func->doubts, .external = func->external };
}

static struct func_mention mention_of(const struct recs *r, const struct func_rec *func)
{
	struct func_mention m = { .facts = facts_of(r, func), .count = 1,
				  .declared = func->declared, .folded = !func->inlined };

	m.facts.key = 0;
	return m;
}

/* More than endbr64 or bti plus the space that kernels let ftrace patch; the code of others is not read. */
#define MAX_EMPTY	32

static void observe_bodies(struct loader *l, const struct func_rec *func)
{
	const struct recs *r = &l->recs;
	bool check_empty = l->opts->proven && !l->dw->units[func->unit].assembler;
	struct func_body body = { .facts = facts_of(r, func) };

	for (uint32_t k = 0; k < func->nr_entries; k++) {
		const struct code_range *range = &r->entries.array[func->entry + k];

		body.address = range->start;
		body.size = range->end > range->start ? range->end - range->start : 0;
		body.facts.doubts = func->doubts;
		/*
		 * A function that cannot return or be reached may have no code
		 * (__builtin_unreachable()), or only the space that ftrace patches.  It falls
		 * through to whatever follows.
		 */
		if (check_empty && (range->start == range->end || (body.size <= MAX_EMPTY &&
				    code__is_idle(l->dw, range->start, range->end))))
			body.facts.doubts |= DOUBT_EMPTY;
		body.section = 0;
		/* in a relocatable file, DWARF has offsets in sections */
		if (l->dw->relocator)
			relocator__place(l->dw->relocator, range->start, &body.section,
					 &body.address);
		push(&l->observed.bodies, body);
	}
}

static int observe_tags(struct loader *l)
{
	const struct recs *r = &l->recs;

	for_each(tag, &r->tags) {
		const struct rec *rec = &r->array[tag->on == TAG_ON_VAR ? 0 : tag->target];
		struct tag_seen seen = { .on = tag->on, .unit = tag->unit, .value = tag->value,
					 .component = tag->component };
		int64_t param = 0;

		/* the number of a member changes when members are sorted: omit its tags */
		if (tag->component >= 0 && !recs__is_ordered(r, rec))
			continue;
		if (tag->on == TAG_ON_VAR) {
			seen.target = (uint64_t)tag->unit << 32 | r->vars.array[tag->target].var.key;
		} else if (tag->on == TAG_ON_FUNC) {
			param = loader__name_id(l, rec->die, r->items.array[tag->item].name);
			seen.target = (uint64_t)tag->unit << 32 | rec->die;
		} else {
			seen.target = rec->node;
		}
		if (param < 0)
			return param;
		seen.param = param;
		push(&l->observed.tags, seen);
	}
	return 0;
}

int loader__observe(struct loader *l)
{
	const struct recs *r = &l->recs;
	int err = 0;

	for_each(func, &r->funcs) {
		const struct func_mention mention = mention_of(r, func);

		if (func->guest)
			continue;
		if (func->body)
			observe_bodies(l, func);
		else if (mention.facts.name)
			err = add_mention(&l->observed, &mention);
		if (err)
			return err;
	}
	for_each(rec, &r->vars) {
		struct variable var = rec->var;

		var.type = loader__node_of(l, rec->ref);
		push(&l->observed.vars, var);
	}
	return observe_tags(l);
}

void loader__unmention(struct loader *l)
{
	struct observed *o = &l->observed;

	for_each(func, &l->recs.funcs) {
		const struct func_mention mention = mention_of(&l->recs, func);
		const struct hash_slot *slot;

		if (func->body || func->guest || !o->mentioned.slots)
			continue;
		slot = mention_slot(o, &mention);
		if (slot && slot->id && o->mentions.array[slot->id - 1].count)
			o->mentions.array[slot->id - 1].count--;
	}
}

int observed__merge(struct observed *to, struct observed *from,
		    const uint32_t *map, const uint32_t *strings)
{
	uint32_t start = to->named.nr;
	int err = 0;

	for_each(body, &from->bodies) {
		body->facts.name = strings[body->facts.name];
		body->facts.proto = map[body->facts.proto];
		body->facts.proven = map[body->facts.proven];
		push(&to->bodies, *body);
	}
	for_each(mention, &from->mentions) {
		mention->facts.name = strings[mention->facts.name];
		mention->facts.proto = map[mention->facts.proto];
		err = err ?: add_mention(to, mention);
	}
	for_each(var, &from->vars) {
		var->symbol = strings[var->symbol];
		var->name = strings[var->name];
		var->type = map[var->type];
		push(&to->vars, *var);
	}
	for_each(tag, &from->tags) {
		tag->value = strings[tag->value];
		tag->param = strings[tag->param];
		if (tag->on == TAG_ON_TYPE)
			tag->target = map[tag->target];
		push(&to->tags, *tag);
	}
	for_each(unit, &from->units)
		push(&to->units, (struct unit_named){ unit->unit, start + unit->start });
	for_each(node, &from->named)
		push(&to->named, map[*node]);
	return err;
}

void observed__fit(struct observed *o, const struct fit *fit)
{
	uint32_t nr = 0;

	for_each(body, &o->bodies) {
		if (fit->results[body->facts.proto] == FIT_GONE)
			body->facts.doubts |= DOUBT_MISFIT;
		if (fit->results[body->facts.proven] == FIT_GONE)
			body->facts.proven = 0;
	}
	for_each(mention, &o->mentions)
		if (fit->results[mention->facts.proto] == FIT_GONE)
			mention->facts.doubts |= DOUBT_MISFIT;
	for_each(var, &o->vars)
		if (fit->results[var->type] == FIT_GONE)
			var->type = 0;
	for_each(tag, &o->tags) {
		enum fit_result result = tag->on == TAG_ON_TYPE ? fit->results[tag->target] :
								  FIT_UNCHANGED;

		if (result == FIT_UNCHANGED || (result == FIT_SHRUNK && tag->component < 0))
			o->tags.array[nr++] = *tag;
	}
	o->tags.nr = nr;
}
