// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <linux/btf.h>
#include <string.h>

#include "btf/format.h"
#include "functions/decision.h"
#include "functions/names.h"
#include "functions/namesakes.h"
#include "functions/proto.h"
#include "util/grow.h"
#include "util/search.h"

static const struct { const char *name, *text; } reasons[NR_FUNC_REASONS] = {
	[FUNC_ENCODED]	 = { "encoded", "" },
	[FUNC_FRAGMENT]	 = { "fragment", "it is a part of another function" },
	[FUNC_ALIAS]	 = { "alias", "it is another name of a function that is encoded" },
	[FUNC_NO_DWARF]	 = { "no_dwarf", "no debug information describes it" },
	[FUNC_EMPTY]	 = { "no_code", "it has no code" },
	[FUNC_NO_BTF]	 = { "no_btf", "no BTF describes it" },
	[FUNC_REGISTER]	 = { "unexpected_register", "unexpected register usage for parameter" },
	[FUNC_PACKED]	 = { "uncertain_location", "uncertain parameter location" },
	[FUNC_REMOVED]	 = { "removed_parameter", "removed parameters" },
	[FUNC_OPTIMIZED] = { "optimized_parameter", "optimized parameters" },
	[FUNC_UNPROVEN]	 = { "unproven_signature", "a changed signature that is not proven" },
	[FUNC_NO_PROTOTYPE] = { "no_prototype", "a function that is not written in C, without agreeing declarations" },
	[FUNC_REORDERED] = { "reordered_parameter", "reordered parameters" },
	[FUNC_UNNAMED]	 = { "unnamed_parameter", "a parameter without a name" },
	[FUNC_TYPE]	 = { "invalid_type", "a type that BTF cannot hold" },
	[FUNC_PROTOTYPE] = { "inconsistent_prototype", "inconsistent prototype" },
	[FUNC_CLONE]	 = { "optimized_clone", "being an optimized clone" },
	[FUNC_AMBIGUOUS] = { "ambiguous_address", "ambiguous address" },
	[FUNC_NO_OFFSET] = { "no_offset", "an address below _text" },
	[FUNC_NO_FILE]	 = { "unknown_file", "a name of several functions, and an unknown file" },
	[FUNC_NAME]	 = { "invalid_name", "a name that BTF could not hold" },
	[FUNC_INIT_TEXT] = { "init_text", "not in core text, and a shared name" },
	[FUNC_NOT_TRACEABLE] = { "not_traceable", "ftrace cannot patch it, and a shared name" },
};

const char *func_reason__name(enum func_reason reason)
{
	return reasons[reason].name;
}

const char *func_reason__text(enum func_reason reason)
{
	return reasons[reason].text;
}

/**
 * struct verdict - what DWARF says about all functions of one name and place
 * @reason:	for a symbol of that very name
 * @proto:	as the source has it
 * @proven:	as the code has it, 0 if that is not known
 * @doubts:	of all of them
 * @folded:	of mentions: it may have code elsewhere
 * @unit:	NO_UNIT for none, and if they do not agree
 */
struct verdict {
	enum func_reason	reason;
	uint32_t		proto;
	uint32_t		proven;
	uint32_t		unit;
	uint32_t		die;
	uint32_t		decl_file;
	uint32_t		decl_line;
	uint16_t		doubts;
	bool			external;
	bool			folded;
};

/* In struct proof's @defined: no one prototype. */
#define DIFFERENT	UINT32_MAX

/**
 * struct proof - the rules of a FUNC with an address, at work
 * @places:	by function symbol: those that have its name
 * @defined:	by string id: prototype of C's definitions, 0 for none, or DIFFERENT
 * @mentioned:	verdict of the mentions of @mentioned_name
 * @clone:	the last one that was named; @clone_done: its base is encoded at its place
 * @err:	no memory for a prototype
 */
struct proof {
	struct decision		*d;
	uint32_t		*places;
	uint32_t		*defined;
	struct verdict		mentioned;
	uint32_t		mentioned_name;
	const struct func_sym	*clone;
	bool			clone_done;
	int			err;
};

static bool is_base_of(const struct string *name, const struct func_sym *sym)
{
	return name->len == sym->base_len && !memcmp(name->s, sym->name, name->len);
}

/* --- bodies ------------------------------------------------------------------ */

static int compare_bodies(const void *x, const void *y)
{
	const struct func_body *a = x, *b = y;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	/* names in any order, only that equal ones are neighbours */
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->die < b->die ? -1 : a->die > b->die;
}

static bool body_at(const struct func_body *body, const struct func_sym *sym)
{
	return body->section == sym->section && body->address == sym->address;
}

static bool body_before(const struct func_body *body, const struct func_sym *sym)
{
	return body->section < sym->section ||
	       (body->section == sym->section && body->address < sym->address);
}

/*
 * The symbol that a body belongs to.  DWARF may say that the code begins behind the
 * nops that the symbol includes (-fpatchable-function-entry with gcc before 14): then
 * both end at the same place.
 */
static bool find_start(struct decision *d, struct func_body *body, const struct func_sym *sym)
{
	/* elsewhere lie those of overridden weak functions */
	if (body->address - sym->address < sym->size || body->address == sym->address)
		d->has_body[body->name] = true;
	if (sym->address == body->address || !body->size ||
	    body->address + body->size != sym->address + sym->size)
		return false;
	body->address = sym->address;
	return true;
}

/* The last symbol that does not begin behind each body. Return: whether any has moved. */
static bool find_starts(struct decision *d)
{
	const struct symbols *syms = d->syms;
	struct observed *o = d->seen;
	uint32_t i, next = 0;
	bool moved = false;

	for (i = 0; i < o->nr_bodies; i++) {
		struct func_body *body = &o->bodies[i];

		while (next < syms->nr_funcs && !body_before(body, &syms->funcs[next]))
			next++;
		if (next && syms->funcs[next - 1].section == body->section)
			moved |= find_start(d, body, &syms->funcs[next - 1]);
	}
	return moved;
}

static void sort_bodies(struct decision *d)
{
	struct observed *o = d->seen;
	uint32_t i;

	/* in a linked image an address says which section */
	for (i = 0; i < o->nr_bodies && d->syms->img->type != ET_REL; i++)
		o->bodies[i].section = symbols__section_of(d->syms, o->bodies[i].address);
	if (!o->nr_bodies)
		return;
	qsort(o->bodies, o->nr_bodies, sizeof(*o->bodies), compare_bodies);
	/* pahole does without bodies that begin behind their symbol */
	if (d->opts->address && find_starts(d))
		qsort(o->bodies, o->nr_bodies, sizeof(*o->bodies), compare_bodies);
}

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

static struct verdict judge_mentions(const struct decision *d, uint32_t name, bool declared)
{
	uint32_t nr, i, at = decision__mentions(d, name, declared, &nr);
	const struct func_mention *first = nr ? &d->seen->mentions[d->mentions[at]] : NULL;
	uint16_t doubts = 0;
	bool folded = false;

	if (!nr)
		return (struct verdict){ .reason = FUNC_NO_DWARF, .unit = NO_UNIT };
	for (i = 0; i < nr; i++) {
		const struct func_mention *m = &d->seen->mentions[d->mentions[at + i]];

		doubts |= m->doubts & ~(declared ? DOUBT_UNNAMED : 0);
		if (!proto__matches(d->store, first->proto, m->proto))
			return (struct verdict){ .reason = FUNC_PROTOTYPE, .unit = NO_UNIT };
		folded |= m->folded;
	}
	return (struct verdict){ .reason = reason_of(doubts), .proto = first->proto,
				 .doubts = doubts, .folded = folded,
				 .unit = first->unit, .decl_file = first->decl_file,
				 .decl_line = first->decl_line, .external = first->external };
}

/* What each name is defined as, in one pass over all bodies. */
static int find_definitions(struct proof *p)
{
	const struct decision *d = p->d;
	const struct observed *o = d->seen;
	uint32_t i;

	p->defined = calloc(d->nr_strings, sizeof(*p->defined));
	if (!p->defined)
		return -ENOMEM;
	for (i = 0; i < o->nr_bodies; i++) {
		const struct func_body *b = &o->bodies[i];
		uint32_t *proto = &p->defined[b->name];

		if (!b->external || b->doubts & DOUBT_NO_PROTOTYPE || *proto == DIFFERENT)
			continue;
		if (!*proto)
			*proto = b->proto;
		else if (!proto__matches(d->store, *proto, b->proto))
			*proto = DIFFERENT;
	}
	return 0;
}

/* Do definitions in C of that name, inline ones too, take the same? */
static bool definitions_agree(const struct proof *p, uint32_t name, uint32_t proto)
{
	const struct decision *d = p->d;
	uint32_t nr, i, at = decision__mentions(d, name, false, &nr);

	for (i = 0; i < nr; i++) {
		const struct func_mention *m = &d->seen->mentions[d->mentions[at + i]];

		if (m->external && !proto__matches(d->store, m->proto, proto))
			return false;
	}
	return !p->defined[name] || (p->defined[name] != DIFFERENT &&
				     proto__matches(d->store, p->defined[name], proto));
}

/* A prototype that was made for an instance, or a negative errno. */
static void take_made(struct proof *p, struct instance *in, int64_t proto)
{
	if (proto < 0)
		p->err = proto;
	else
		in->proto = proto;
}

/* What an assembler says is that there is a function; what declares it says the rest. */
static void take_declaration(struct proof *p, struct instance *in, uint32_t name)
{
	const struct decision *d = p->d;
	struct verdict v = judge_mentions(d, name, true);

	/* C declares (void) whatever registers code takes that C does not call; external is not local */
	if (v.reason != FUNC_ENCODED || !d->store->nodes[v.proto].nr_children ||
	    d->store->nodes[v.proto].flags & TYPE_VARARGS ||
	    (v.external && in->sym->bind == STB_LOCAL) || !definitions_agree(p, name, v.proto)) {
		in->reason = FUNC_NO_PROTOTYPE;
		return;
	}
	/* compilers do not write the names of a declaration's parameters */
	take_made(p, in, proto__with_names(d->store, v.proto));
	in->reason = FUNC_ENCODED;
	in->decl_file = in->decl_line = 0;
}

/* What the code takes, and nothing of what it returns if it may not return that. */
static void take_proven(struct proof *p, struct instance *in, const struct verdict *v)
{
	const char *suffix = in->sym->name + in->sym->base_len;

	if (v->reason == FUNC_TYPE || v->reason == FUNC_UNNAMED || v->reason == FUNC_PROTOTYPE)
		return;
	in->reason = v->proven ? FUNC_ENCODED : FUNC_UNPROVEN;
	in->proto = v->proven ?: in->proto;
	/* DWARF does not say so when nobody uses the value */
	if (v->proven && (v->doubts & DOUBT_CHANGED || strstr(suffix, ".isra")))
		take_made(p, in, proto__returning_void(p->d->store, in->proto));
}

static void apply_verdict(struct proof *p, struct instance *in, const struct verdict *v,
			  uint32_t name)
{
	in->reason = v->reason;
	if (v->unit == NO_UNIT)
		return;
	in->proto = v->proto;
	in->unit = v->unit;
	in->die = v->die;
	in->decl_file = v->decl_file;
	in->decl_line = v->decl_line;
	in->external = v->external;
	if (v->doubts & DOUBT_NO_PROTOTYPE)
		take_declaration(p, in, name);
	else if (func_sym__is_clone(in->sym) || v->doubts & DOUBT_CHANGED)
		take_proven(p, in, v);
	else if (v->doubts & DOUBT_RESULT && in->sym->bind == STB_LOCAL)
		take_made(p, in, proto__returning_void(p->d->store, in->proto));
}

/* Judge bodies of one name at one place. */
static struct verdict judge_bodies(const struct decision *d, const struct func_body *body,
				   uint32_t nr)
{
	uint32_t i, proven = body->proven;
	uint16_t doubts = 0;

	for (i = 0; i < nr; i++) {
		doubts |= body[i].doubts;
		if (!proto__matches(d->store, body->proto, body[i].proto))
			return (struct verdict){ .reason = FUNC_PROTOTYPE, .unit = NO_UNIT };
		if (!body[i].proven || !proven ||
		    !proto__matches(d->store, proven, body[i].proven))
			proven = 0;
	}
	return (struct verdict){ .reason = reason_of(doubts), .proto = body->proto,
				 .proven = proven, .doubts = doubts,
				 .unit = body->unit, .die = body->die,
				 .decl_file = body->decl_file, .decl_line = body->decl_line,
				 .external = body->external };
}

/* Up to so many instances at one place are looked at one after another. */
#define FEW	8

/* Does it stand before NAME, or NAME"."? */
static bool is_before(const char *other, const struct string *name, bool dot)
{
	int diff = strncmp(other, name->s, name->len);

	return diff < 0 || (!diff && dot && (unsigned char)other[name->len] < '.');
}

/* Instances of one place are in the order of names: the first not before NAME or NAME"." */
static uint32_t find_name(const struct instance *at, uint32_t nr, const struct string *name,
			  bool dot)
{
	return first_not_before(i, nr, is_before(at[i].sym->name, name, dot));
}

/* Give a verdict to all instances of a place that bear a name. */
static bool apply_all(struct proof *p, struct instance *at, uint32_t nr, uint32_t name,
		      const struct verdict *v)
{
	const struct string *s = &p->d->store->strings.array[name];
	bool any = false;
	uint32_t i;

	if (nr <= FEW) {
		for (i = 0; i < nr; i++) {
			if (!is_base_of(s, at[i].sym))
				continue;
			apply_verdict(p, &at[i], v, name);
			any = true;
		}
		return any;
	}
	i = find_name(at, nr, s, false);
	if (i < nr && !at[i].sym->name[at[i].sym->base_len] && is_base_of(s, at[i].sym)) {
		apply_verdict(p, &at[i], v, name);
		any = true;
	}
	for (i = find_name(at, nr, s, true); i < nr && is_base_of(s, at[i].sym); i++) {
		apply_verdict(p, &at[i], v, name);
		any = true;
	}
	return any;
}

/*
 * Bodies and instances of one place, name after name.
 * Return: the number of bodies there.
 */
static uint32_t join_place(struct proof *p, struct instance *at, uint32_t nr,
			   const struct func_body *body, uint32_t nr_bodies)
{
	struct decision *d = p->d;
	uint32_t i, end;

	for (i = 0; i < nr_bodies && body_at(&body[i], at->sym); i = end) {
		uint32_t name = body[i].name;
		struct verdict v;

		for (end = i + 1; end < nr_bodies && body_at(&body[end], at->sym) &&
		     body[end].name == name; end++)
			;
		v = judge_bodies(d, body + i, end - i);
		if (!apply_all(p, at, nr, name, &v))
			d->in->bodies_without_symbol += end - i;
	}
	return i;
}

static int make_instances(struct decision *d)
{
	struct instances *in = d->in;
	uint32_t i;

	in->array = calloc(d->syms->nr_funcs + 1, sizeof(*in->array));
	if (!in->array)
		return -ENOMEM;
	for (i = 0; i < d->syms->nr_funcs; i++) {
		const struct func_sym *sym = &d->syms->funcs[i], *last = sym - 1;

		/* the same name twice at one place is one instance */
		if (i && same_place(last, sym) && !strcmp(last->name, sym->name))
			continue;
		in->array[in->nr++] = (struct instance){
			.sym = sym, .name = sym->name, .unit = NO_UNIT,
			.reason = FUNC_NO_DWARF, .external = sym->bind != STB_LOCAL };
	}
	return 0;
}

static void join_symbols(struct proof *p)
{
	const struct observed *o = p->d->seen;
	struct instances *in = p->d->in;
	uint32_t i, end, body = 0;

	for (i = 0; i < in->nr; i = end) {
		for (end = i + 1; end < in->nr && same_place(in->array[end].sym,
							     in->array[i].sym); end++)
			;
		for (; body < o->nr_bodies && body_before(&o->bodies[body],
							  in->array[i].sym); body++)
			in->bodies_without_symbol++;
		body += join_place(p, &in->array[i], end - i, o->bodies + body,
				   o->nr_bodies - body);
	}
	in->bodies_without_symbol += o->nr_bodies - body;
	for (i = 0; i < in->nr; i++)
		if (func_sym__is_fragment(in->array[i].sym))
			in->array[i].reason = FUNC_FRAGMENT;
}

/* --- functions without a body of their own ----------------------------------- */

static int compare_mentions(const void *x, const void *y, void *arg)
{
	const struct func_mention *mentions = arg;
	const struct func_mention *a = &mentions[*(const uint32_t *)x];
	const struct func_mention *b = &mentions[*(const uint32_t *)y];

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->declared != b->declared)
		return a->declared - b->declared;
	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

static int sort_mentions(struct decision *d)
{
	struct observed *o = d->seen;
	uint32_t i, nr = 0;

	d->mentions = calloc(o->nr_mentions + 1, sizeof(*d->mentions));
	d->first_mention = calloc(d->store->strings.nr, sizeof(*d->first_mention));
	if (!d->mentions || !d->first_mention)
		return -ENOMEM;
	for (i = 0; i < o->nr_mentions; i++)
		if (o->mentions[i].count)
			d->mentions[nr++] = i;
	qsort_r(d->mentions, nr, sizeof(*d->mentions), compare_mentions, o->mentions);
	for (i = nr; i-- > 0; )
		d->first_mention[o->mentions[d->mentions[i]].name] = i + 1;
	/* the entry behind the last names no string */
	d->mentions[nr] = UINT32_MAX;
	return 0;
}

static bool is_mentioned_in(const struct decision *d, uint32_t name, uint32_t unit)
{
	uint32_t nr, i, at = decision__mentions(d, name, false, &nr);

	for (i = 0; i < nr; i++)
		if (d->seen->mentions[d->mentions[at + i]].unit == unit)
			return true;
	return false;
}

/*
 * Is the code at a symbol that of a function without a body, as far as is known?  It is a
 * body that takes as many arguments as that; or it only jumps to such code, and DWARF does
 * not describe it.  An inline function that was put into its callers has none, and an alias
 * may bear its name: a static one is folded with another of its unit, and what is global
 * is one function in all units.
 */
static bool may_be_folded(const struct decision *d, const struct func_sym *sym,
			  const struct verdict *v)
{
	const struct node *nodes = d->store->nodes;
	const struct observed *o = d->seen;
	uint32_t i = first_not_before(at, o->nr_bodies, body_before(&o->bodies[at], sym));
	const struct func_body *b = &o->bodies[i];

	if (v->external != (sym->bind != STB_LOCAL))
		return false;
	if (i == o->nr_bodies || !body_at(b, sym))
		return v->folded;
	return !(b->doubts & (DOUBT_CHANGED | DOUBT_NO_PROTOTYPE)) &&
	       reason_of(b->doubts) == FUNC_ENCODED &&
	       (v->external ? v->folded : is_mentioned_in(d, base_string(d, sym), b->unit)) &&
	       nodes[b->proto].nr_children == nodes[v->proto].nr_children;
}

/*
 * Identical code is folded into one body, or jumps to it; the other names keep
 * their symbols and are described without a body.  Such a name is an instance if
 * there is exactly one symbol that it can mean, and no function has a body of that
 * name.
 */
static void join_mention(struct proof *p, struct instance *in)
{
	const struct decision *d = p->d;
	uint32_t name = base_string(d, in->sym);

	if (!name || d->has_body[name] || p->places[in->sym - d->syms->funcs] > 1 ||
	    func_sym__is_clone(in->sym))
		return;
	/* several clones at the one place are neighbours */
	if (name != p->mentioned_name) {
		p->mentioned = judge_mentions(d, name, false);
		p->mentioned_name = name;
	}
	if (p->mentioned.unit == NO_UNIT || may_be_folded(d, in->sym, &p->mentioned))
		apply_verdict(p, in, &p->mentioned, name);
}

/* --- the name of each, and the last word ------------------------------------- */

static int compare_original(const void *x, const void *y)
{
	const struct func_sym *clone = x, *sym = ((const struct instance *)y)->sym;
	int diff;

	if (clone->section != sym->section)
		return clone->section < sym->section ? -1 : 1;
	if (clone->address != sym->address)
		return clone->address < sym->address ? -1 : 1;
	diff = strncmp(clone->name, sym->name, clone->base_len);
	return diff ?: -(sym->name[clone->base_len] != '\0');
}

/* Is the function itself, or another clone of it, encoded at a clone's place? */
static bool encoded_at(struct proof *p, const struct instance *in)
{
	const struct instances *all = p->d->in;
	const struct instance *original;

	/* clones of one function at one place are neighbours: ask for the first one */
	if (p->clone && same_place(p->clone, in->sym) && same_base(p->clone, in->sym))
		return p->clone_done;
	p->clone = in->sym;
	original = bsearch(in->sym, all->array, all->nr, sizeof(*original), compare_original);
	p->clone_done = original && original->reason == FUNC_ENCODED;
	return p->clone_done;
}

static void name_instance(struct proof *p, struct instance *in)
{
	const struct decision *d = p->d;
	const struct func_sym *sym = in->sym;

	if (!sym->name[sym->base_len])
		return;
	if (encoded_at(p, in)) {
		in->reason = FUNC_ALIAS;
	} else if (!func_sym__is_clone(sym)) {
		/* ThinLTO's suffix is no part of the name */
		in->name = d->store->strings.array[base_string(d, sym)].s;
		p->clone_done = true;
	} else if (!d->opts->optimized) {
		in->reason = FUNC_CLONE;
	} else {
		p->clone_done = name__is_valid(in->name);
	}
}

/* Below the text base there is nothing that a record could say. */
static bool has_offset(const struct decision *d, struct instance *in)
{
	in->offset = in->sym->address - d->syms->text_start;
	return in->sym->address >= d->syms->text_start && in->offset <= BTF_FUNC_OFFSET_MAX;
}

/* Is a function of that name at this offset in one section only? */
static bool is_clear(const struct proof *p, const struct func_sym *sym)
{
	const struct symbols *syms = p->d->syms;
	uint32_t nr, i, at = 0, sections = 0;
	const uint32_t *index;

	if (syms->img->type != ET_REL || !p->d->opts->detached || p->places[sym - syms->funcs] == 1)
		return true;
	index = symbols__with_base(syms, sym->name, sym->base_len, &nr);
	for (i = 0; i < nr; i++) {
		const struct func_sym *other = &syms->funcs[index[i]];

		if (other->address != sym->address || at == other->section ||
		    func_sym__is_clone(sym) != func_sym__is_clone(other) ||
		    (func_sym__is_clone(sym) && strcmp(sym->name, other->name)))
			continue;
		at = other->section;
		sections++;
	}
	return sections == 1;
}

static int decide_by_proof(struct decision *d)
{
	struct proof p = { .d = d, .places = namesakes__count(d->syms) };
	struct instances *in = d->in;
	uint32_t i;
	int err = p.places ? find_definitions(&p) : -ENOMEM;

	if (!err)
		join_symbols(&p);
	for (i = 0; !err && i < in->nr; i++)
		if (in->array[i].reason == FUNC_NO_DWARF)
			join_mention(&p, &in->array[i]);
	for (i = 0; !err && i < in->nr; i++) {
		struct instance *inst = &in->array[i];

		if (inst->reason == FUNC_ENCODED)
			name_instance(&p, inst);
		if (inst->reason != FUNC_ENCODED)
			continue;
		inst->in_core_text = symbols__is_core_text(d->syms, inst->sym->section,
							   inst->sym->address);
		if (!name__is_valid(inst->name))
			inst->reason = FUNC_NAME;
		else if (inst->in_core_text && !has_offset(d, inst))
			inst->reason = FUNC_NO_OFFSET;
		else if (inst->in_core_text && !is_clear(&p, inst->sym))
			inst->reason = FUNC_AMBIGUOUS;
	}
	free(p.places);
	free(p.defined);
	return err ?: p.err;
}

int instances__decide(struct instances *ret, const struct symbols *syms,
		      struct observed *observed, struct store *store,
		      const struct func_options *opts)
{
	struct decision d = { .in = ret, .syms = syms, .seen = observed, .store = store,
			      .opts = opts, .nr_strings = store->strings.nr };
	int err;

	memset(ret, 0, sizeof(*ret));
	d.has_body = calloc(store->strings.nr, sizeof(*d.has_body));
	err = d.has_body ? 0 : -ENOMEM;
	if (!err) {
		sort_bodies(&d);
		err = sort_mentions(&d);
	}
	err = err ?: make_instances(&d);
	if (!err)
		err = opts->address ? decide_by_proof(&d) : decision__as_pahole(&d);
	free(d.has_body);
	free(d.mentions);
	free(d.first_mention);
	if (err)
		instances__destroy(ret);
	return err;
}

void instances__destroy(struct instances *in)
{
	uint32_t i;

	for (i = 0; i < in->nr_made; i++)
		free(in->made[i]);
	free(in->made);
	free(in->array);
	free(in->order);
	memset(in, 0, sizeof(*in));
}
