// SPDX-License-Identifier: GPL-2.0-only
/*
 * Make the prototypes of functions, and check whether their code matches them.
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
		if (rec->alignment)
			return rec->alignment;
		rec->alignment = 1; /* in case it contains itself */
		for_each_item(item, &l->recs, rec)
			max = MAX(max, natural_alignment(l, item->ref, depth - 1));
		return rec->alignment = max;
	default:
		size = loader__size_of(l, ref);
		return size && size <= 16 && !(size & (size - 1)) ? size : 1;
	}
}

/* Test whether a named struct is packed: a member, or its size, breaks natural alignment. */
static bool is_packed(struct loader *l, struct rec *rec)
{
	bool packed = false;
	uint64_t max = 1;

	if (rec->packing)
		return rec->packing == PACKING_PACKED;
	for_each_item(item, &l->recs, rec) {
		uint64_t align = natural_alignment(l, item->ref, MAX_DEPTH);

		if (item->bits)
			continue;
		packed |= item->value % (align * 8) != 0;
		max = MAX(max, align);
	}
	packed |= rec->size % max != 0;
	rec->packing = packed ? PACKING_PACKED : PACKING_NONE;
	return packed;
}

/* --- name and parameters of the abstract instance ------------------------------ */

static struct func_rec *find_func(struct recs *r, uint32_t ref)
{
	uint32_t rec = recs__find(r, ref), i;

	/* functions are sorted by rec */
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
static uint16_t adopt_params(struct recs *r, struct rec *rec, const struct rec *origin)
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

static void adopt_origin(struct recs *r, struct func_rec *func)
{
	struct rec *rec = &r->array[func->rec];
	struct func_rec *from = func;
	uint16_t doubts = 0;
	unsigned int n;

	for (n = 0; from->origin && n < 8; n++) {
		const struct rec *origin;

		from = find_func(r, from->origin);
		if (!from || from == func)
			break;
		origin = &r->array[from->rec];
		if (!rec->name)
			rec->name = origin->name;
		if (!rec->ref)
			rec->ref = origin->ref;
		rec->flags |= origin->flags & TYPE_VARARGS;
		func->external |= from->external;
		func->changed |= from->changed;
		func->foreign |= from->foreign;
		func->source = from->rec;
		if (!func->decl_line) {
			func->decl_unit = from->decl_unit;
			func->decl_file = from->decl_file;
			func->decl_line = from->decl_line;
		}
		doubts |= adopt_params(r, rec, origin);
	}
	if (func->body)
		func->doubts |= doubts;
}

/* --- by proof -------------------------------------------------------------------- */

/* For arguments that are not passed in whole registers. */
#define UNKNOWN_ABI	-1

/*
 * Compute the number of registers for an argument.
 *
 * Return: the number, 0 for an argument in memory, UNKNOWN_ABI if it depends on
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
		return machine->id == EM_ARM && type->size == 8 ? 2 : UNKNOWN_ABI;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		/* x86-64 psABI, 3.2.3: more than two words are in memory */
		return machine->id == EM_X86_64 && type->size > 16 ? 0 : UNKNOWN_ABI;
	default:
		return UNKNOWN_ABI;
	}
}

/* The first register may point to the place where an aggregate is returned. */
static bool returns_aggregate(struct loader *l, const struct rec *rec)
{
	uint8_t kind = loader__resolve(l, rec->ref)->kind;

	return kind__is_struct(kind) || kind == BTF_KIND_ARRAY;
}

/* Test for an argument register other than the @index-th. */
static bool is_another_register(const struct machine *machine, uint8_t reg, unsigned int index)
{
	for (unsigned int i = 0; i < machine->nr_args; i++)
		if (i != index && machine__arg(machine, i) == reg)
			return true;
	return false;
}

/**
 * struct taken - how many argument registers precede a parameter's
 * @min, @max: differ after a type whose number of registers is unknown
 */
struct taken {
	unsigned int	min;
	unsigned int	max;
};

/* For has_field(): any size */
#define ALL_FLOATS	0
#define NO_FLOATS	UINT_MAX

/*
 * Test whether a type has a field, also of a nested struct, that is not naturally aligned, or that
 * may be floating point with more than @above bytes.
 */
static bool has_field(struct loader *l, uint32_t ref, unsigned int above, unsigned int depth)
{
	struct rec *rec = loader__resolve(l, ref);

	if (!depth)
		return true;
	switch (rec->kind) {
	case BTF_KIND_ARRAY:
		return has_field(l, rec->ref, above, depth - 1);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (is_packed(l, rec))
			return true;
		for_each_item(item, &l->recs, rec)
			if (has_field(l, item->ref, above, depth - 1))
				return true;
		return false;
	case BTF_KIND_PTR:
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return !l->opts->floats && rec->size > above;
	case BTF_KIND_FLOAT:
		return rec->size > above;
	default:
		return above != NO_FLOATS;
	}
}

/*
 * Return: the registers for the address at which an aggregate is returned.
 *
 * One if it has more than two words; on s390x, if it has any size; x86-64 psABI, 3.2.3: also if it has
 * fields that are not aligned.  AAPCS64, 6.9: the register is not an argument register.
 */
static struct taken taken_by_result(struct loader *l, const struct rec *rec)
{
	uint16_t machine = l->dw->img->machine;
	const struct rec *type = loader__resolve(l, rec->ref);

	if (!returns_aggregate(l, rec) || machine == EM_AARCH64)
		return (struct taken){};
	if (machine == EM_S390 || type->size > 16)
		return (struct taken){ 1, 1 };
	if (machine == EM_X86_64 && !has_field(l, rec->ref, NO_FLOATS, MAX_DEPTH))
		return (struct taken){};
	return (struct taken){ 0, 1 };
}

/*
 * Return: the registers for an argument of a type for which registers_of() is unknown.
 *
 * x86-64 psABI, 3.2.3: a struct of at most 16 bytes is in general registers, if it has only
 * integers, which are aligned.
 */
static struct taken taken_by_unknown(struct loader *l, const struct item *item)
{
	const struct rec *type = loader__resolve(l, item->ref);
	unsigned int nr = (type->size + 7) / 8;

	if (l->dw->img->machine != EM_X86_64)
		return (struct taken){ 0, UINT8_MAX };
	switch (type->kind) {
	case BTF_KIND_FLOAT:
		return (struct taken){};
	case BTF_KIND_INT:
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return (struct taken){ has_field(l, item->ref, ALL_FLOATS, MAX_DEPTH) ? 0 : nr, nr };
	default:
		return (struct taken){ 0, UINT8_MAX };
	}
}

/* x86-64 psABI, 3.2.3 and 3.6.2: floating point arguments are in xmm0 to xmm7 */
#define SSE_FIRST	17
#define SSE_ARGS	8

/* Return: the SSE registers of x86-64 for an argument. */
static struct taken taken_of_sse(struct loader *l, const struct item *item)
{
	const struct rec *type = loader__resolve(l, item->ref);

	switch (type->kind) {
	case BTF_KIND_FLOAT:
		/* long double is in memory, __float128 in a register */
		return (struct taken){ type->size <= 8, 1 };
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (type->size > 16 || !has_field(l, item->ref, ALL_FLOATS, MAX_DEPTH))
			return (struct taken){};
		return (struct taken){ 0, 2 };
	case BTF_KIND_PTR:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return (struct taken){};
	case BTF_KIND_INT:
		return (struct taken){ 0, !l->opts->floats };
	default:
		return (struct taken){ 0, SSE_ARGS };
	}
}

/**
 * struct position - how many registers of x86-64 precede an argument's, or pass it
 */
struct position {
	struct taken	general;
	struct taken	sse;
};

/*
 * Test for an argument that C passes in registers.
 *
 * x86-64 psABI, 3.2.3: a struct of at most 16 bytes also if it has floating point fields, unless
 * they are x87's (long double).
 */
static bool fits_in_registers(struct loader *l, const struct item *param,
			      const struct position *before, const struct position *taken)
{
	if ((!taken->general.max && !taken->sse.max) ||
	    before->general.max + taken->general.max > machine__find(EM_X86_64)->nr_args ||
	    before->sse.max + taken->sse.max > SSE_ARGS)
		return false;
	return taken->general.min || !has_field(l, param->ref, 8, MAX_DEPTH);
}

/*
 * Test for a parameter in a register where ms_abi never passes it: that passes the first four
 * parameters in rcx, rdx, r8 and r9.  If the address of the result precedes them, their registers do
 * not fit C's convention anyway.
 */
static bool disproves_ms_abi(struct loader *l, const struct rec *rec)
{
	static const uint8_t args[] = { 2, 1, 8, 9 };
	unsigned int nr = 0, at;

	for_each_item(item, &l->recs, rec) {
		for (at = 0; at < ARRAY_SIZE(args) && args[at] != item->facts.entry_register; at++)
			;
		if (item->facts.at_entry == ENTRY_REGISTER && item->facts.entry_register <= 16 &&
		    at != nr)
			return true;
		nr++;
	}
	return false;
}

/*
 * Test whether a parameter contradicts the convention of x86-64, where DWARF does not record that a
 * function has another one.  gcc's ms_abi passes the address of a value that does not fit in a
 * register, and reserves space on the stack for the registers, where the function stores them at
 * -O0: the address is in rbx or memory then.  clang 14 may use registers for the members of a
 * struct that must be passed in memory.
 */
static bool contradicts_x86(struct loader *l, const struct rec *rec, const struct item *item,
			    bool clang, const struct position *before,
			    const struct position *taken)
{
	const struct machine *machine = machine__find(EM_X86_64);
	const struct param_facts *f = &item->facts;
	bool argument = is_another_register(machine, f->entry_register, UINT_MAX);
	struct rec *type;

	switch (f->at_entry) {
	case ENTRY_UNKNOWN:
	case ENTRY_LATE:
		/* gcc has no location of an __int128 either way, in memory or in two registers */
		return !clang && registers_of(l, item) == UNKNOWN_ABI &&
		       loader__resolve(l, item->ref)->kind == BTF_KIND_INT &&
		       !disproves_ms_abi(l, rec);
	case ENTRY_PIECES:
		return clang && argument && !registers_of(l, item);
	case ENTRY_MEMORY:
		return argument || f->entry_register == 3 || f->entry_register >= 12;
	case ENTRY_CALLER:
		return fits_in_registers(l, item, before, taken);
	case ENTRY_FRAME:
		/* x86-64 psABI, 3.2.3: a long double is in memory, in the caller's frame */
		type = loader__resolve(l, item->ref);
		return type->size == 16 && l->opts->floats &&
		       !(kind__is_struct(type->kind) && is_packed(l, type)) &&
		       has_field(l, item->ref, 8, MAX_DEPTH);
	default:
		return false;
	}
}

/*
 * Test for gcc's preserve_none on x86-64: the arguments are in the order of its registers, of which
 * C preserves the first four.  If gcc does not track locations, it also records where C keeps an
 * argument later, usually in rbx or rbp, too.
 */
static bool is_preserve_none(struct loader *l, const struct rec *rec)
{
	static const uint8_t args[] = { 12, 13, 14, 15, 5, 4, 1, 2, 8, 9, 11, 0 };
	unsigned int next = 0;
	bool preserved = false;

	for_each_item(item, &l->recs, rec) {
		const struct param_facts *f = &item->facts;

		if (f->at_entry != ENTRY_REGISTER && f->at_entry != ENTRY_PIECES)
			continue;
		/* others are in floating point registers */
		if (f->entry_register > 16)
			continue;
		while (next < ARRAY_SIZE(args) && args[next] != f->entry_register)
			next++;
		/* the first one decides, because later ones have later registers */
		if (next == ARRAY_SIZE(args) || (next >= 4 && !preserved))
			return false;
		preserved |= next++ < 4;
	}
	return preserved;
}

/*
 * Test whether an argument is passed in the location of another one, or as in another convention.
 * The arguments of unknown types take some registers: those after them must be in the right
 * order.  Ignore registers that do not pass arguments: the compiler keeps it there later.
 * Without a location list, DWARF cannot record when, and gcc 14 is early by one instruction with a
 * va_list on AArch64.
 *
 * An argument whose address is taken is in the function's frame, also on entry, and some structs have
 * no location.  If no other argument shows where arguments are, the convention may be preserve_none.
 */
static bool is_misplaced(struct loader *l, const struct func_rec *func)
{
	const struct machine *machine = machine__find(l->dw->img->machine);
	const struct unit *u = &l->dw->units[func->unit];
	const struct rec *rec = &l->recs.array[func->rec];
	struct position next = { .general = taken_by_result(l, rec) }, taken;
	bool hidden = false, shown = false;
	bool x86 = machine->id == EM_X86_64;
	unsigned int nr = machine->nr_args, at;

	if (!nr)
		return false;
	if (u->pcc_result && returns_aggregate(l, rec) && !next.general.min)
		return true;
	if (x86 && is_preserve_none(l, rec))
		return true;
	for_each_item(item, &l->recs, rec) {
		const struct param_facts *f = &item->facts;
		int known = registers_of(l, item);
		bool placed = f->at_entry == ENTRY_REGISTER || f->at_entry == ENTRY_PIECES ||
			      (f->at_entry == ENTRY_COMPUTED && known > 0);

		/* clang uses more registers for a function if it knows all callers */
		if (next.general.min >= nr && u->clang && f->at_entry == ENTRY_REGISTER)
			return true;
		/* AAPCS, 6.5: a doubleword is in an even register and the next */
		if (known == 2 && next.general.min == next.general.max)
			next.general.min = next.general.max += next.general.min % 2;
		else if (known == 2)
			next.general.max++;
		taken.general = known == UNKNOWN_ABI ? taken_by_unknown(l, item) :
						       (struct taken){ known, known };
		if (x86) {
			taken.sse = taken_of_sse(l, item);
			if (contradicts_x86(l, rec, item, u->clang, &next, &taken))
				return true;
			at = f->entry_register - SSE_FIRST;
			if (placed && at < SSE_ARGS && !u->untracked) {
				if (at < next.sse.min || at > next.sse.max)
					return true;
				next.sse.min = next.sse.max = at;
			}
			hidden |= taken.general.max &&
				  (f->at_entry == ENTRY_FRAME ||
				   (f->at_entry == ENTRY_UNKNOWN && known == UNKNOWN_ABI));
			next.sse.min += taken.sse.min;
			next.sse.max += taken.sse.max;
		}
		/* if it is in memory, the next may be in a register */
		if (next.general.max + taken.general.max > nr)
			taken.general.min = 0;
		for (at = 0; at < nr && machine__arg(machine, at) != f->entry_register; at++)
			;
		if (taken.general.max && placed && at < nr && next.general.min < nr) {
			if (at < next.general.min || at > next.general.max)
				return true;
			next.general.min = next.general.max = at;
			shown = true;
		}
		next.general.min += taken.general.min;
		next.general.max += taken.general.max;
	}
	return hidden && !shown && u->may_preserve_none;
}

/* Return: the body's parameter for a parameter of the source, or NULL. */
static struct item *find_param(struct recs *r, const struct func_rec *func,
			       struct item *source)
{
	uint32_t n = 0;

	if (func->source == func->rec)
		return source;
	for_each_item(item, r, &r->array[func->rec]) {
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
 * is passed in its location.
 */
static bool is_proven(struct loader *l, const struct func_rec *func, uint32_t *dropped)
{
	const struct machine *machine = machine__find(l->dw->img->machine);
	struct recs *r = &l->recs;
	const struct rec *source = &r->array[func->source], *rec = &r->array[func->rec];
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
		if (item->facts.at_entry == ENTRY_CONSTANT) {
			/*
			 * clang omits the location of a parameter that is assigned to before
			 * the first instruction: it may be passed anyway
			 */
			if (l->dw->units[func->unit].clang)
				return false;
			++*dropped;
			continue;
		}
		if (item->facts.at_entry != ENTRY_REGISTER ||
		    registers_of(l, item) != 1 ||
		    item->facts.entry_register != machine__arg(machine, next))
			return false;
		next++;
	}
	/* a parameter that is not in the source also uses a register */
	return found == rec->nr_items;
}

/* --- prototypes ------------------------------------------------------------------ */

/*
 * Add a prototype's rec, which shares the function's items.  It is not entered in @r->at: recs__find() finds
 * the function by this DIE.
 */
static uint32_t add_prototype(struct recs *r, uint32_t of)
{
	struct rec proto = r->array[of];

	proto.kind = BTF_KIND_FUNC_PROTO;
	proto.name = 0;
	return recs__add(r, proto);
}

/* Test for a parameter that a body does not get: by proof, or like pahole's true_signature. */
static bool is_dropped(const struct loader *l, const struct func_rec *func,
		       const struct item *item)
{
	bool optimized = item->facts.flags & PARAM_OPTIMIZED;
	bool located = item->facts.flags & PARAM_LOCATION;

	if (l->opts->prove)
		return item->facts.at_entry == ENTRY_CONSTANT;
	return (func->doubts & DOUBT_REORDERED && (optimized || !located)) ||
	       (func->changed && optimized);
}

/* Add a prototype without dropped parameters, in the order of @func->source. */
static int make_prototype(struct loader *l, const struct func_rec *func, uint32_t *ret)
{
	struct strings *strings = &l->store.strings;
	struct recs *r = &l->recs;
	const struct item *member;
	struct item *item;
	uint32_t at, next, added;
	int64_t id, name;

	*ret = add_prototype(r, func->rec);
	r->array[*ret].first = r->array[*ret].nr_items = 0;
	/* adding items may move the others */
	for (at = r->array[func->source].first; at; at = next) {
		item = find_param(r, func, &r->items.array[at]);
		next = r->items.array[at].next;
		if (!item || is_dropped(l, func, item))
			continue;
		added = recs__add_item(r, *ret, *item);
		item = &r->items.array[added];
		if (!(item->facts.flags & PARAM_MEMBER))
			continue;
		/* replace the parameter by "NAME__MEMBER", with the member's type */
		member = &r->items.array[item->member];
		id = loader__name_id(l, item->die, item->name);
		name = id < 0 ? id : loader__name_id(l, item->die, member->name);
		if (name < 0)
			return name;
		id = strings__add_owned(strings, xasprintf("%s__%s", strings->array[id].s,
							   strings->array[name].s));
		if (id < 0)
			return id;
		item->name = id;
		item->ref = member->ref;
	}
	return 0;
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
 *
 * Return: DOUBT_LATE if only parameters whose first location starts too late cause doubt, or
 * DOUBT_CHANGED, or 0.
 */
static uint16_t may_have_changed(struct loader *l, const struct func_rec *func)
{
	const struct machine *machine = machine__find(l->dw->img->machine);
	unsigned int clang = l->dw->units[func->unit].clang;
	uint16_t late = 0;

	if (!func->called)
		return 0;
	for_each_item(item, &l->recs, &l->recs.array[func->rec]) {
		const struct param_facts *facts = &item->facts;

		if (facts->at_entry == ENTRY_LATE)
			late = DOUBT_LATE;
		if (facts->at_entry == ENTRY_UNKNOWN || facts->at_entry == ENTRY_CONSTANT ||
		    (facts->at_entry == ENTRY_PIECES && lacks_word(l, item)) ||
		    ((facts->at_entry == ENTRY_OTHER || facts->at_entry == ENTRY_MEMORY) && clang &&
		     clang < 17 && registers_of(l, item) == UNKNOWN_ABI) ||
		    (facts->at_entry == ENTRY_REGISTER &&
		     !is_another_register(machine, facts->entry_register, UINT_MAX)))
			return DOUBT_CHANGED;
	}
	return late;
}

/*
 * Test whether a parameter or the result is an integer that BTF cannot represent, such as
 * _BitInt(256), which is passed in memory.
 */
static bool has_odd_int(struct loader *l, const struct rec *rec)
{
	if (likely(!l->odd_int))
		return false;
	for_each_item(item, &l->recs, rec)
		if (loader__resolve(l, item->ref)->name == l->odd_int)
			return true;
	return loader__resolve(l, rec->ref)->name == l->odd_int;
}

/* Find reasons to doubt the source's prototype, and the one that is proven for the body, if any. */
static int add_proven(struct loader *l, struct func_rec *func)
{
	const struct unit *u = &l->dw->units[func->unit];
	uint32_t dropped = 0;

	if (has_odd_int(l, &l->recs.array[func->proto_rec]))
		func->doubts |= DOUBT_MISFIT;
	if (func->foreign || (func->body && is_misplaced(l, func)))
		func->doubts |= DOUBT_REGISTER;
	if (!func->body)
		return 0;
	func->doubts |= func->changed ? DOUBT_CHANGED : may_have_changed(l, func);
	/*
	 * clang before 17 does not record that it removed one, unless the address is used.  If a register
	 * has the result's address, removing it also moves the parameters.
	 */
	if (u->clang && u->clang < 17 && func->called &&
	    !taken_by_result(l, &l->recs.array[func->rec]).min)
		func->doubts |= DOUBT_RESULT;
	if (u->assembler || u->terse || u->not_c)
		func->doubts |= DOUBT_NO_PROTOTYPE;
	/* clang may list the piece with the entry last */
	if (func->foreign || u->untracked || !is_proven(l, func, &dropped) ||
	    (u->clang && func->nr_ranges > 1))
		return 0;
	if (!dropped && func->source == func->rec) {
		func->proven_rec = func->proto_rec;
		return 0;
	}
	return make_prototype(l, func, &func->proven_rec);
}

/* --- like pahole 1.32 ------------------------------------------------------------ */

/** struct pahole_machine - @nr: argument registers; @known: pahole knows which they are */
struct pahole_machine {
	uint16_t	id;
	uint8_t		nr;
	bool		known;
};

static const struct pahole_machine *find_pahole_machine(uint16_t id)
{
	static const struct pahole_machine machines[] = {
		{ EM_X86_64, 6, true }, { EM_AARCH64, 8, true }, { EM_S390, 5, true },
		{ EM_ARM, 8, true }, { EM_SPARC, 6, false }, { EM_SPARCV9, 6, false },
		{ EM_ARC, 8, false }, { EM_MIPS, 8, false }, { EM_PPC, 8, false },
		{ EM_PPC64, 8, false }, { EM_RISCV, 8, false }, {},
	};
	const struct pahole_machine *m = machines;

	while (m->id && m->id != id)
		m++;
	return m;
}

/**
 * struct pahole_way - how pahole reads one function's parameters
 * @machine:	its argument registers
 * @word:	bytes of a register
 * @pairs:	a larger type uses two registers
 * @clang:	the unit's producer is clang
 * @rewrite:	apply true_signature: the function's signature was changed
 */
struct pahole_way {
	const struct pahole_machine *machine;
	unsigned int	word;
	bool		pairs;
	bool		clang;
	bool		rewrite;
};

/* For the others, -1; pahole numbers more registers for arguments than ARM has. */
static int pahole_register(const struct pahole_way *way, unsigned int index)
{
	if (!way->machine->known)
		return -1;
	return way->machine->id == EM_ARM ? (int)index :
					    machine__arg(machine__find(way->machine->id), index);
}

/* Return: a type's recorded size, or the size of its underlying type. */
static uint64_t pahole_size(struct loader *l, uint32_t ref)
{
	const struct recs *r = &l->recs;

	for (unsigned int n = 0; n < MAX_CHAIN; n++) {
		const struct rec *rec = &r->array[recs__find(r, ref)];

		if (rec->kind == BTF_KIND_PTR)
			return l->dw->img->is_64 ? 8 : 4;
		if (rec->kind != BTF_KIND_ARRAY && rec->size)
			return rec->size;
		ref = rec->ref;
		if (!ref)
			break;
	}
	return 0;
}

static unsigned int slots_of(const struct pahole_way *way, uint64_t size)
{
	return way->pairs && size > way->word ? (size + way->word - 1) / way->word : 1;
}

static bool in_memory(const struct pahole_way *way, uint64_t size)
{
	return size > (way->pairs ? 2 * way->word : way->word);
}

/* Return: the register in which pahole sees a parameter, -1 for none. */
static int seen_in(const struct pahole_way *way, const struct param_facts *f, uint64_t size)
{
	uint8_t seen = way->pairs && size > way->word ? f->seen_large : f->seen;

	return seen - 1;
}

static void match_clang(struct loader *l, const struct pahole_way *way, const struct rec *rec)
{
	unsigned int at = 0, k;

	for_each_item(item, &l->recs, rec) {
		uint64_t size = pahole_size(l, item->ref);
		unsigned int slots = slots_of(way, size);
		int reg = seen_in(way, &item->facts, size);

		if (at >= way->machine->nr)
			break;
		if (in_memory(way, size))
			continue;
		for (k = at; k < at + slots && k < way->machine->nr; k++)
			if (pahole_register(way, k) == reg)
				break;
		if (reg >= 0 && (k == at + slots || k == way->machine->nr))
			item->facts.flags |= PARAM_MISPLACED;
		at += slots;
	}
}

/* Test whether the next parameter is where it must be if this one uses all its slots. */
static bool is_next_adjacent(struct loader *l, const struct pahole_way *way,
			     const struct item *item, unsigned int at)
{
	const struct item *next = &l->recs.items.array[item->next];
	int reg;

	if (!item->next || at >= way->machine->nr)
		return false;
	reg = seen_in(way, &next->facts, pahole_size(l, next->ref));
	return reg >= 0 && reg == pahole_register(way, at);
}

/* Test whether only one member of an aggregate is passed, and replaces the parameter. */
static bool becomes_member(struct loader *l, struct item *item)
{
	const struct recs *r = &l->recs;
	const struct param_facts *f = &item->facts;
	unsigned int word = l->dw->img->is_64 ? 8 : 4, offset;
	const struct rec *type = loader__resolve(l, item->ref);

	/* the only piece starts at one byte of one word */
	if (!item->name || item->origin || !f->pieces[0] == !f->pieces[1] ||
	    (f->pieces[0] & (f->pieces[0] - 1)) || (f->pieces[1] & (f->pieces[1] - 1)))
		return false;
	offset = f->pieces[0] ? 0 : word;
	offset += __builtin_ctz(f->pieces[0] | f->pieces[1]);
	if (type->kind != BTF_KIND_STRUCT)
		return false;
	for_each_item(member, r, type) {
		if (member->value != offset * 8)
			continue;
		item->facts.flags |= PARAM_MEMBER;
		item->member = member - r->items.array;
		return true;
	}
	return false;
}

/*
 * Check one parameter at register @at.
 * Return: the number of registers it uses.
 */
static unsigned int pahole_param(struct loader *l, const struct pahole_way *way, struct item *item,
				 unsigned int at)
{
	struct param_facts *f = &item->facts;
	uint64_t size = pahole_size(l, item->ref);
	unsigned int slots = slots_of(way, size), taken = in_memory(way, size) ? 1 : slots;
	int expected = at < way->machine->nr ? pahole_register(way, at) : -1;
	int reg = seen_in(way, f, size);

	if (!(f->flags & PARAM_LOCATION)) {
		if (f->flags & PARAM_VALUE && !way->clang) {
			f->flags |= PARAM_OPTIMIZED;
		} else if (way->rewrite) {
			if (at < way->machine->nr && is_next_adjacent(l, way, item, at + slots))
				return slots;
			f->flags |= PARAM_OPTIMIZED;
			return 0;
		}
		return taken;
	}
	if (way->rewrite && f->flags & PARAM_CONSTANT) {
		f->flags |= PARAM_OPTIMIZED;
		return 0;
	}
	if (at >= way->machine->nr)
		return 0;
	if (way->rewrite && f->flags & PARAM_STACK) {
		if (in_memory(way, size))
			return 0;
		f->flags |= PARAM_MISPLACED;
		return taken;
	}
	if (reg < 0) {
		f->flags |= way->rewrite ? PARAM_MISPLACED : PARAM_OPTIMIZED;
		return taken;
	}
	if (expected >= 0 && expected != reg) {
		f->flags |= PARAM_MISPLACED;
		return taken;
	}
	if (way->rewrite && way->pairs && size > way->word && (f->pieces[0] || f->pieces[1])) {
		if ((f->pieces[0] && f->pieces[1]) || is_next_adjacent(l, way, item, at + slots))
			return slots;
		if (becomes_member(l, item))
			return 1;
	}
	return taken;
}

static bool is_struct(struct loader *l, uint32_t ref)
{
	const struct recs *r = &l->recs;

	for (unsigned int n = 0; n < MAX_CHAIN; n++) {
		const struct rec *rec = &r->array[recs__find(r, ref)];

		if (rec->kind == BTF_KIND_STRUCT)
			return true;
		if (rec->kind != BTF_KIND_TYPEDEF && rec->kind != BTF_KIND_CONST)
			return false;
		ref = rec->ref;
	}
	return false;
}

static int add_as_pahole(struct loader *l, struct func_rec *func)
{
	bool clang = l->dw->units[func->unit].clang, misplaced = false, by_value = false;
	uint16_t machine = l->dw->img->machine;
	const struct rec *rec = &l->recs.array[func->rec];
	struct pahole_way way = {
		.machine = find_pahole_machine(machine), .word = l->dw->img->is_64 ? 8 : 4,
		.pairs = machine != EM_S390, .clang = clang,
	};
	unsigned int at = 0;

	/* an abstract instance has the signature of the source */
	func->changed &= clang && func->body;
	way.rewrite = l->opts->true_signature && func->changed;
	if (clang && !func->changed)
		match_clang(l, &way, rec);
	else
		for_each_item(item, &l->recs, rec)
			at += pahole_param(l, &way, item, at);
	for_each_item(item, &l->recs, rec) {
		uint8_t flags = item->facts.flags;

		if (flags & PARAM_OPTIMIZED || !(flags & PARAM_LOCATION))
			func->doubts |= DOUBT_OPTIMIZED;
		misplaced |= flags & PARAM_MISPLACED;
		by_value |= is_struct(l, item->ref);
	}
	if (func->changed)
		func->doubts |= DOUBT_CHANGED;
	if (misplaced && !by_value)
		func->doubts |= DOUBT_REGISTER;
	if (!l->opts->true_signature || !func->body)
		return 0;
	/* in the order of the body's parameters */
	func->source = func->rec;
	return make_prototype(l, func, &func->proto_rec);
}

/* --- all functions ---------------------------------------------------------------- */

/* A call may refer to the body, or to its abstract instance. */
static void mark_called(struct recs *r)
{
	for_each(func, &r->funcs)
		func->called = r->unknown_calls && r->unknown_calls != func->unit + 1;
	for_each(call, &r->calls) {
		struct func_rec *func = find_func(r, *call);

		if (func)
			func->called = true;
	}
	for_each(func, &r->funcs) {
		const struct func_rec *source = r->calls.nr && func->source != func->rec ?
			find_func(r, r->array[func->source].die) : NULL;

		if (source)
			func->called |= source->called;
	}
}

int loader__add_prototypes(struct loader *l)
{
	unsigned int in_registers = find_pahole_machine(l->dw->img->machine)->nr, n;
	struct recs *r = &l->recs;
	int err = 0;

	r->first_proto = r->nr;
	for_each(func, &r->funcs) {
		func->source = func->rec;
		if (!func->guest)
			adopt_origin(r, func);
	}
	mark_called(r);
	for_each(func, &r->funcs) {
		const struct rec *rec;
		uint32_t lists;

		if (func->guest)
			continue;
		lists = l->opts->of_source && func->doubts & (DOUBT_REMOVED | DOUBT_REORDERED) ?
			func->source : func->rec;
		func->proto_rec = add_prototype(r, lists);
		rec = &r->array[lists];
		n = 0;
		for_each_item(item, r, rec) {
			struct rec *type = &r->array[recs__find(r, item->ref)];

			if (!item->name)
				func->doubts |= DOUBT_UNNAMED;
			if (n++ >= in_registers && rec->nr_items >= in_registers && type->name &&
			    type->kind == BTF_KIND_STRUCT && is_packed(l, type))
				func->doubts |= DOUBT_PACKED;
		}
		err = err ?: l->opts->prove ? add_proven(l, func) : add_as_pahole(l, func);
	}
	r->nr_protos = r->nr - r->first_proto;
	/*
	 * The functions' recs share these items.  Their facts, in a union with the value, are no
	 * longer needed, and must not be hashed.
	 */
	for (uint32_t i = r->first_proto; i < r->nr; i++)
		for_each_item(item, r, &r->array[i])
			item->value = 0;
	return err;
}
