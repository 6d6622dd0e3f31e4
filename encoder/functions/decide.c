// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <linux/btf.h>
#include <string.h>

#include "btf/format.h"
#include "functions/funcs_read.h"
#include "functions/proto.h"
#include "util/memory.h"

const struct outcome_text func_reasons[NR_FUNC_REASONS] = {
	[FUNC_ENCODED]	 = { "encoded", "" },
	[FUNC_FRAGMENT]	 = { "fragment", "it is a part of another function" },
	[FUNC_ALIAS]	 = { "alias", "it is another name of a function that is encoded" },
	[FUNC_NO_DWARF]	 = { "no_dwarf", "no debug information describes it, or only in an excluded language" },
	[FUNC_OTHER_NAME] = { "other_name", "a name that differs in debug information (DW_AT_name)" },
	[FUNC_EMPTY]	 = { "no_code", "it has no code" },
	[FUNC_NO_BTF]	 = { "no_btf", "no BTF describes it" },
	[FUNC_REGISTER]	 = { "unexpected_register", "unexpected register usage for parameter" },
	[FUNC_PACKED]	 = { "uncertain_location", "uncertain parameter location" },
	[FUNC_REMOVED]	 = { "removed_parameter", "removed parameters" },
	[FUNC_OPTIMIZED] = { "optimized_parameter", "optimized parameters" },
	[FUNC_UNPROVEN]	 = { "unproven_signature", "a changed signature that is not proven" },
	[FUNC_LATE]	 = { "late_parameter", "a parameter that debug information only describes after the entry" },
	[FUNC_NO_PROTOTYPE] = { "no_prototype", "a function that is not written in C, without consistent declarations" },
	[FUNC_REORDERED] = { "reordered_parameter", "reordered parameters" },
	[FUNC_UNNAMED]	 = { "unnamed_parameter", "a parameter without a name" },
	[FUNC_TYPE]	 = { "invalid_type", "a type that BTF cannot represent" },
	[FUNC_PROTOTYPE] = { "inconsistent_prototype", "inconsistent prototype" },
	[FUNC_CLONE]	 = { "optimized_clone", "being an optimized clone" },
	[FUNC_AMBIGUOUS] = { "ambiguous_address", "ambiguous address" },
	[FUNC_NO_OFFSET] = { "no_offset", "an address below _text, or 4 GB above it" },
	[FUNC_NO_FILE]	 = { "unknown_file", "a shared name, and an unknown file" },
	[FUNC_NAME]	 = { "invalid_name", "a name that BTF cannot represent" },
	[FUNC_INIT_TEXT] = { "init_text", "not in core text, and a shared name" },
	[FUNC_NOT_TRACEABLE] = { "not_traceable", "ftrace cannot patch it, and a shared name" },
};

/**
 * struct verdict - what all bodies with one name and place, or all mentions of a name, say
 * @reason:	for a symbol with exactly this name
 * @facts:	the first description; but @facts.doubts combines all doubts, and
 *		@facts.unit is NO_UNIT if there is no description, or prototypes differ
 * @folded:	of mentions: it may have code elsewhere
 */
struct verdict {
	enum func_reason	reason;
	struct func_facts	facts;
	bool			folded;
};

/* In struct proof's @defined: definitions differ. */
#define DIFFERENT	UINT32_MAX

/**
 * struct proof - the rules for FUNCs with addresses
 * @defined:	by string id: prototype of C's definitions, 0 for none, or DIFFERENT
 * @has_body:	by string id: the code of some symbol is a body with that name
 * @mentioned:	verdict on the mentions of @mentioned_name
 * @err:	a prototype could not be made
 */
struct proof {
	struct decision		*d;
	uint32_t		*defined;
	bool			*has_body;
	struct verdict		mentioned;
	uint32_t		mentioned_name;
	int			err;
};

/* --- bodies ------------------------------------------------------------------ */

static int compare_bodies(const void *x, const void *y)
{
	const struct func_body *a = x, *b = y;

	/* any order of names, as long as equal ones are adjacent */
	return cmp_place(a, b) ?: cmp_int(a->facts.name, b->facts.name) ?:
	       cmp_int(a->facts.unit, b->facts.unit) ?: cmp_int(a->facts.desc, b->facts.desc);
}

/*
 * Match each body with the last symbol that does not start after it, and set the body's
 * address to the symbol's.  According to DWARF, the code may start after the nops that the
 * symbol includes (-fpatchable-function-entry with gcc before 14): then both end at the same
 * place.  Return: whether any body has moved.
 */
static bool move_to_symbols(struct proof *p)
{
	const struct symbols *syms = p->d->syms;
	uint32_t next = 0;
	bool moved = false;

	for_each(body, &p->d->observed->bodies) {
		const struct symbol *sym;

		while (next < syms->nr_funcs && cmp_place(body, &syms->funcs[next]) >= 0)
			next++;
		sym = next ? &syms->funcs[next - 1] : NULL;
		if (!sym || sym->section != body->section)
			continue;
		/* bodies of overridden weak functions are elsewhere */
		if (body->address - sym->address < sym->size || body->address == sym->address)
			p->has_body[body->facts.name] = true;
		if (body->address != sym->address && body->size &&
		    body->address + body->size == sym->address + sym->size) {
			body->address = sym->address;
			moved = true;
		}
	}
	return moved;
}

/* Test whether a body may be the code of a symbol at its address: its size and file match, too. */
static bool may_be_at(const struct decision *d, const struct func_body *body, const struct symbol *sym)
{
	const struct string *name = &d->store->strings.array[body->facts.name];

	return sym->stem_len == name->len && !memcmp(sym->name, name->s, name->len) &&
	       sym->size == body->size && (body->facts.external || sym->bind == STB_LOCAL) &&
	       !symbols__other_file(d->syms, sym, d->files[body->facts.unit]);
}

/*
 * In an image that is linked at address 0, its first functions have the addresses that GNU ld gives to
 * discarded code, 0 and 1.  Remove bodies that are not theirs.
 */
static void drop_dead_bodies(struct decision *d)
{
	const struct symbols *syms = d->syms;
	struct observed *o = d->observed;
	uint32_t nr = 0;

	if (likely(!symbols__section_of(syms, 0)) || syms->img->type == ET_REL)
		return;
	for_each(body, &o->bodies) {
		bool alive = body->address > 1;
		uint32_t i = alive ? syms->nr_funcs :
			     first_not_before(at, syms->nr_funcs, cmp_place(&syms->funcs[at], body) < 0);

		for (; i < syms->nr_funcs && !cmp_place(&syms->funcs[i], body); i++)
			alive |= may_be_at(d, body, &syms->funcs[i]);
		if (alive)
			o->bodies.array[nr++] = *body;
	}
	d->in->bodies_without_symbol += o->bodies.nr - nr;
	o->bodies.nr = nr;
}

static void sort_bodies(struct decision *d)
{
	struct observed *o = d->observed;

	/* in a linked image, the address identifies the section */
	for_each(body, &o->bodies)
		if (d->syms->img->type != ET_REL)
			body->section = symbols__section_of(d->syms, body->address);
	vector__sort(&o->bodies, compare_bodies);
}

/* The reason that does not depend on the symbol; for the others, see apply_verdict(). */
static enum func_reason reason_of(uint16_t doubts)
{
	if (doubts & DOUBT_MISFIT)
		return FUNC_TYPE;
	if (doubts & DOUBT_EMPTY)
		return FUNC_EMPTY;
	if (doubts & DOUBT_UNNAMED)
		return FUNC_UNNAMED;
	if (doubts & DOUBT_REGISTER)
		return FUNC_REGISTER;
	if (doubts & DOUBT_REMOVED)
		return FUNC_REMOVED;
	if (doubts & DOUBT_REORDERED)
		return FUNC_REORDERED;
	return doubts & DOUBT_PACKED ? FUNC_PACKED : FUNC_ENCODED;
}

static struct verdict verdict_on_mentions(const struct decision *d, uint32_t name, bool declared)
{
	uint32_t nr;
	const struct func_mention *m = decision__mentions(d, name, declared, &nr);
	struct verdict v = { .reason = FUNC_NO_DWARF, .facts.unit = NO_UNIT };

	for (uint32_t i = 0; i < nr; i++) {
		if (!i)
			v.facts = m->facts;
		else if (!proto__matches(d->store, m->facts.proto, m[i].facts.proto))
			return (struct verdict){ .reason = FUNC_PROTOTYPE, .facts.unit = NO_UNIT };
		v.facts.doubts |= m[i].facts.doubts;
		v.folded |= m[i].folded;
	}
	/* compilers do not write the names of a declaration's parameters */
	if (declared)
		v.facts.doubts &= ~DOUBT_UNNAMED;
	if (nr)
		v.reason = reason_of(v.facts.doubts);
	return v;
}

/*
 * An assembler only describes that there is a function; use its declarations.
 * Return: the prototype, 0 if they, or C's definitions with that name, including inline
 * functions, do not agree; or -EINVAL after a message.
 */
static int64_t declared_prototype(const struct proof *p, const struct instance *inst)
{
	struct store *store = p->d->store;
	uint32_t name = inst->facts.name, nr;
	struct verdict v = verdict_on_mentions(p->d, name, true);
	const struct node *proto = &store->nodes[v.facts.proto];
	const struct func_mention *m = decision__mentions(p->d, name, false, &nr);

	/*
	 * For code that C does not call, a declaration with (void) does not show which registers
	 * it uses.  A declaration of an external function does not describe a local one.
	 */
	if (v.reason != FUNC_ENCODED || !proto->nr_children || proto->flags & TYPE_VARARGS ||
	    (v.facts.external && inst->sym->bind == STB_LOCAL) || p->defined[name] == DIFFERENT ||
	    (p->defined[name] && !proto__matches(store, p->defined[name], v.facts.proto)))
		return 0;
	for (; nr; m++, nr--)
		if (m->facts.external && !proto__matches(store, m->facts.proto, v.facts.proto))
			return 0;
	return proto__with_names(store, v.facts.proto);
}

/* Describe an instance, unless the bodies or mentions with its name differ. */
static void apply_verdict(struct proof *p, struct instance *inst, const struct verdict *v)
{
	uint16_t doubts = v->facts.doubts;
	enum func_reason reason = v->reason;
	int64_t proto = v->facts.proto;
	bool without_result = false;

	if (func_facts__exist(&v->facts)) {
		inst->facts = v->facts;
		if (doubts & DOUBT_NO_PROTOTYPE) {
			proto = declared_prototype(p, inst);
			reason = proto ? FUNC_ENCODED : FUNC_NO_PROTOTYPE;
			if (proto)
				inst->facts.decl_file = inst->facts.decl_line = 0;
		} else if (!symbol__is_clone(inst->sym) && !(doubts & DOUBTS_CHANGED)) {
			without_result = doubts & DOUBT_RESULT && inst->sym->bind == STB_LOCAL;
		} else if (reason != FUNC_TYPE && reason != FUNC_UNNAMED) {
			/* the parameters of the code; DWARF does not show whether it returns a value */
			if (v->facts.proven)
				reason = FUNC_ENCODED;
			else if (!symbol__is_clone(inst->sym) && !(doubts & DOUBT_CHANGED))
				reason = FUNC_LATE;
			else
				reason = FUNC_UNPROVEN;
			proto = v->facts.proven ?: proto;
			without_result = v->facts.proven && (doubts & DOUBTS_CHANGED ||
					 strstr(inst->sym->name + inst->sym->stem_len, ".isra"));
		}
		if (without_result)
			proto = proto__returning_void(p->d->store, proto);
		if (proto < 0)
			p->err = proto;
		else
			inst->out.proto = proto;
	}
	if (inst->reason != FUNC_FRAGMENT)
		inst->reason = reason;
}

static void make_instances(struct decision *d)
{
	struct instances *in = d->in;

	grow(&in->array, &in->cap, d->syms->nr_funcs, sizeof(*in->array));
	for (uint32_t i = 0; i < d->syms->nr_funcs; i++) {
		const struct symbol *sym = &d->syms->funcs[i], *last = sym - 1;
		/* until a description is found */
		enum func_reason reason = FUNC_NO_DWARF;

		/* the same name twice at one place is one instance */
		if (i && symbol__same_place(last, sym) && !strcmp(last->name, sym->name))
			continue;
		if (symbol__is_fragment(sym))
			reason = FUNC_FRAGMENT;
		else if (d->read)
			reason = d->read->ambiguous[i] ? FUNC_AMBIGUOUS : FUNC_NO_BTF;
		push(in, (struct instance){
			.sym = sym, .out.name = sym->name, .reason = reason,
			.facts = { .unit = NO_UNIT, .external = sym->bind != STB_LOCAL } });
	}
}

/* The end of the functions in @in->sorted that share the name of number @i. */
static uint32_t end_of_name(const struct instances *in, uint32_t i)
{
	const uint32_t *sorted = in->sorted.array;
	const struct symbol *first = in->array[sorted[i]].sym;

	while (++i < in->sorted.nr && !symbol__compare_names(first, in->array[sorted[i]].sym))
		;
	return i;
}

static int compare_instances(const void *x, const void *y, void *arg)
{
	const struct instance *array = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return symbol__compare_names(array[a].sym, array[b].sym) ?: cmp_int(a, b);
}

/* Sort the last instances of @in->sorted, from @i, by name, and find those that share one. */
static void find_shared(struct instances *in, uint32_t i)
{
	uint32_t end;

	qsort_r(in->sorted.array + i, in->sorted.nr - i, sizeof(uint32_t), compare_instances,
		in->array);
	for (; i < in->sorted.nr; i = end) {
		const struct symbol *first = in->array[in->sorted.array[i]].sym, *last;

		end = end_of_name(in, i);
		last = in->array[in->sorted.array[end - 1]].sym;
		for (uint32_t k = i; k < end; k++)
			in->array[in->sorted.array[k]].shared = !symbol__same_place(first, last);
	}
}

/* Sort instances by name, then by place, and find those that share a name. */
static void sort_instances(struct decision *d)
{
	const struct symbols *syms = d->syms;
	struct instances *in = d->in;
	uint32_t *of_sym __cleanup(free_pointer) = xcalloc(syms->nr_funcs + 1UL, sizeof(*of_sym));
	uint32_t i, end, start;

	for (i = 0; i < in->nr; i++)
		if (in->array[i].reason != FUNC_FRAGMENT)
			of_sym[in->array[i].sym - syms->funcs] = i + 1;
	/* symbols with one stem are adjacent, and few */
	for (i = 0; i < syms->nr_funcs; i = end) {
		const struct symbol *sym = &syms->funcs[syms->by_stem[i]];

		start = in->sorted.nr;
		for (end = i; end < syms->nr_funcs &&
		     same_stem(sym, &syms->funcs[syms->by_stem[end]]); end++)
			if (of_sym[syms->by_stem[end]])
				push(&in->sorted, of_sym[syms->by_stem[end]] - 1);
		if (in->sorted.nr - start > 1)
			find_shared(in, start);
	}
}

/*
 * Bodies with the same place and name have a common description.  Each instance at that place whose
 * stem is this name gets it.
 */
static void join_bodies(struct proof *p)
{
	const struct func_body *bodies = p->d->observed->bodies.array;
	uint32_t nr = p->d->observed->bodies.nr, i, end, first, at;
	const struct store *store = p->d->store;
	struct instances *in = p->d->in;
	/* the instances at the place of a body, from @here to before @after */
	uint32_t here = 0, after = 0;

	for (i = 0; i < nr; i = end) {
		const struct func_body *body = &bodies[i];
		const struct string *name = &store->strings.array[body->facts.name];
		struct verdict v = { .facts = body->facts };
		bool differ = false;

		for (end = i; end < nr && !cmp_place(&bodies[end], body) &&
		     bodies[end].facts.name == body->facts.name; end++) {
			const struct func_facts *f = &bodies[end].facts;

			v.facts.doubts |= f->doubts;
			differ |= !proto__matches(store, body->facts.proto, f->proto);
			if (!f->proven || !v.facts.proven ||
			    !proto__matches(store, v.facts.proven, f->proven))
				v.facts.proven = 0;
		}
		v.reason = reason_of(v.facts.doubts);
		if (differ)
			v = (struct verdict){ .reason = FUNC_PROTOTYPE, .facts.unit = NO_UNIT };
		/* both are sorted by place */
		while (here < in->nr && cmp_place(in->array[here].sym, body) < 0)
			here++;
		after = here > after ? here : after;
		while (after < in->nr && !cmp_place(in->array[after].sym, body))
			after++;
		first = here + first_not_before(k, after - here,
						symbol__compare(in->array[here + k].sym,
								name->s, name->len) < 0);
		for (at = first; at < after && name->len && name->len == in->array[at].sym->stem_len &&
		     !memcmp(name->s, in->array[at].sym->name, name->len); at++)
			apply_verdict(p, &in->array[at], &v);
		if (at == first)
			in->bodies_without_symbol += end - i;
	}
}

/* --- functions without a body ------------------------------------------------ */

static int compare_mentions(const void *x, const void *y)
{
	const struct func_mention *a = x, *b = y;

	return cmp_int(a->facts.name, b->facts.name) ?: cmp_int(a->declared, b->declared) ?:
	       cmp_int(a->facts.unit, b->facts.unit);
}

/*
 * Test whether a symbol may be the code of a function without a body.  It may be a body
 * that takes as many arguments; or it only jumps to such code, and DWARF does not
 * describe it.  An inline function that was inlined everywhere has no code, and an alias may
 * have its name: a static function is folded with another one of its unit, and a global
 * function is the same in all units.
 */
static bool may_be_folded(const struct decision *d, const struct symbol *sym,
			  const struct verdict *v)
{
	const struct node *nodes = d->store->nodes;
	const struct observed *o = d->observed;
	uint32_t i = first_not_before(at, o->bodies.nr, cmp_place(&o->bodies.array[at], sym) < 0);
	const struct func_mention *m;
	const struct func_facts *f;
	bool folded = v->folded;
	uint32_t nr;

	if (v->facts.external != (sym->bind != STB_LOCAL))
		return false;
	if (i == o->bodies.nr || cmp_place(&o->bodies.array[i], sym))
		return folded;
	f = &o->bodies.array[i].facts;
	if (!v->facts.external) {
		m = decision__mentions(d, v->facts.name, false, &nr);
		while (nr && (m->facts.unit != f->unit || !m->folded)) {
			m++;
			nr--;
		}
		folded = nr;
	}
	return folded && !(f->doubts & (DOUBTS_CHANGED | DOUBT_NO_PROTOTYPE)) &&
	       reason_of(f->doubts) == FUNC_ENCODED &&
	       nodes[f->proto].nr_children == nodes[v->facts.proto].nr_children;
}

/*
 * Identical code is folded into one body, or jumps to it; the other names keep
 * their symbols and are described without a body.  Such a function is encoded if exactly
 * one symbol has its name, and no body has.
 */
static void join_mention(struct proof *p, struct instance *inst)
{
	const struct decision *d = p->d;
	uint32_t name = stem_string(d, inst->sym);

	if (!name || p->has_body[name] || inst->shared || symbol__is_clone(inst->sym))
		return;
	/* several clones at one place are adjacent */
	if (name != p->mentioned_name) {
		p->mentioned = verdict_on_mentions(d, name, false);
		p->mentioned_name = name;
	}
	if (!func_facts__exist(&p->mentioned.facts) || may_be_folded(d, inst->sym, &p->mentioned))
		apply_verdict(p, inst, &p->mentioned);
}

/* --- clones, and what a record can represent ---------------------------------- */

/* Test whether only one section has a function with that name at this offset. */
static bool is_clear(const struct decision *d, const struct instance *inst)
{
	const struct symbols *syms = d->syms;
	const struct symbol *sym = inst->sym;
	uint32_t nr, at = 0, sections = 0;
	const uint32_t *index;

	if (syms->img->type != ET_REL || !d->opts->detached || !inst->shared)
		return true;
	index = symbols__with_stem(syms, sym->name, symbol__name_len(sym), &nr);
	for (uint32_t i = 0; i < nr; i++) {
		const struct symbol *other = &syms->funcs[index[i]];

		if (other->address != sym->address || at == other->section ||
		    symbol__compare_names(sym, other))
			continue;
		at = other->section;
		sections++;
	}
	return sections == 1;
}

/* Give the FUNC of core text an address, and skip functions whose FUNC would be wrong. */
static void set_record(const struct decision *d, struct instance *inst)
{
	const struct symbols *syms = d->syms;

	if (inst->reason != FUNC_ENCODED)
		return;
	inst->out.record = symbols__is_core_text(syms, inst->sym->section, inst->sym->address);
	if (!name__is_valid(inst->out.name))
		instance__skip(inst, FUNC_NAME);
	if (!inst->out.record || inst->reason != FUNC_ENCODED)
		return;
	inst->out.offset = inst->sym->address - syms->text_start;
	if (inst->sym->address < syms->text_start || inst->out.offset > BTF_FUNC_OFFSET_MAX)
		instance__skip(inst, FUNC_NO_OFFSET);
	else if (!is_clear(d, inst))
		instance__skip(inst, FUNC_AMBIGUOUS);
}

static int decide_by_proof(struct decision *d)
{
	uint32_t *defined __cleanup(free_pointer) = xcalloc(d->nr_strings, sizeof(*defined));
	bool *has_body __cleanup(free_pointer) = xcalloc(d->nr_strings, sizeof(*has_body));
	struct proof p = { .d = d, .defined = defined, .has_body = has_body };
	struct instance *inst, *end = d->in->array + d->in->nr;
	/* the function itself, or a clone of it, is encoded at the current place */
	bool done = false;

	/* pahole does not use bodies that start after their symbol */
	if (move_to_symbols(&p))
		sort_bodies(d);
	/* find the prototype that each name is defined with */
	for_each(body, &d->observed->bodies) {
		const struct func_facts *f = &body->facts;

		if (!f->external || f->doubts & DOUBT_NO_PROTOTYPE ||
		    defined[f->name] == DIFFERENT)
			continue;
		if (!defined[f->name])
			defined[f->name] = f->proto;
		else if (!proto__matches(d->store, defined[f->name], f->proto))
			defined[f->name] = DIFFERENT;
	}
	join_bodies(&p);
	for (inst = d->in->array; inst < end; inst++)
		if (inst->reason == FUNC_NO_DWARF)
			join_mention(&p, inst);
	for (inst = d->in->array; inst < end; inst++) {
		const struct symbol *sym = inst->sym;

		/* at a place, clones follow the function itself */
		if (inst == d->in->array || !symbol__same_place(inst[-1].sym, sym) ||
		    !same_stem(inst[-1].sym, sym))
			done = false;
		if (inst->reason == FUNC_ENCODED && sym->has_suffix) {
			if (done) {
				inst->reason = FUNC_ALIAS;
			} else if (!symbol__is_clone(sym)) {
				/* ThinLTO's suffix is not part of the name */
				inst->out.name = d->store->strings.array[stem_string(d, sym)].s;
				done = true;
			} else if (!d->opts->optimized) {
				inst->reason = FUNC_CLONE;
			} else {
				done = name__is_valid(inst->out.name);
			}
		}
		set_record(d, inst);
		if (!sym->has_suffix)
			done = inst->reason == FUNC_ENCODED;
	}
	return p.err;
}

/*
 * The functions at a place that DWARF does not describe have another name there if it describes the
 * place, unless one of several symbols has that name: compilers do not describe the others.
 */
static void find_other_names(struct decision *d)
{
	const struct func_body *bodies = d->observed->bodies.array;
	uint32_t nr = d->observed->bodies.nr, at;
	struct instance *inst, *end = d->in->array + d->in->nr, *other, *last;

	/* as with pahole, they are sorted by name */
	if (!d->opts->address)
		sort_bodies(d);
	for (inst = d->in->array; inst < end; inst = last) {
		bool described = false;

		for (last = inst; last < end && symbol__same_place(last->sym, inst->sym); last++)
			described |= last->reason != FUNC_NO_DWARF;
		if (likely(described))
			continue;
		at = first_not_before(k, nr, cmp_place(&bodies[k], inst->sym) < 0);
		for (other = inst; at < nr && !cmp_place(&bodies[at], inst->sym) && other < last; other++)
			other->reason = FUNC_OTHER_NAME;
	}
}

bool instance__is_unproven(const struct instance *inst)
{
	switch (inst->reason) {
	case FUNC_REGISTER:
	case FUNC_PACKED:
	case FUNC_REMOVED:
	case FUNC_UNPROVEN:
	case FUNC_LATE:
	case FUNC_REORDERED:
		return func_facts__exist(&inst->facts);
	default:
		return false;
	}
}

/* Test whether an instance has a prototype, proven or not, that a FUNC can have. */
static bool has_prototype(const struct instance *inst)
{
	switch (inst->reason) {
	case FUNC_ENCODED:
		return true;
	case FUNC_ALIAS:
	case FUNC_NO_OFFSET:
	case FUNC_NO_FILE:
	case FUNC_INIT_TEXT:
		return func_facts__exist(&inst->facts) && name__is_valid(inst->sym->name);
	default:
		return instance__is_unproven(inst) && name__is_valid(inst->sym->name);
	}
}

/* With func_unit, those that share a name become NAME@FILE; the others keep it. */
static void name_instances(struct decision *d)
{
	const struct instances *in = d->in;
	uint32_t end;

	for (uint32_t i = 0; i < in->sorted.nr; i = end) {
		end = i + 1;
		if (!in->array[in->sorted.array[i]].shared)
			continue;
		end = end_of_name(in, i);
		decision__name_shared(d, in->sorted.array + i, end - i);
	}
}

/* Complete a FUNC that is written. */
static void finish_out(const struct decision *d, struct instance *inst)
{
	const struct func_options *opts = d->opts;

	inst->out.linkage = inst->facts.external && !opts->pahole ? BTF_FUNC_GLOBAL :
								    BTF_FUNC_STATIC;
	/* the symbol identifies the section */
	if (opts->address && d->syms->img->type == ET_REL)
		inst->out.symbol = inst->sym->index;
}

int instances__decide(struct instances *ret, struct decision *d)
{
	struct observed *o = d->observed;
	uint32_t nr = 0;
	int err = 0;

	*ret = (struct instances){};
	d->in = ret;
	d->nr_strings = d->store->strings.nr;
	make_instances(d);
	sort_instances(d);
	sort_bodies(d);
	if (d->opts->address)
		drop_dead_bodies(d);
	/* without those whose units were all read again */
	for_each(mention, &o->mentions)
		if (mention->nr_units)
			o->mentions.array[nr++] = *mention;
	o->mentions.nr = nr;
	vector__sort(&o->mentions, compare_mentions);
	if (d->opts->address) {
		err = decide_by_proof(d);
		name_instances(d);
	} else {
		decision__as_pahole(d);
	}
	if (!d->read)
		find_other_names(d);
	for_each(inst, ret)
		ret->by_reason[inst->reason]++;
	for_each(at, &ret->sorted)
		if (ret->array[*at].reason == FUNC_ENCODED ||
		    (d->opts->for_map && has_prototype(&ret->array[*at])))
			push(&ret->order, *at);
	if (d->read)
		funcs_read__finish(d);
	for_each(at, &ret->order)
		finish_out(d, &ret->array[*at]);
	return err;
}

void instances__destroy(struct instances *in)
{
	for_each(name, &in->made)
		free(*name);
	free(in->made.array);
	free(in->array);
	free(in->sorted.array);
	free(in->order.array);
	*in = (struct instances){};
}
