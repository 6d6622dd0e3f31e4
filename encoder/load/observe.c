// SPDX-License-Identifier: GPL-2.0-only
#include "load/observe.h"
#include "types/fit.h"
#include "util/grow.h"

int observed__expect(struct observed *o, uint64_t info)
{
	/* of kernels of several architectures and versions, and half as much again */
	return grow(&o->named, &o->cap_named, info / 96, sizeof(*o->named)) ?:
	       grow(&o->bodies, &o->cap_bodies, info / 2048, sizeof(*o->bodies));
}

void observed__rest(struct observed *o)
{
	free(o->named);
	free(o->unit_named);
	o->named = NULL;
	o->unit_named = NULL;
	table__destroy(&o->mentioned);
}

void observed__destroy(struct observed *o)
{
	observed__rest(o);
	free(o->bodies);
	free(o->mentions);
	free(o->vars);
	free(o->tags);
	memset(o, 0, sizeof(*o));
}

int observed__body(struct observed *o, const struct func_body *body)
{
	if (grow(&o->bodies, &o->cap_bodies, (uint64_t)o->nr_bodies + 1, sizeof(*body)))
		return -ENOMEM;
	o->bodies[o->nr_bodies++] = *body;
	return 0;
}

/* A static function may be folded with another function of its unit, so the unit matters. */
static uint32_t unit_of(const struct func_mention *m)
{
	return m->folded && !m->external && !m->declared ? m->unit : 0;
}

static uint32_t mention_hash(const struct func_mention *m)
{
	return hash_fold((uint64_t)m->name << 32 | m->proto, HASH_K1 ^ unit_of(m));
}

/* The slot of a mention, or the free one where it would go; NULL if it is too far away. */
static struct hash_slot *mention_slot(const struct observed *o, const struct func_mention *mention)
{
	const struct hash_table *t = &o->mentioned;
	struct hash_slot *slot;
	uint32_t steps;

	for (slot = table__find(t, mention_hash(mention), &steps); slot && slot->id;
	     slot = table__next(t, slot, &steps)) {
		const struct func_mention *m = &o->mentions[slot->id - 1];

		if (m->name == mention->name && m->proto == mention->proto &&
		    m->declared == mention->declared && unit_of(m) == unit_of(mention))
			break;
	}
	return slot;
}

int observed__mention(struct observed *o, const struct func_mention *mention)
{
	struct func_mention *old;
	struct hash_slot *slot;

	if (table__expect(&o->mentioned, 1))
		return -ENOMEM;
	slot = mention_slot(o, mention);
	/* no slot: too many equal hashes in a row, which only input made for that has */
	if (!slot)
		return -ENOMEM;
	if (slot->id) {
		/* the earliest unit stands for all, whoever read it */
		old = &o->mentions[slot->id - 1];
		if (mention->unit < old->unit) {
			old->unit = mention->unit;
			old->decl_file = mention->decl_file;
			old->decl_line = mention->decl_line;
		}
		old->count += mention->count;
		old->doubts |= mention->doubts;
		old->external |= mention->external;
		old->folded |= mention->folded;
		return 0;
	}
	if (grow(&o->mentions, &o->cap_mentions, (uint64_t)o->nr_mentions + 1, sizeof(*mention)))
		return -ENOMEM;
	o->mentions[o->nr_mentions++] = *mention;
	return table__add(&o->mentioned, slot, mention_hash(mention), o->nr_mentions);
}

void observed__unmention(struct observed *o, const struct func_mention *mention)
{
	const struct hash_slot *slot = o->mentioned.slots ? mention_slot(o, mention) : NULL;

	if (slot && slot->id && o->mentions[slot->id - 1].count)
		o->mentions[slot->id - 1].count--;
}

int observed__variable(struct observed *o, const struct variable *var)
{
	if (grow(&o->vars, &o->cap_vars, (uint64_t)o->nr_vars + 1, sizeof(*var)))
		return -ENOMEM;
	o->vars[o->nr_vars++] = *var;
	return 0;
}

int observed__tag(struct observed *o, const struct tag_seen *tag)
{
	if (grow(&o->tags, &o->cap_tags, (uint64_t)o->nr_tags + 1, sizeof(*tag)))
		return -ENOMEM;
	o->tags[o->nr_tags++] = *tag;
	return 0;
}

static int merge_named(struct observed *to, const struct observed *from, const uint32_t *map)
{
	uint32_t i;

	if (grow(&to->named, &to->cap_named, (uint64_t)to->nr_named + from->nr_named,
		 sizeof(*to->named)) ||
	    grow(&to->unit_named, &to->cap_units, (uint64_t)to->nr_units + from->nr_units,
		 sizeof(*to->unit_named)))
		return -ENOMEM;
	for (i = 0; i < from->nr_units; i++) {
		struct unit_named *here = &to->unit_named[to->nr_units++];

		*here = from->unit_named[i];
		here->start += to->nr_named;
	}
	for (i = 0; i < from->nr_named; i++)
		to->named[to->nr_named + i] = map[from->named[i]];
	to->nr_named += from->nr_named;
	return 0;
}

int observed__merge(struct observed *to, const struct observed *from,
		    const uint32_t *map, const uint32_t *strings)
{
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < from->nr_bodies; i++) {
		struct func_body body = from->bodies[i];

		body.name = strings[body.name];
		body.proto = map[body.proto];
		body.proven = body.proven ? map[body.proven] : 0;
		err = observed__body(to, &body);
	}
	for (i = 0; !err && i < from->nr_mentions; i++) {
		struct func_mention mention = from->mentions[i];

		mention.name = strings[mention.name];
		mention.proto = map[mention.proto];
		err = observed__mention(to, &mention);
	}
	for (i = 0; !err && i < from->nr_vars; i++) {
		struct variable var = from->vars[i];

		var.name = strings[var.name];
		var.type = map[var.type];
		err = observed__variable(to, &var);
	}
	for (i = 0; !err && i < from->nr_tags; i++) {
		struct tag_seen tag = from->tags[i];

		tag.value = strings[tag.value];
		tag.param = strings[tag.param];
		if (tag.on == TAG_ON_TYPE)
			tag.target = map[tag.target];
		err = observed__tag(to, &tag);
	}
	return err ?: merge_named(to, from, map);
}

void observed__fit(struct observed *o, const struct fit *fit)
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
