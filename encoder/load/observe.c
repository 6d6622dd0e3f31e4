// SPDX-License-Identifier: GPL-2.0-only
#include "load/observe.h"
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
	return m->folded && !m->facts.external && !m->declared ? m->facts.unit : NO_UNIT;
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

int observed__add_mention(struct observed *o, const struct func_mention *mention)
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
	old->nr_units += mention->nr_units;
	old->facts.doubts |= facts->doubts;
	old->facts.external |= facts->external;
	old->folded |= mention->folded;
	return 0;
}

void observed__drop_mention(struct observed *o, const struct func_mention *mention)
{
	const struct hash_slot *slot;

	if (!o->mentioned.slots)
		return;
	slot = mention_slot(o, mention);
	if (slot && slot->id && o->mentions.array[slot->id - 1].nr_units)
		o->mentions.array[slot->id - 1].nr_units--;
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
		err = err ?: observed__add_mention(to, mention);
	}
	for_each(var, &from->vars) {
		var->symbol_name = strings[var->symbol_name];
		var->name = strings[var->name];
		var->type = map[var->type];
		push(&to->vars, *var);
	}
	for_each(tag, &from->tags) {
		tag->value = strings[tag->value];
		tag->param = strings[tag->param];
		if (tag->on == TAG_ON_TYPE)
			tag->type = map[tag->type];
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
		enum fit_result result = tag->on == TAG_ON_TYPE ? fit->results[tag->type] :
								  FIT_UNCHANGED;

		if (result == FIT_UNCHANGED || (result == FIT_SHRUNK && tag->component < 0))
			o->tags.array[nr++] = *tag;
	}
	o->tags.nr = nr;
}
