// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions without addresses, as in pahole 1.32: one FUNC for each name in the source that
 * has one address.  All descriptions of a name in DWARF are used, whatever their addresses.
 */
#include <elf.h>
#include <linux/btf.h>

#include "functions/decide.h"
#include "functions/proto.h"

/**
 * struct pahole_naming - the functions with one stem
 * @sym, @nr:	their symbols, by place
 * @bodies:	sorted by unit
 * @nr_facts:	number of bodies and mentions
 * @doubts:	about all whose parameters have names
 */
struct pahole_naming {
	struct decision			*d;
	const uint32_t			*sym;
	uint32_t			nr;
	const struct func_body		*bodies;
	uint32_t			nr_bodies;
	const struct func_mention	*mentions;
	uint32_t			nr_facts;
	uint16_t			doubts;
};

/* The descriptions of a name: bodies, then functions without a body. */
static const struct func_facts *facts_of(const struct pahole_naming *n, uint32_t i)
{
	return i < n->nr_bodies ? &n->bodies[i].facts : &n->mentions[i - n->nr_bodies].facts;
}

static const struct symbol *symbol_of(const struct pahole_naming *n, uint32_t i)
{
	return &n->d->syms->funcs[n->sym[i]];
}

/* pahole ignores these symbols when it counts addresses. */
static bool is_fragment(const struct symbol *sym)
{
	const char *suffix = sym->name + sym->stem_len;

	return strstr(suffix, ".cold") || strstr(suffix, ".part");
}

static bool is_optimized(const struct symbol *sym)
{
	const char *suffix = sym->name + sym->stem_len;

	return strstr(suffix, ".constprop") || strstr(suffix, ".isra");
}

/* Symbols with one name and place that are compared. */
#define MAX_SYMBOLS	64U

/* A wanted symbol at a body's place, or NULL. */
static const struct symbol *symbol_at(const struct pahole_naming *n, const struct func_body *b,
				      bool (*is_wanted)(const struct symbol *sym))
{
	uint32_t i, end;

	if (b->facts.doubts & DOUBT_PIECES)
		return NULL;
	i = first_not_before(at, n->nr, cmp_place(symbol_of(n, at), b) < 0);
	/* there may be as many bodies as symbols */
	end = i + MAX_SYMBOLS < n->nr ? i + MAX_SYMBOLS : n->nr;
	for (; i < end; i++) {
		const struct symbol *sym = symbol_of(n, i);

		if (cmp_place(sym, b))
			break;
		if (!is_fragment(sym) && is_wanted(sym))
			return sym;
	}
	return NULL;
}

static bool has_suffix(const struct symbol *sym)
{
	return sym->has_suffix;
}

static bool any_symbol(const struct symbol *sym)
{
	return true;
}

/*
 * How well a description suits as the FUNC of its name: the lowest rank is the best.  With
 * true_signature, a body at a symbol with a suffix is the FUNC of all, with the symbol's name.
 */
enum rank {
	RANK_CLONE, RANK_GOOD, RANK_REWRITTEN, RANK_ELSEWHERE, RANK_NO_ADDRESS, RANK_UNNAMED
};

static enum rank rank_of(const struct pahole_naming *n, uint32_t i)
{
	bool is_linked = n->d->syms->img->type != ET_REL;
	/* libdwfl, which pahole uses, moves the sections of relocatable files: it finds no clones there */
	bool finds_clones = is_linked || !n->d->opts->pahole;
	uint16_t doubts = facts_of(n, i)->doubts;

	if (doubts & DOUBT_UNNAMED)
		return RANK_UNNAMED;
	if (i >= n->nr_bodies || doubts & DOUBT_PIECES)
		return RANK_NO_ADDRESS;
	if (!symbol_at(n, &n->bodies[i], any_symbol))
		return RANK_ELSEWHERE;
	if (n->d->opts->true_signature && !is_linked && finds_clones &&
	    symbol_at(n, &n->bodies[i], is_optimized))
		return RANK_REWRITTEN;
	if (n->d->opts->true_signature && finds_clones &&
	    !(n->doubts & (DOUBT_REGISTER | DOUBT_PACKED)) && symbol_at(n, &n->bodies[i], has_suffix))
		return RANK_CLONE;
	/* its parameters were optimized away, and the ABI changed with it */
	if (!n->d->opts->true_signature && doubts & DOUBT_OPTIMIZED &&
	    (doubts & DOUBT_CHANGED || (finds_clones && symbol_at(n, &n->bodies[i], is_optimized))))
		return RANK_REWRITTEN;
	return RANK_GOOD;
}

/* Choose the description that the FUNC is generated from: the first with the best rank. */
static uint32_t choose_facts(const struct pahole_naming *n, enum rank *best)
{
	uint32_t chosen = 0;

	*best = RANK_UNNAMED;
	for (uint32_t i = 0; i < n->nr_facts && *best > RANK_CLONE; i++) {
		enum rank rank = rank_of(n, i);

		/* bodies and mentions are each sorted by unit */
		if (rank < *best || (rank == RANK_NO_ADDRESS && rank == *best &&
				     facts_of(n, i)->unit < facts_of(n, chosen)->unit)) {
			*best = rank;
			chosen = i;
		}
	}
	return chosen;
}

static bool protos_differ(const struct pahole_naming *n)
{
	/* with true signatures, only functions with code are compared */
	uint32_t i, first = 0, end = n->d->opts->true_signature ? n->nr_bodies : n->nr_facts;

	for (i = 0; i < end; i++) {
		const struct func_facts *f = facts_of(n, i);

		if (f->doubts & DOUBT_UNNAMED)
			continue;
		first = first ?: f->proto;
		if (!proto__matches(n->d->store, first, f->proto))
			return true;
	}
	return false;
}

/* The reason why pahole skips the name, in its order of precedence. */
static enum func_reason reason_of(const struct pahole_naming *n, uint32_t places, enum rank best)
{
	if (best == RANK_CLONE)
		return FUNC_ENCODED;
	if (best == RANK_UNNAMED)
		return FUNC_UNNAMED;
	if (places > 1)
		return FUNC_AMBIGUOUS;
	if (n->doubts & DOUBT_MISFIT)
		return FUNC_TYPE;
	if (best == RANK_REWRITTEN)
		return FUNC_OPTIMIZED;
	if (n->doubts & DOUBT_REORDERED)
		return FUNC_REORDERED;
	if (n->doubts & DOUBT_PACKED)
		return FUNC_PACKED;
	if (n->doubts & DOUBT_REGISTER)
		return FUNC_REGISTER;
	return n->d->opts->consistent && protos_differ(n) ? FUNC_PROTOTYPE : FUNC_ENCODED;
}

static void decide_name(const struct pahole_naming *n)
{
	const struct decision *d = n->d;
	const struct symbol *encoded = NULL, *last = NULL;
	uint32_t places = 0, chosen, i;
	enum func_reason reason;
	const char *name;
	enum rank best;

	for (i = 0; i < n->nr; i++) {
		const struct symbol *sym = symbol_of(n, i);

		if (is_fragment(sym))
			continue;
		places += !symbol__same_place(last, sym);
		encoded = encoded ?: sym;
		last = sym;
	}
	chosen = choose_facts(n, &best);
	reason = reason_of(n, places, best);
	name = d->store->strings.array[facts_of(n, chosen)->name].s;
	if (best == RANK_CLONE) {
		encoded = symbol_at(n, &n->bodies[chosen], has_suffix);
		name = encoded->name;
	}
	for (i = 0; i < n->nr; i++) {
		struct instance *inst = instances__of(d->in, symbol_of(n, i));

		if (inst->reason == FUNC_FRAGMENT)
			continue;
		inst->out.name = name;
		inst->reason = reason;
		if (reason == FUNC_ENCODED && inst->sym != encoded) {
			inst->reason = symbol__same_place(inst->sym, encoded) ? FUNC_ALIAS :
										FUNC_AMBIGUOUS;
		} else {
			inst->facts = *facts_of(n, chosen);
			inst->out.proto = inst->facts.proto;
		}
		if (!name__is_valid(name))
			instance__skip(inst, FUNC_NAME);
	}
}

static int compare_bodies(const void *x, const void *y)
{
	const struct func_body *a = x, *b = y;

	return cmp_int(a->facts.name, b->facts.name) ?: cmp_int(a->facts.unit, b->facts.unit) ?:
	       cmp_int(a->facts.desc, b->facts.desc) ?: cmp_int(a->address, b->address);
}

void decision__as_pahole(struct decision *d)
{
	const struct func_body *bodies = d->observed->bodies.array;
	uint32_t nr_bodies = d->observed->bodies.nr, i, end;

	vector__sort(&d->observed->bodies, compare_bodies);
	d->in->bodies_without_symbol = nr_bodies;
	for (i = 0; i < d->syms->nr_funcs; i = end) {
		const struct symbol *sym = &d->syms->funcs[d->syms->by_stem[i]];
		uint32_t name = stem_string(d, sym);
		struct pahole_naming n = { .d = d, .sym = &d->syms->by_stem[i] };

		for (end = i + 1; end < d->syms->nr_funcs &&
		     same_stem(sym, &d->syms->funcs[d->syms->by_stem[end]]); end++)
			;
		if (!name)
			continue;
		n.nr = end - i;
		n.bodies = bodies + first_not_before(at, nr_bodies, bodies[at].facts.name < name);
		while (n.bodies + n.nr_bodies < bodies + nr_bodies &&
		       n.bodies[n.nr_bodies].facts.name == name)
			n.nr_bodies++;
		n.mentions = decision__mentions(d, name, false, &n.nr_facts);
		n.nr_facts += n.nr_bodies;
		for (uint32_t k = 0; k < n.nr_facts; k++)
			if (!(facts_of(&n, k)->doubts & DOUBT_UNNAMED))
				n.doubts |= facts_of(&n, k)->doubts;
		d->in->bodies_without_symbol -= n.nr_bodies;
		if (n.nr_facts)
			decide_name(&n);
	}
}
