// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check whether the code of functions matches their prototypes.
 *
 * A compiler that knows all callers of a function may change its signature.  DWARF's
 * description of the parameters is checked here: either by proof, since the prototype
 * of a FUNC with an address must match the code, or like pahole.
 */
#include <elf.h>
#include <limits.h>
#include <sys/param.h>

#include "image/machine.h"
#include "load/load.h"
#include "util/memory.h"

/* --- types of parameters ------------------------------------------------------ */

/* Limit for nested types when an alignment is computed. */
#define MAX_DEPTH	32

/*
 * Return: the natural alignment of a type, the largest of its elements' alignments.
 * The record of a struct or union keeps it until the record is hashed.
 */
static uint64_t natural_alignment(struct loader *l, uint32_t ref, unsigned int depth)
{
	struct rec *rec = loader__resolve(l, ref);
	uint64_t size, max = 1;

	if (!depth)
		return 1;
	switch (rec->kind) {
	case BTF_KIND_ARRAY:
		return natural_alignment(l, rec->ref, depth - 1);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (rec->hash.lo)
			return rec->hash.lo;
		rec->hash.lo = 1; /* in case it contains itself */
		for_each_item(item, &l->records, rec)
			max = MAX(max, natural_alignment(l, item->ref, depth - 1));
		return rec->hash.lo = max;
	default:
		size = loader__size_of(l, ref);
		return size && size <= 16 && !(size & (size - 1)) ? size : 1;
	}
}

/*
 * Test whether a named struct is packed: a member, or its size, breaks natural alignment.
 * Its record keeps the result until it is hashed.
 */
static bool is_packed(struct loader *l, struct rec *rec)
{
	bool packed = false;
	uint64_t max = 1;

	if (rec->hash.hi)
		return rec->hash.hi == 2;
	for_each_item(item, &l->records, rec) {
		uint64_t align = natural_alignment(l, item->ref, MAX_DEPTH);

		if (item->bits)
			continue;
		packed |= item->value % (align * 8) != 0;
		max = MAX(max, align);
	}
	packed |= rec->size % max != 0;
	rec->hash.hi = packed ? 2 : 1;
	return packed;
}

/* --- name and parameters of the abstract instance ------------------------------ */

static struct func_rec *find_func(struct records *r, uint32_t ref)
{
	uint32_t rec = records__find(r, ref), i;

	/* functions are sorted by record */
	i = first_not_before(at, r->funcs.nr, r->funcs.array[at].rec < rec);
	return rec && i < r->funcs.nr && r->funcs.array[i].rec == rec ? &r->funcs.array[i] : NULL;
}

/* Maximum number of parameters to search if they are out of order. */
#define MAX_PARAMS	256

/*
 * Copy names and types of the abstract parameters to a body's parameters.  The
 * compiler lists parameters that it kept first, so both fewer parameters and a
 * different order mean that an argument is not passed.
 */
static uint16_t adopt_params(struct records *r, struct rec *rec, const struct rec *origin)
{
	uint16_t doubts = rec->nr_items != origin->nr_items ? DOUBT_REMOVED : 0;
	/* items.array[0] is unused, and has no next item */
	struct item *none = r->items.array, *from = none + origin->first;
	struct param_facts *to;

	for_each_item(item, r, rec) {
		/* the order is usually the same, and this is the next one */
		if (item->origin && from->die != item->origin) {
			doubts |= DOUBT_REORDERED;
			from = none + origin->first;
			for (uint32_t n = 1; from != none && from->die != item->origin; n++)
				from = n < MAX_PARAMS ? none + from->next : none;
		}
		if (item->origin && from != none) {
			item->name = item->name ?: from->name;
			item->ref = item->ref ?: from->ref;
			/* pahole also applies facts about it to the abstract parameter */
			to = &from->facts;
			to->flags |= item->facts.flags;
			to->seen = item->facts.seen ?: to->seen;
			to->seen_large = item->facts.seen_large ?: to->seen_large;
			to->pieces[0] |= item->facts.pieces[0];
			to->pieces[1] |= item->facts.pieces[1];
		}
		from = none + from->next;
	}
	return doubts;
}

static void adopt_origin(struct records *r, struct func_rec *func)
{
	struct rec *rec = &r->recs.array[func->rec];
	struct func_rec *from = func;
	uint16_t doubts = 0;
	unsigned int n;

	for (n = 0; from->origin && n < 8; n++) {
		const struct rec *origin;

		from = find_func(r, from->origin);
		if (!from || from == func)
			break;
		origin = &r->recs.array[from->rec];
		if (!rec->name)
			rec->name = origin->name;
		if (!rec->ref)
			rec->ref = origin->ref;
		rec->flags |= origin->flags & TYPE_VARARGS;
		func->facts.external |= from->facts.external;
		func->changed |= from->changed;
		func->foreign |= from->foreign;
		func->source = from->rec;
		if (!func->facts.decl_line) {
			func->facts.decl_file = from->facts.decl_file;
			func->facts.decl_line = from->facts.decl_line;
		}
		doubts |= adopt_params(r, rec, origin);
	}
	if (func->body)
		func->facts.doubts |= doubts;
}

/* --- by proof -------------------------------------------------------------------- */

/* For arguments that are not passed in whole registers. */
#define NOT_JUDGED	-1

/*
 * Compute the number of registers for an argument.
 *
 * Return: the number, 0 for an argument in memory, NOT_JUDGED if it depends on
 * parts of the psABI that are not implemented here.
 */
static int registers_of(struct loader *l, const struct item *item)
{
	const struct machine *machine = machine__find(l->dw->img->machine);
	unsigned int word = l->dw->img->is_64 ? 8 : 4;
	const struct rec *type = loader__resolve(l, item->ref);

	switch (type->kind) {
	case BTF_KIND_PTR:
		return 1;
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		if (type->size <= word)
			return 1;
		return machine->id == EM_ARM && type->size == 8 ? 2 : NOT_JUDGED;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		/* x86-64 psABI, 3.2.3: more than two words are in memory */
		return machine->id == EM_X86_64 && type->size > 16 ? 0 : NOT_JUDGED;
	default:
		return NOT_JUDGED;
	}
}

/* The first register may point to the place where an aggregate is returned. */
static bool returns_aggregate(struct loader *l, const struct rec *rec)
{
	uint8_t kind = loader__resolve(l, rec->ref)->kind;

	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION || kind == BTF_KIND_ARRAY;
}

/* Test for an argument register other than the @index-th. */
static bool is_another_register(const struct machine *machine, uint8_t reg, unsigned int index)
{
	for (unsigned int i = 0; i < machine->nr_args; i++)
		if (i != index && machine__arg(machine, i) == reg)
			return true;
	return false;
}

/*
 * Test whether an argument is passed in the place of another one.  Ignore registers that do
 * not pass arguments: the compiler keeps it there later.  Without a location list, DWARF cannot
 * record when, and gcc 14 is early by one instruction with a va_list on AArch64.
 */
static bool is_misplaced(struct loader *l, const struct func_rec *func)
{
	const struct machine *machine = machine__find(l->dw->img->machine);
	unsigned int nr = machine->nr_args, next = 0;
	bool clang = l->dw->units[func->facts.unit].clang;
	const struct rec *rec = &l->records.recs.array[func->rec];

	if (returns_aggregate(l, rec) || !nr)
		return false;
	for_each_item(item, &l->records, rec) {
		int taken = registers_of(l, item);

		/* clang uses more registers for a function if it knows all callers */
		if (next == nr && clang && item->facts.entry == ENTRY_REGISTER)
			return true;
		/* AAPCS, 6.5: a doubleword is in an even register and the next */
		next += taken == 2 && next % 2;
		if (taken == NOT_JUDGED || (next < nr && next + taken > nr))
			break;
		if (next == nr)
			continue;
		/*
		 * gcc does not record ms_abi. Its callers reserve space on the stack for the
		 * registers, too, where the function stores them at -O0. C callers on x86-64 don't.
		 */
		if (taken && item->facts.entry == ENTRY_CALLER && machine->id == EM_X86_64)
			return true;
		if (taken && (item->facts.entry == ENTRY_REGISTER ||
			      item->facts.entry == ENTRY_COMPUTED) &&
		    is_another_register(machine, item->facts.entry_register, next))
			return true;
		next += taken;
	}
	return false;
}

/* clang 14 may use registers for the members of a struct that must be passed in memory. */
static bool has_scattered_struct(struct loader *l, const struct func_rec *func)
{
	const struct machine *machine = machine__find(EM_X86_64);

	if (!l->dw->units[func->facts.unit].clang || l->dw->img->machine != EM_X86_64)
		return false;
	for_each_item(item, &l->records, &l->records.recs.array[func->rec])
		if (item->facts.entry == ENTRY_PIECES && !registers_of(l, item) &&
		    is_another_register(machine, item->facts.entry_register, UINT_MAX))
			return true;
	return false;
}

/* gcc's preserve_none on x86-64 starts with r12 to r15, and DWARF does not record it. */
static bool is_preserve_none(struct loader *l, const struct rec *rec)
{
	unsigned int reg = 12;

	if (l->dw->img->machine != EM_X86_64)
		return false;
	for_each_item(item, &l->records, rec)
		if (reg < 16 && (item->facts.entry != ENTRY_REGISTER ||
				 item->facts.entry_register != reg++))
			return false;
	return rec->first;
}

/* Return: the body's parameter for a parameter of the source, or NULL. */
static struct item *find_param(struct records *r, const struct func_rec *func,
			       struct item *source)
{
	uint32_t n = 0;

	if (func->source == func->rec)
		return source;
	for_each_item(item, r, &r->recs.array[func->rec]) {
		if (n++ == MAX_PARAMS)
			break;
		if (item->origin == source->die)
			return item;
	}
	return NULL;
}

/**
 * is_proven() - test whether the contents of all argument registers are known
 * @dropped:	gets the number of parameters that are constants
 *
 * Each parameter of the source must be a constant (gcc only), or be passed in the next
 * register after the previous parameter.  Otherwise, it is unknown whether something else
 * is passed in its place.
 */
static bool is_proven(struct loader *l, const struct func_rec *func, uint32_t *dropped)
{
	const struct machine *machine = machine__find(l->dw->img->machine);
	struct records *r = &l->records;
	const struct rec *source = &r->recs.array[func->source], *rec = &r->recs.array[func->rec];
	uint32_t next = 0, found = 0;

	*dropped = 0;
	if (!machine->nr_args || source->flags & TYPE_VARARGS ||
	    returns_aggregate(l, rec))
		return false;
	for_each_item(param, r, source) {
		const struct item *item = find_param(r, func, param);

		if (!item)
			return false;
		found++;
		if (item->facts.entry == ENTRY_CONSTANT) {
			/*
			 * clang omits the location of a parameter that is assigned to before
			 * the first instruction: it may be passed anyway
			 */
			if (l->dw->units[func->facts.unit].clang)
				return false;
			++*dropped;
			continue;
		}
		if (item->facts.entry != ENTRY_REGISTER ||
		    registers_of(l, item) != 1 ||
		    item->facts.entry_register != machine__arg(machine, next))
			return false;
		next++;
	}
	/* a parameter that is not in the source also uses a register */
	return found == rec->nr_items;
}

/* --- prototypes ------------------------------------------------------------------ */

/* Return: the doubts that apply to both ways of checking a function. */
static uint16_t judge_types(struct loader *l, const struct func_rec *func)
{
	unsigned int in_registers = pahole__nr_registers(l->dw->img->machine), n = 0;
	struct records *r = &l->records;
	const struct rec *rec = &r->recs.array[func->rec];
	uint16_t doubts = 0;

	for_each_item(item, r, rec) {
		struct rec *type = &r->recs.array[records__find(r, item->ref)];

		if (!item->name)
			doubts |= DOUBT_UNNAMED;
		if (n++ >= in_registers && rec->nr_items >= in_registers && type->name &&
		    type->kind == BTF_KIND_STRUCT && is_packed(l, type))
			doubts |= DOUBT_PACKED;
	}
	return doubts;
}

/* Add a prototype's record. For the DIE, records__find() must still find the function. */
static uint32_t add_prototype(struct records *r, uint32_t of)
{
	struct rec proto = r->recs.array[of];

	proto.kind = BTF_KIND_FUNC_PROTO;
	proto.name = 0;
	return records__add(r, proto);
}

/* Replace a parameter by "NAME__MEMBER", with the member's type. */
static int take_member(struct loader *l, uint32_t index)
{
	struct item *item = &l->records.items.array[index];
	const struct item *member = &l->records.items.array[item->member];
	struct strings *strings = &l->store.strings;
	int64_t param = loader__name_id(l, item->die, item->name), name, id;

	name = loader__name_id(l, item->die, member->name);
	if (param < 0 || name < 0)
		return param < 0 ? param : name;
	id = strings__add_owned(strings, xasprintf("%s__%s", strings->array[param].s,
						   strings->array[name].s));
	if (id < 0)
		return id;
	item->name = id;
	item->ref = member->ref;
	return 0;
}

/* Test for a parameter that a body does not get: by proof, or like pahole's true_signature. */
static bool is_dropped(const struct loader *l, const struct func_rec *func,
		       const struct item *item)
{
	bool optimized = item->facts.flags & PARAM_OPTIMIZED;
	bool located = item->facts.flags & PARAM_LOCATION;

	if (l->opts->proven)
		return item->facts.entry == ENTRY_CONSTANT;
	return (func->facts.doubts & DOUBT_REORDERED && (optimized || !located)) ||
	       (func->changed && optimized);
}

/* Add a prototype without dropped parameters, in the order of @func->source. */
static int make_prototype(struct loader *l, const struct func_rec *func, uint32_t *ret)
{
	struct records *r = &l->records;
	uint32_t at, next, i;
	int err = 0;

	*ret = add_prototype(r, func->rec);
	r->recs.array[*ret].first = r->recs.array[*ret].nr_items = 0;
	/* adding items may move the others */
	for (at = r->recs.array[func->source].first; !err && at; at = next) {
		const struct item *item = find_param(r, func, &r->items.array[at]);

		next = r->items.array[at].next;
		if (!item || is_dropped(l, func, item))
			continue;
		i = records__add_item(r, *ret, *item);
		if (r->items.array[i].facts.flags & PARAM_MEMBER)
			err = take_member(l, i);
	}
	return err;
}

/* Test whether a word of a struct has no location. */
static bool lacks_word(struct loader *l, const struct item *item)
{
	const struct param_facts *facts = &item->facts;
	unsigned int word = l->dw->img->is_64 ? 8 : 4;

	return !facts->pieces[0] ||
	       (loader__resolve(l, item->ref)->size > word && !facts->pieces[1]);
}

/*
 * clang marks a signature as changed only if it removed a parameter without replacement:
 * not if it passes members of the parameter's pointee instead (ArgumentPromotion), nor if
 * callers pass arbitrary values because the code does not use them
 * (DeadArgumentElimination).  In both cases, the parameter has no location, or that of the
 * first value assigned to it, or a word of a struct has no location.  The same is true for
 * unused parameters of a callback, but functions only called by address are not changed.
 *
 * clang before 17 does not mark removed parameters either, such as a struct that is equal
 * for all callers.  If its address is taken, DWARF records where it is kept, but not
 * whether it was passed.
 */
static bool may_have_changed(struct loader *l, const struct func_rec *func)
{
	const struct machine *machine = machine__find(l->dw->img->machine);
	unsigned int clang = l->dw->units[func->facts.unit].clang;

	if (!func->called)
		return false;
	for_each_item(item, &l->records, &l->records.recs.array[func->rec]) {
		const struct param_facts *facts = &item->facts;

		if (facts->entry == ENTRY_UNKNOWN || facts->entry == ENTRY_CONSTANT ||
		    (facts->entry == ENTRY_PIECES && lacks_word(l, item)) ||
		    (facts->entry == ENTRY_OTHER && clang && clang < 17 &&
		     registers_of(l, item) == NOT_JUDGED) ||
		    (facts->entry == ENTRY_REGISTER &&
		     !is_another_register(machine, facts->entry_register, UINT_MAX)))
			return true;
	}
	return false;
}

/* Add the prototype that was proven, if it differs from the source's. */
static int add_proven(struct loader *l, struct func_rec *func)
{
	const struct unit *u = &l->dw->units[func->facts.unit];
	uint32_t dropped = 0;

	if (func->body && is_preserve_none(l, &l->records.recs.array[func->rec]))
		func->foreign = true;
	if (func->body && has_scattered_struct(l, func))
		func->foreign = true;
	if (func->foreign || (func->body && is_misplaced(l, func)))
		func->facts.doubts |= DOUBT_REGISTER;
	if (!func->body)
		return 0;
	if (func->changed || may_have_changed(l, func))
		func->facts.doubts |= DOUBT_CHANGED;
	/* clang before 17 does not record that it removed one, unless the address is used */
	if (u->clang && u->clang < 17 && func->called)
		func->facts.doubts |= DOUBT_RESULT;
	if (u->assembler || u->terse || u->not_c)
		func->facts.doubts |= DOUBT_NO_PROTOTYPE;
	/* clang may list the piece with the entry last */
	if (func->foreign || u->untracked || !is_proven(l, func, &dropped) ||
	    (u->clang && func->nr_entries > 1))
		return 0;
	if (!dropped && func->source == func->rec) {
		func->facts.proven = func->facts.proto;
		return 0;
	}
	return make_prototype(l, func, &func->facts.proven);
}

static int add_as_pahole(struct loader *l, struct func_rec *func)
{
	/* an abstract instance has the signature of the source */
	func->changed &= l->dw->units[func->facts.unit].clang && func->body;
	func->facts.doubts |= loader__judge_as_pahole(l, func);
	if (!l->opts->true_signature || !func->body)
		return 0;
	/* in the order of the body's parameters */
	func->source = func->rec;
	return make_prototype(l, func, &func->facts.proto);
}

/* A call may refer to the body, or to its abstract instance. */
static void mark_called(struct records *r)
{
	for_each(func, &r->funcs)
		func->called = r->unknown_calls && r->unknown_calls != func->facts.unit + 1;
	for_each(call, &r->calls) {
		struct func_rec *func = find_func(r, *call);

		if (func)
			func->called = true;
	}
	for_each(func, &r->funcs) {
		const struct func_rec *source = r->calls.nr && func->source != func->rec ?
			find_func(r, r->recs.array[func->source].die) : NULL;

		if (source)
			func->called |= source->called;
	}
}

int loader__add_prototypes(struct loader *l)
{
	struct records *r = &l->records;
	int err = 0;

	r->first_proto = r->recs.nr;
	for_each(func, &r->funcs) {
		func->source = func->rec;
		if (!func->guest)
			adopt_origin(r, func);
	}
	mark_called(r);
	for_each(func, &r->funcs) {
		if (func->guest)
			continue;
		func->facts.proto = add_prototype(r, func->rec);
		func->facts.doubts |= judge_types(l, func);
		err = err ?: l->opts->proven ? add_proven(l, func) : add_as_pahole(l, func);
	}
	r->nr_protos = r->recs.nr - r->first_proto;
	/* facts about parameters are not part of a prototype */
	for (uint32_t i = r->first_proto; i < r->recs.nr; i++)
		for_each_item(item, r, &r->recs.array[i])
			item->value = 0;
	return err;
}
