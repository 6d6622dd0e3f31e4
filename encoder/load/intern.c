// SPDX-License-Identifier: GPL-2.0-only
/*
 * From records to nodes: hash every record's content, find or make its node,
 * and save what the functions and variables said under node ids.
 */
#include <inttypes.h>
#include <linux/btf.h>

#include "load/load.h"
#include "types/fit.h"
#include "util/grow.h"

/* Members, values and parameters, of which vlen can say 65535; one may be "..." */
#define MAX_ITEMS	65534

/* --- arrays ------------------------------------------------------------------ */

/* BTF has arrays of one dimension: nest them, the first one outermost. */
static int unfold_array(struct loader *l, uint32_t index)
{
	struct records *r = &l->records;
	uint32_t element = r->recs.array[index].ref, at = index, i = r->recs.array[index].first;

	r->recs.array[index].nr_items = 0;
	r->recs.array[index].first = 0;
	for (; i; i = r->items.array[i].next) {
		int64_t inner = records__add(r, (struct rec){ .kind = BTF_KIND_ARRAY,
							      .size = r->items.array[i].value });

		if (inner < 0)
			return inner;
		r->recs.array[at].ref = REF_INDEX | inner;
		at = inner;
	}
	r->recs.array[at].ref = element;
	return 0;
}

/* --- hashing ----------------------------------------------------------------- */

static int hash_record(struct loader *l, uint32_t index, unsigned int depth);

/* The slow path of find_hashed(), for a type that has to be looked for or hashed first. */
static __attribute__((noinline))
int64_t hash_ref(struct loader *l, struct rec *owner, uint32_t ref, unsigned int depth)
{
	int64_t i = loader__find_target(l, owner->die, ref);
	int err;

	if (i > 0 && l->records.recs.array[i].state < REC_DONE) {
		if (owner->state == REC_NEW)
			owner->state = REC_BUSY;
		err = hash_record(l, i, depth + 1);
		if (unlikely(err))
			return err;
	}
	return i;
}

/*
 * The index of the record of a reference, once its key is known; 0 for void.
 * Nearly every reference leads to a DIE whose key is known: only types, never
 * aliases or functions, are REC_DONE or REC_NAMED.
 */
static inline int64_t find_hashed(struct loader *l, struct rec *owner, uint32_t ref,
				  unsigned int depth)
{
	const struct records *r = &l->records;
	uint32_t i;

	if (likely(ref < r->at_size)) {
		i = r->at[ref >> AT_SHIFT];
		if (likely(i < r->recs.nr && r->recs.array[i].die == ref &&
			   r->recs.array[i].state >= REC_DONE))
			return i;
	}
	return hash_ref(l, owner, ref, depth);
}

/*
 * Hash a record.  Its key, which references to it are hashed as, is the same unless it is
 * REC_NAMED.
 * Return: the nesting depth of the types without a name that it refers to; a negative errno.
 */
static inline __attribute__((always_inline))
int64_t hash_content(struct loader *l, struct rec *rec, unsigned int depth, const bool named)
{
	const struct records *r = &l->records;
	struct hash h = hash__new((uint64_t)rec->kind << 8 | rec->flags);
	bool has_refs = rec__items_have_refs(rec);
	uint32_t nested = 0;
	const struct rec *to;
	int64_t type;

	if (unlikely(rec->nr_items > MAX_ITEMS))
		rec->encoding = MISFIT_NUMBER;
	hash__add(&h, (uint64_t)rec->size << 32 | rec->nr_items,
		  name__hash(l, rec->name) ^ rec->encoding);
	if (rec->ref) {
		type = find_hashed(l, rec, rec->ref, depth);
		if (unlikely(type < 0))
			return type;
		to = &r->recs.array[type];
		nested = to->depth;
		hash__add(&h, to->key.lo, to->key.hi);
	}
	for_each_item(item, r, rec) {
		uint64_t name = name__hash(l, item->name);
		uint64_t value = item->value + ((uint64_t)item->bits << 56);

		if (!has_refs) {
			hash__add(&h, name, value);
			continue;
		}
		type = find_hashed(l, rec, item->ref, depth);
		if (unlikely(type < 0))
			return type;
		to = &r->recs.array[type];
		nested = to->depth > nested ? to->depth : nested;
		/* put together first, so that the chain of products is half as long */
		hash__add(&h, to->key.lo ^ hash_fold(name ^ HASH_K2, value ^ HASH_K0),
			  to->key.hi + value * HASH_K1 + name);
	}
	rec->hash = h;
	/* from registers: to load what was just stored in two halves would stall */
	if (!named)
		rec->key = h;
	return nested;
}

/* Hash a record that is REC_NEW. */
static inline __attribute__((always_inline))
int hash_new(struct loader *l, struct rec *rec, unsigned int depth)
{
	int64_t nested = hash_content(l, rec, depth, false);

	if (unlikely(nested >= MAX_CHAIN)) {
		rec->state = REC_NEW;
		return hash_record(l, rec - l->records.recs.array, MAX_CHAIN);
	}
	rec->depth = nested + 1;
	rec->state = REC_DONE;
	return nested < 0 ? nested : 0;
}

static int hash_record(struct loader *l, uint32_t index, unsigned int depth)
{
	struct rec *rec = &l->records.recs.array[index];

	if (unlikely(rec->state == REC_BUSY))
		return loader__report_type(l, rec->die, "a type that contains itself without a name to go by");
	/* one level early: this type becomes void, and the one at the chain's start is kept */
	if (unlikely(depth >= MAX_CHAIN - 1)) {
		rec->ref = REF_VOID;
		rec->first = rec->nr_items = 0;
		rec->encoding = MISFIT_DEPTH;
	}
	return hash_new(l, rec, depth);
}

/* DWARF 2 counts a bit-field from the end of what holds it: of its type. */
static void settle_bitfields(struct loader *l, const struct rec *rec)
{
	for_each_item(item, &l->records, rec) {
		if (item->place != PLACE_FROM_END)
			continue;
		item->value += loader__size_of(l, item->ref) * 8;
		item->place = 0;
	}
}

static int prepare_records(struct loader *l)
{
	struct records *r = &l->records;
	int err = 0;

	for (uint32_t i = 1; r->from_end && i < r->recs.nr; i++)
		if (r->recs.array[i].flags & TYPE_BITFIELDS)
			settle_bitfields(l, &r->recs.array[i]);
	for_each(array, &r->arrays)
		err = err ?: unfold_array(l, *array);
	return err;
}

/* --- interning --------------------------------------------------------------- */

/**
 * struct interning - one group's way into the store
 * @unit:	its first unit
 * @again:	it is read again: every node is there, and has counted this unit
 * @fresh:	records that made a new node
 */
struct interning {
	uint32_t	unit;
	bool		again;
	VECTOR(uint32_t) fresh;
};

/* A record that is the first one with its content. */
static int add_fresh(struct loader *l, struct interning *in, uint32_t i)
{
	l->store.nodes[l->records.recs.array[i].node].first = (uint64_t)in->unit << 32 | i;
	return push(&in->fresh, i);
}

/* Find or make the node of a record that was hashed. */
static inline int intern_record(struct loader *l, struct interning *in, uint32_t i)
{
	struct store *s = &l->store;
	struct rec *rec = &l->records.recs.array[i];
	uint32_t nr_nodes = s->nr_nodes;
	int64_t id = store__intern(s, rec->hash);

	if (unlikely(id < 0))
		return id;
	rec->node = id;
	if (unlikely(in->again))
		return 0;
	if (unlikely(id >= nr_nodes) && add_fresh(l, in, i))
		return -ENOMEM;
	if (unlikely(records__is_prototype(&l->records, i)))
		s->nodes[id].functions++;
	else
		s->hashes[id].seen++;
	return 0;
}

static inline bool has_node(const struct rec *rec)
{
	return rec->kind != BTF_KIND_FUNC && rec->kind != REC_ALIAS;
}

/* Named types come last: all that they refer to has been hashed then. */
static int intern_all(struct loader *l, struct interning *in)
{
	struct records *r = &l->records;
	int64_t err = 0;

	for (uint32_t i = 1; !err && i < r->recs.nr; i++) {
		struct rec *rec = &r->recs.array[i];

		if (rec->state == REC_NAMED || !has_node(rec))
			continue;
		if (rec->state != REC_DONE)
			err = hash_new(l, rec, 0);
		err = err ?: intern_record(l, in, i);
	}
	if (!err && !in->again)
		err = observed__unit(&l->observed, in->unit);
	for (uint32_t k = 0; !err && k < r->named.nr; k++) {
		uint32_t i = r->named.array[k];

		err = hash_content(l, &r->recs.array[i], 0, true);
		err = err < 0 ? err : intern_record(l, in, i);
		if (!err && !in->again)
			err = observed__named(&l->observed, r->recs.array[i].node);
	}
	/* what they refer to has its node now */
	for_each(i, &in->fresh)
		err = err ?: loader__fill_node(l, &r->recs.array[*i]);
	for (uint32_t i = 1; CHECKS_HITS && !err && i < r->recs.nr; i++)
		if (has_node(&r->recs.array[i]))
			err = loader__check_hit(l, &r->recs.array[i]);
	free(in->fresh.array);
	return err;
}

/* What DWARF calls an address: of a relocatable file, an offset in a section. */
static void find_place(const struct loader *l, uint64_t *address, uint32_t *section)
{
	*section = 0;
	if (l->dw->relocator)
		relocator__place(l->dw->relocator, *address, section, address);
}

/*
 * What cannot return, nor be reached, may have no code (__builtin_unreachable()), or
 * none behind the space that ftrace patches.  It runs into what comes next.
 */
static bool is_empty(const struct loader *l, const struct func_rec *func,
		     const struct code_range *range)
{
	return l->opts->proven && !l->dw->units[func->unit].assembler &&
	       (range->start == range->end ||
		code__is_idle(l->dw, range->start, range->end));
}

/* What a record of a function contains, with ids of the store. */
static struct func_facts facts_of(const struct records *r, const struct func_rec *func)
{
	const struct rec *rec = &r->recs.array[func->rec];

	return (struct func_facts){
		.name = rec->name, .proto = r->recs.array[func->proto].node,
		.proven = func->proven ? r->recs.array[func->proven].node : 0,
		.unit = func->unit, .die = rec->die, .decl_file = func->decl_file,
		.decl_line = func->decl_line, .doubts = func->doubts, .external = func->external,
	};
}

static struct func_mention mention_of(const struct records *r, const struct func_rec *func)
{
	struct func_mention m = { .facts = facts_of(r, func), .count = 1,
				  .declared = func->declared, .folded = !func->inlined };

	m.facts.die = 0;
	return m;
}

static int observe_bodies(struct loader *l, const struct func_rec *func)
{
	const struct records *r = &l->records;
	struct func_body body = { .facts = facts_of(r, func) };
	int err = 0;

	for (uint32_t k = 0; !err && k < func->nr_entries; k++) {
		const struct code_range *range = &r->entries.array[func->entry + k];

		body.address = range->start;
		body.size = range->end > range->start ? range->end - range->start : 0;
		body.facts.doubts = func->doubts | (is_empty(l, func, range) ? DOUBT_EMPTY : 0);
		find_place(l, &body.address, &body.section);
		err = push(&l->observed.bodies, body);
	}
	return err;
}

static int observe_mention(struct loader *l, const struct func_rec *func)
{
	const struct func_mention mention = mention_of(&l->records, func);

	return observed__mention(&l->observed, &mention);
}

static int observe_funcs(struct loader *l)
{
	int err = 0;

	for_each(func, &l->records.funcs)
		if (!err && l->records.recs.array[func->rec].name && !func->guest)
			err = func->body ? observe_bodies(l, func) : observe_mention(l, func);
	return err;
}

/* Take back what the unit said of functions when it was read first. */
static void unmention_funcs(struct loader *l)
{
	for_each(func, &l->records.funcs) {
		const struct func_mention mention = mention_of(&l->records, func);

		if (!func->body && !func->guest)
			observed__unmention(&l->observed, &mention);
	}
}

static int observe_vars(struct loader *l)
{
	struct records *r = &l->records;
	int err = 0;

	for_each(var, &r->vars) {
		int64_t type = loader__find_target(l, var->die, var->ref);

		if (type < 0)
			return type;
		err = err ?: push(&l->observed.vars, (struct variable){
			.address = var->address, .section = var->section, .name = var->name,
			.type = type ? r->recs.array[type].node : 0, .unit = var->unit,
			.die = var->die, .external = var->external });
	}
	return err;
}

static int observe_tags(struct loader *l)
{
	struct records *r = &l->records;
	int err = 0;

	for_each(tag, &r->tags) {
		struct tag_seen seen = { .value = tag->value, .component = tag->component,
					 .unit = tag->unit };
		int64_t param;

		/* a member that has moved is not known by its number */
		if (tag->component >= 0 && !tag->on_var &&
		    !loader__is_ordered(l, &r->recs.array[tag->target]))
			continue;
		if (tag->on_var) {
			seen.on = TAG_ON_VAR;
			seen.target = (uint64_t)tag->unit << 32 | r->vars.array[tag->target].die;
		} else if (r->recs.array[tag->target].kind == BTF_KIND_FUNC) {
			seen.on = TAG_ON_FUNC;
			seen.target = (uint64_t)tag->unit << 32 | r->recs.array[tag->target].die;
			param = loader__name_id(l, r->recs.array[tag->target].die, r->items.array[tag->item].name);
			if (param < 0)
				return param;
			seen.param = param;
		} else {
			seen.on = TAG_ON_TYPE;
			seen.target = r->recs.array[tag->target].node;
		}
		err = err ?: push(&l->observed.tags, seen);
	}
	return err;
}

int loader__intern(struct loader *l, uint32_t first, const struct conflicts *conflicts)
{
	struct interning in = { .unit = first, .again = conflicts };
	int err;

	err = loader__add_prototypes(l);
	err = err ?: prepare_records(l);
	err = err ?: intern_all(l, &in);
	if (!err && conflicts) {
		unmention_funcs(l);
		err = loader__make_variants(l, first, conflicts);
	}
	err = err ?: observe_funcs(l);
	err = err ?: observe_vars(l);
	err = err ?: observe_tags(l);
	return err;
}
