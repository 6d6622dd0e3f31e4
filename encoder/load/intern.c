// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turn the recs of a group into what outlives it.  Of types: complete bit-fields, arrays and
 * prototypes, hash every rec's content, and find or make its node.  Of functions, variables and
 * tags: observations, which refer to nodes.
 */
#include <sys/param.h>

#include "load/load.h"
#include "types/fit.h"
#include "util/memory.h"
#include "util/msg.h"

/* Members, values and parameters: vlen is at most 65535, and one may be "..." */
#define MAX_ITEMS	65534

/* --- hashing ----------------------------------------------------------------- */

static int hash_rec(struct loader *l, uint32_t index, unsigned int depth);

/* The slow path of find_hashed(), for a type that must be looked up or hashed first. */
static __attribute__((noinline))
int64_t hash_ref(struct loader *l, struct rec *owner, uint32_t ref, unsigned int depth)
{
	uint32_t i = loader__find_target(l, ref);
	int err;

	if (i && l->recs.array[i].state < REC_DONE) {
		if (owner->state == REC_NEW)
			owner->state = REC_BUSY;
		err = hash_rec(l, i, depth + 1);
		if (unlikely(err))
			return err;
	}
	return i;
}

/*
 * Return: the index of the referenced rec, with its key computed; 0 for void.
 * For nearly every reference, the key is known already: only types, never aliases
 * or functions, are REC_DONE or REC_NAMED.
 */
static inline int64_t find_hashed(struct loader *l, struct rec *owner, uint32_t ref,
				  unsigned int depth)
{
	const struct recs *r = &l->recs;
	uint32_t i;

	if (likely(ref < r->at_size)) {
		i = r->at[ref >> AT_SHIFT];
		if (likely(i < r->nr && r->array[i].die == ref &&
			   r->array[i].state >= REC_DONE))
			return i;
	}
	return hash_ref(l, owner, ref, depth);
}

/*
 * Hash a rec.  References to it are hashed as its key, which equals its hash unless
 * it is REC_NAMED.
 * Return: the nesting depth of the unnamed types that it refers to; a negative errno.
 */
static inline __attribute__((always_inline))
int64_t hash_content(struct loader *l, struct rec *rec, unsigned int depth, const bool named)
{
	const struct recs *r = &l->recs;
	struct hash h = hash__new((uint64_t)rec->kind << 8 | rec->flags);
	bool has_refs = btf_kinds[rec->kind].types;
	uint32_t nested = 0;
	const struct rec *to;
	int64_t type;

	if (unlikely(rec->nr_items > MAX_ITEMS))
		rec->misfit = MISFIT_NUMBER;
	hash__add(&h, (uint64_t)rec->size << 32 | rec->nr_items,
		  name__hash(l, rec->name) ^ rec->encoding);
	if (rec->ref) {
		type = find_hashed(l, rec, rec->ref, depth);
		if (unlikely(type < 0))
			return type;
		to = &r->array[type];
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
		to = &r->array[type];
		nested = to->depth > nested ? to->depth : nested;
		/* combined first, to halve the chain of products */
		hash__add(&h, to->key.lo ^ hash_fold(name ^ HASH_K2, value ^ HASH_K0),
			  to->key.hi + value * HASH_K1 + name);
	}
	rec->hash = h;
	/* from registers: loading it right after storing it in two halves would stall */
	if (!named)
		rec->key = h;
	return nested;
}

static void empty_rec(struct rec *rec, enum misfit reason)
{
	rec->ref = REF_VOID;
	rec->first = rec->nr_items = 0;
	rec->misfit = reason;
}

/* Hash a rec without what it refers to. Return: as hash_content(). */
static __attribute__((noinline))
int64_t hash_emptied(struct loader *l, struct rec *rec, enum misfit reason)
{
	empty_rec(rec, reason);
	return hash_content(l, rec, 0, false);
}

/* Hash a rec that is REC_NEW. */
static inline __attribute__((always_inline))
int hash_new(struct loader *l, struct rec *rec, unsigned int depth)
{
	int64_t nested = hash_content(l, rec, depth, false);

	if (unlikely(nested >= MAX_CHAIN || nested == -ELOOP))
		nested = hash_emptied(l, rec, nested < 0 ? MISFIT_CYCLE : MISFIT_DEPTH);
	rec->depth = nested + 1;
	rec->state = REC_DONE;
	return nested < 0 ? nested : 0;
}

/* Return: 0, a negative errno, or -ELOOP if a type without a name contains itself. */
static int hash_rec(struct loader *l, uint32_t index, unsigned int depth)
{
	struct rec *rec = &l->recs.array[index];

	/* the type that refers to it becomes void, which ends the cycle */
	if (unlikely(rec->state == REC_BUSY))
		return -ELOOP;
	/*
	 * The type that began the chain may have MAX_CHAIN levels, so the last one becomes void
	 * a level before that, unless it refers to none.
	 */
	if (unlikely(depth >= MAX_CHAIN - 1 && (rec->ref != REF_VOID || rec->nr_items)))
		empty_rec(rec, MISFIT_DEPTH);
	return hash_new(l, rec, depth);
}

/* Make a rec a type that BTF cannot represent. */
static void void_rec(struct rec *rec, enum misfit reason)
{
	rec->kind = BTF_KIND_CONST;
	empty_rec(rec, reason);
}

/* An alias has no node: BTF cannot represent it if it leads to no type, or to one of another size. */
static void end_alias_chains(struct loader *l)
{
	struct recs *r = &l->recs;

	for_each(alias, &r->aliases) {
		struct rec *rec = &r->array[*alias], *to = rec;
		unsigned int n = 0;

		for (; to->kind == REC_ALIAS && n < MAX_CHAIN; n++)
			to = &r->array[recs__find(r, to->ref)];
		if (to->kind == REC_ALIAS)
			void_rec(rec, MISFIT_CYCLE);
		else if (rec->size && rec->size != loader__size_of(l, rec->ref))
			void_rec(rec, MISFIT_VALUE);
	}
}

/* --- dimensions ---------------------------------------------------------------- */

/* Return: the number of an enumeration's values, if they are consecutive. */
static uint64_t count_values(const struct recs *r, const struct rec *rec)
{
	uint64_t first = r->items.array[rec->first].value, nr = 0;

	for_each_item(item, r, rec)
		if (item->value - first != nr++)
			return UINT64_MAX;
	return nr ?: UINT64_MAX;
}

/*
 * Return: the number of values of an array's index type; 0 if it has no bounds, or they depend on
 * the program's state; more than UINT32_MAX if it is unknown.
 */
static uint64_t index_values(const struct recs *r, uint32_t ref)
{
	for (unsigned int n = 0; n < MAX_CHAIN; n++) {
		const struct rec *rec = &r->array[recs__find(r, ref)];

		if (rec->kind == BTF_KIND_ENUM || rec->kind == BTF_KIND_ENUM64)
			return count_values(r, rec);
		if (ref != REF_VOID && (!rec->kind || rec->kind == BTF_KIND_FUNC))
			return UINT64_MAX;
		/* a subrange */
		if (rec->kind == REC_ALIAS && rec->first)
			return r->items.array[rec->first].value;
		if (rec->kind != REC_ALIAS && rec->kind != BTF_KIND_TYPEDEF &&
		    rec->kind != BTF_KIND_CONST)
			return 0;
		ref = rec->ref;
	}
	return UINT64_MAX;
}

static void count_dimensions(struct recs *r)
{
	uint32_t index = REF_VOID;
	uint64_t nr = 0;

	for_each(d, &r->dimensions) {
		struct rec *array = &r->array[d->array];

		/* in C, all flexible arrays have the same */
		if (d->index != index)
			nr = index_values(r, d->index);
		index = d->index;
		if (nr > UINT32_MAX)
			array->misfit = MISFIT_COUNT;
		else if (d->item)
			r->items.array[d->item].value = nr;
		else
			array->size = nr;
	}
}

/* Return: the bytes of an array from a dimension on, or of another type (@dimension is UINT32_MAX). */
static uint64_t value_size(struct loader *l, uint32_t ref, const struct rec *rec, uint32_t dimension)
{
	uint64_t nr = 1;

	for (unsigned int n = 0; rec->kind == BTF_KIND_ARRAY && n < MAX_CHAIN; n++) {
		uint32_t k = 1;

		nr *= dimension ? 1 : rec->size;
		for_each_item(item, &l->recs, rec)
			nr *= k++ >= dimension ? item->value : 1;
		/* it must not overflow; real arrays are smaller */
		if (nr > UINT32_MAX)
			return 0;
		ref = rec->ref;
		rec = loader__resolve(l, ref);
		dimension = 0;
	}
	return nr * loader__size_of(l, ref);
}

/* The elements of an array in BTF are adjacent. */
static void check_strides(struct loader *l)
{
	for_each(stride, &l->recs.strides) {
		struct rec *array = &l->recs.array[stride->array];
		/* after the last dimension there is an element */
		uint32_t inner = stride->dimension == UINT32_MAX ? UINT32_MAX : stride->dimension + 1;

		if (stride->bits != 8 * value_size(l, REF_VOID, array, inner) || !stride->bits)
			array->misfit = MISFIT_STRIDE;
	}
}

/* --- nodes ------------------------------------------------------------------- */

/* Return: the reason why BTF cannot represent a node, if any. */
static enum misfit find_misfit(const struct node *n, const struct child *children)
{
	uint64_t max_offset = n->flags & TYPE_BITFIELDS ? 0xffffff : UINT32_MAX;

	if (n->flags & TYPE_FORWARD && !n->name && kind__is_struct(n->kind))
		return MISFIT_NAME;
	if (n->kind == BTF_KIND_ARRAY && !n->ref)
		return MISFIT_VALUE;
	if (!btf_kinds[n->kind].types)
		return FITS;
	for (uint32_t k = 0; k < n->nr_children; k++) {
		const struct child *c = &children[k];

		/* the kernel rejects the same (kernel/bpf/btf.c, btf_struct_check_meta()) */
		if (kind__is_struct(n->kind) &&
		    (c->value > max_offset || (c->value + 7) / 8 > n->size ||
		     (n->kind == BTF_KIND_UNION && c->value)))
			return MISFIT_OFFSET;
		if (!c->ref)
			return MISFIT_VALUE;
	}
	return FITS;
}

static int compare_children(const void *x, const void *y, void *arg)
{
	const struct string *strings = arg;
	const struct child *a = x, *b = y;

	/* At equal offsets, one has no size.  Sort by name: ids differ from run to run. */
	return cmp_int(a->value, b->value) ?: strcmp(strings[a->name].s, strings[b->name].s);
}

/* Fill a new node from its rec. */
static inline __attribute__((always_inline))
int fill_node(struct loader *l, const struct rec *rec, struct node *n)
{
	struct store *s = &l->store;
	uint32_t first = store__add_children(s, rec->nr_items), k = 0;
	int64_t name = loader__name_id(l, rec->die, rec->name);

	if (name < 0)
		return name;
	n->name = name;
	n->kind = rec->kind;
	n->flags = rec->flags;
	n->size = rec->size;
	n->ref = loader__node_of(l, rec->ref);
	n->child = first;
	n->nr_children = rec->nr_items;
	for_each_item(item, &l->recs, rec) {
		name = loader__name_id(l, rec->die, item->name);
		if (name < 0)
			return name;
		s->children[first + k++] = (struct child){
			.name = name, .ref = loader__node_of(l, item->ref),
			.value = item->value, .bits = item->bits,
		};
	}
	if (rec->kind == BTF_KIND_INT)
		n->encoding = rec->encoding;
	else
		n->misfit = rec->misfit ?: find_misfit(n, s->children + first);
	/* the kernel requires members to be sorted by offset */
	if (unlikely(!recs__is_ordered(&l->recs, rec)))
		qsort_r(s->children + first, k, sizeof(*s->children), compare_children,
			s->strings.array);
	return 0;
}

/* All types that new nodes refer to have nodes. */
static int fill_nodes(struct loader *l)
{
	const struct recs *r = &l->recs;
	int err = 0;

	for_each(i, &r->fresh) {
		const struct rec *rec = &r->array[*i];

		err = err ?: fill_node(l, rec, &l->store.nodes[rec->node]);
	}
	return err;
}

/* Abort if a rec differs from the node that was found by its hash. */
static int check_hits(struct loader *l)
{
	int err = 0;
#ifdef CHECK_HITS
	const struct rec *end = l->recs.array + l->recs.nr;
	uint32_t nr_children = l->store.nr_children;

	for (const struct rec *rec = l->recs.array + 1; !err && rec < end; rec++) {
		struct node n = {};

		if (!rec__has_node(rec))
			continue;
		err = fill_node(l, rec, &n);
		if (!err)
			store__check_hit(&l->store, &n, &l->store.nodes[rec->node]);
		l->store.nr_children = nr_children;
	}
#endif
	return err;
}

/* --- interning --------------------------------------------------------------- */

/* Find or create the node of a hashed rec. */
static inline int intern_rec(struct loader *l, uint32_t i, bool again)
{
	struct store *s = &l->store;
	struct rec *rec = &l->recs.array[i];
	uint32_t nr_nodes = s->nr_nodes;
	int64_t id = store__intern(s, rec->hash);

	if (unlikely(id < 0))
		return id;
	rec->node = id;
	if (unlikely(again))
		return 0;
	if (unlikely(id >= nr_nodes))
		loader__add_fresh(l, i);
	/* a function's prototype is only written with its FUNC */
	if (unlikely(recs__is_prototype(&l->recs, i)))
		s->nodes[id].functions++;
	else
		s->hashes[id].uses++;
	return 0;
}

/*
 * Named types come last, when all types that they refer to have been hashed.  If the group is
 * read again, all nodes exist, and their uses include it.  Last of all, it is known whether there
 * is a wrong reference.
 */
static int intern_all(struct loader *l, bool again)
{
	struct observed *o = &l->observed;
	struct recs *r = &l->recs;
	int64_t err = 0;

	for (uint32_t i = REC_ODD + 1; !err && i < r->nr; i++) {
		struct rec *rec = &r->array[i];

		if (rec->state == REC_NAMED || !rec__has_node(rec))
			continue;
		if (rec->state != REC_DONE)
			err = hash_new(l, rec, 0);
		err = err ?: intern_rec(l, i, again);
	}
	if (!again)
		push(&o->units, (struct unit_named){ r->group.array[0].unit, o->named.nr });
	for (uint32_t k = 0; !err && k < r->named.nr; k++) {
		uint32_t i = r->named.array[k];

		err = hash_content(l, &r->array[i], 0, true);
		err = err < 0 ? err : intern_rec(l, i, again);
		if (!err && !again)
			push(&o->named, r->array[i].node);
	}
	for_each(var, &r->vars)
		loader__find_target(l, var->ref);
	if (unlikely(rec__has_node(&r->array[REC_ODD])) && !err) {
		err = hash_new(l, &r->array[REC_ODD], 0);
		err = err ?: intern_rec(l, REC_ODD, again);
	}
	return err;
}

/* --- observations ------------------------------------------------------------ */

/* Return: the description of a function, with ids of the store. */
static struct func_facts facts_of(const struct recs *r, const struct func_rec *func)
{
	const struct rec *recs = r->array, *rec = &recs[func->rec];

	return (struct func_facts){
		.name = rec->name, .desc = rec->die, .unit = func->unit,
		.proto = recs[func->proto_rec].node, .proven = recs[func->proven_rec].node,
		.decl_unit = func->decl_unit, .decl_file = func->decl_file,
		.decl_line = func->decl_line, .doubts = func->doubts, .external = func->external };
}

static struct func_mention mention_of(const struct recs *r, const struct func_rec *func)
{
	struct func_mention m = { .facts = facts_of(r, func), .nr_units = 1,
				  .declared = func->declared, .folded = !func->inlined };

	m.facts.desc = 0;
	return m;
}

/* More than endbr64 or bti plus the space that kernels let ftrace patch; the code of others is not read. */
#define MAX_EMPTY	32

static void observe_bodies(struct loader *l, const struct func_rec *func)
{
	const struct recs *r = &l->recs;
	bool check_empty = l->opts->prove && !l->dw->units[func->unit].assembler;
	struct func_body body = { .facts = facts_of(r, func) };

	for (uint32_t k = 0; k < func->nr_ranges; k++) {
		const struct code_range *range = &r->ranges.array[func->range + k];

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
			seen.desc = desc__id(tag->unit, r->vars.array[tag->target].var.desc);
		} else if (tag->on == TAG_ON_FUNC) {
			param = loader__name_id(l, rec->die, r->items.array[tag->item].name);
			seen.desc = desc__id(tag->unit, rec->die);
		} else {
			seen.type = rec->node;
		}
		if (param < 0)
			return param;
		seen.param = param;
		push(&l->observed.tags, seen);
	}
	return 0;
}

static int observe_group(struct loader *l)
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
			err = observed__add_mention(&l->observed, &mention);
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

/* Undo the mentions of a group that is read again. */
static void drop_mentions(struct loader *l)
{
	for_each(func, &l->recs.funcs) {
		const struct func_mention mention = mention_of(&l->recs, func);

		if (!func->body && !func->guest)
			observed__drop_mention(&l->observed, &mention);
	}
}

/* --- all together ------------------------------------------------------------ */

int loader__intern(struct loader *l, const struct conflicts *conflicts)
{
	struct recs *r = &l->recs;
	int err;

	count_dimensions(r);
	check_strides(l);
	loader__drop_excluded(l);
	end_alias_chains(l);
	/*
	 * DW_AT_bit_offset (up to DWARF 4) of a little endian machine is relative to the end of
	 * the storage unit.  If the DIE does not contain the size of that unit, it is the size
	 * of the type.
	 */
	if (r->from_end) {
		for_each(item, &r->items) {
			if (!item->from_end)
				continue;
			item->value += loader__size_of(l, item->ref) * 8;
			item->from_end = false;
		}
	}
	err = loader__add_prototypes(l);
	/* BTF arrays have one dimension: nest them, with the first dimension outermost */
	for_each(array, &r->arrays) {
		const struct rec whole = r->array[*array];
		uint32_t outer = *array, inner;

		r->array[outer].nr_items = 0;
		r->array[outer].first = 0;
		for_each_item(item, r, &whole) {
			inner = recs__add(r, (struct rec){ .kind = BTF_KIND_ARRAY,
							      .size = item->value });
			r->array[outer].ref = REF_INDEX | inner;
			outer = inner;
		}
		r->array[outer].ref = whole.ref;
	}
	err = err ?: intern_all(l, conflicts != NULL);
	if (!err && conflicts) {
		/* it looks for the nodes that the unit had when it was first read */
		drop_mentions(l);
		err = loader__make_variants(l, conflicts);
	}
	err = err ?: fill_nodes(l);
	err = err ?: check_hits(l);
	return err ?: observe_group(l);
}
