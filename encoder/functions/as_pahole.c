// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions without addresses, as pahole 1.32 has them: by the name that the source
 * says, one FUNC for each name that has one address.  All that DWARF says under a
 * name counts, whether or not it is of that address.
 */
#include <linux/btf.h>
#include <stdlib.h>

#include "functions/decision.h"
#include "functions/names.h"
#include "functions/proto.h"
#include "util/search.h"

/**
 * struct pahole_naming - the functions of one base name
 * @sym, @nr:	their symbols, by place
 * @body:	indexes of bodies, in the order of units
 */
struct pahole_naming {
	struct decision		*d;
	const uint32_t		*sym;
	uint32_t		nr;
	const uint32_t		*body;
	uint32_t		nr_bodies;
	uint32_t		mention;
	uint32_t		nr_mentions;
};

/* What DWARF says in one place under a name. */
struct statement {
	uint32_t	proto;
	uint32_t	unit;
	uint32_t	die;
	uint32_t	decl_file;
	uint32_t	decl_line;
	uint16_t	doubts;
	bool		external;
};

static struct statement of_body(const struct func_body *b)
{
	return (struct statement){ b->proto, b->unit, b->die, b->decl_file, b->decl_line,
				   b->doubts, b->external };
}

static struct statement of_mention(const struct func_mention *m)
{
	return (struct statement){ m->proto, m->unit, 0, m->decl_file, m->decl_line,
				   m->doubts, m->external };
}

/* The statements of a name: bodies, then functions without one. */
static struct statement statement_of(const struct pahole_naming *n, uint32_t i)
{
	const struct observed *seen = n->d->seen;

	if (i < n->nr_bodies)
		return of_body(&seen->bodies[n->body[i]]);
	return of_mention(&seen->mentions[n->d->mentions[n->mention + i - n->nr_bodies]]);
}

static const struct func_sym *symbol_of(const struct pahole_naming *n, uint32_t i)
{
	return &n->d->syms->funcs[n->sym[i]];
}

/* pahole leaves these out where it counts addresses. */
static bool is_fragment(const struct func_sym *sym)
{
	const char *suffix = sym->name + sym->base_len;

	return strstr(suffix, ".cold") || strstr(suffix, ".part");
}

static bool is_optimized(const struct func_sym *sym)
{
	const char *suffix = sym->name + sym->base_len;

	return strstr(suffix, ".constprop") || strstr(suffix, ".isra");
}

/* Symbols of one name and place that are looked at. */
#define MAX_SYMBOLS	64U

static bool is_before(const struct func_sym *sym, const struct func_body *b)
{
	return sym->section < b->section ||
	       (sym->section == b->section && sym->address < b->address);
}

/* The symbol with (or without) a suffix at a body's place, NULL if there is none. */
static const struct func_sym *symbol_at(const struct pahole_naming *n, const struct func_body *b,
					bool (*is_wanted)(const struct func_sym *sym))
{
	uint32_t i, end;

	if (b->doubts & DOUBT_PIECES)
		return NULL;
	i = first_not_before(at, n->nr, is_before(symbol_of(n, at), b));
	/* a bound, as there may be as many bodies as symbols */
	end = i + MAX_SYMBOLS < n->nr ? i + MAX_SYMBOLS : n->nr;
	for (; i < end; i++) {
		const struct func_sym *sym = symbol_of(n, i);

		if (sym->section != b->section || sym->address != b->address)
			break;
		if (!is_fragment(sym) && is_wanted(sym))
			return sym;
	}
	return NULL;
}

static bool has_suffix(const struct func_sym *sym)
{
	return sym->name[sym->base_len];
}

static bool any_symbol(const struct func_sym *sym)
{
	return true;
}

/* Its parameters were optimized away, and the ABI changed with it. */
static bool is_rewritten(const struct pahole_naming *n, const struct func_body *b)
{
	return !n->d->opts->true_signature && b->doubts & DOUBT_OPTIMIZED &&
	       (b->doubts & DOUBT_CHANGED || symbol_at(n, b, is_optimized));
}

/*
 * Which of the statements the FUNC is made of.
 * Return: its number, and in @rewritten whether it does not tell the ABI.
 */
static uint32_t choose_statement(const struct pahole_naming *n, bool *rewritten)
{
	const struct observed *seen = n->d->seen;
	uint32_t i, first = UINT32_MAX;

	*rewritten = false;
	for (i = 0; i < n->nr_bodies; i++) {
		const struct func_body *b = &seen->bodies[n->body[i]];

		if (b->doubts & DOUBT_UNNAMED || !symbol_at(n, b, any_symbol))
			continue;
		if (!is_rewritten(n, b))
			return i;
		if (first == UINT32_MAX)
			first = i;
	}
	if (first != UINT32_MAX) {
		*rewritten = true;
		return first;
	}
	for (i = 0; i < n->nr_bodies + n->nr_mentions; i++) {
		struct statement s = statement_of(n, i);

		if (s.doubts & DOUBT_UNNAMED)
			continue;
		/* with an address it counts for more, wherever that lies */
		if (i < n->nr_bodies && !(s.doubts & DOUBT_PIECES))
			return i;
		if (first == UINT32_MAX || s.unit < statement_of(n, first).unit)
			first = i;
	}
	return first == UINT32_MAX ? 0 : first;
}

/* Why pahole skips the name; the order is that in which its reasons win. */
static enum func_reason reason_of(const struct pahole_naming *n, uint32_t places, bool rewritten)
{
	uint32_t i, first = 0, nr = n->nr_bodies + n->nr_mentions, named = 0;
	bool differ = false;
	uint16_t doubts = 0;

	for (i = 0; i < nr; i++) {
		struct statement s = statement_of(n, i);

		if (s.doubts & DOUBT_UNNAMED)
			continue;
		named++;
		doubts |= s.doubts;
		/* with true signatures only what has code is held against each other */
		if (n->d->opts->true_signature && i >= n->nr_bodies)
			continue;
		if (first)
			differ |= !proto__matches(n->d->store, first, s.proto);
		else
			first = s.proto;
	}
	if (!nr)
		return FUNC_NO_DWARF;
	if (!named)
		return FUNC_UNNAMED;
	if (places > 1)
		return FUNC_AMBIGUOUS;
	if (doubts & DOUBT_MISFIT)
		return FUNC_TYPE;
	if (rewritten)
		return FUNC_OPTIMIZED;
	if (doubts & DOUBT_REORDERED)
		return FUNC_REORDERED;
	if (doubts & DOUBT_PACKED)
		return FUNC_PACKED;
	if (doubts & DOUBT_REGISTER)
		return FUNC_REGISTER;
	return differ && n->d->opts->consistent ? FUNC_PROTOTYPE : FUNC_ENCODED;
}

static void tell_instance(struct instance *in, const struct statement *s, enum func_reason reason)
{
	in->reason = reason;
	in->proto = s->proto;
	in->unit = s->unit;
	in->die = s->die;
	in->decl_file = s->decl_file;
	in->decl_line = s->decl_line;
	in->external = s->external;
}

/*
 * true_signature: a body at a symbol with a suffix is the FUNC of all, by the
 * symbol's name.  Return: the symbol, and in @at which statement it is; or NULL.
 */
static const struct func_sym *choose_clone(const struct pahole_naming *n, uint32_t *at)
{
	const struct observed *seen = n->d->seen;
	const struct func_sym *found;
	uint16_t doubts = 0;
	uint32_t i;

	for (i = 0; i < n->nr_bodies + n->nr_mentions; i++)
		if (!(statement_of(n, i).doubts & DOUBT_UNNAMED))
			doubts |= statement_of(n, i).doubts;
	if (doubts & (DOUBT_REGISTER | DOUBT_PACKED))
		return NULL;
	for (i = 0; i < n->nr_bodies; i++) {
		const struct func_body *b = &seen->bodies[n->body[i]];

		found = b->doubts & DOUBT_UNNAMED ? NULL : symbol_at(n, b, has_suffix);
		*at = i;
		if (found)
			return found;
	}
	return NULL;
}

static void judge_name(const struct pahole_naming *n)
{
	const struct decision *d = n->d;
	const struct func_sym *encoded = NULL, *last = NULL;
	const char *name = NULL;
	uint32_t places = 0, chosen, at, i;
	struct statement s = { .unit = NO_UNIT };
	enum func_reason reason;
	bool rewritten;

	for (i = 0; i < n->nr; i++) {
		const struct func_sym *sym = symbol_of(n, i);

		if (is_fragment(sym))
			continue;
		places += !same_place(last, sym);
		encoded = encoded ?: sym;
		last = sym;
	}
	chosen = choose_statement(n, &rewritten);
	reason = reason_of(n, places, rewritten);
	if (d->opts->true_signature && reason != FUNC_NO_DWARF) {
		const struct func_sym *clone = choose_clone(n, &at);

		if (clone) {
			chosen = at;
			encoded = clone;
			name = clone->name;
			reason = FUNC_ENCODED;
		}
	}
	if (reason != FUNC_NO_DWARF) {
		s = statement_of(n, chosen);
		name = name ?: d->store->strings.array[base_string(d, symbol_of(n, 0))].s;
	}
	for (i = 0; i < n->nr; i++) {
		struct instance *in = instances__of(d->in, symbol_of(n, i));

		if (!in || func_sym__is_fragment(in->sym)) {
			if (in)
				in->reason = FUNC_FRAGMENT;
			continue;
		}
		if (reason == FUNC_ENCODED && in->sym != encoded)
			in->reason = same_place(in->sym, encoded) ? FUNC_ALIAS : FUNC_AMBIGUOUS;
		else
			tell_instance(in, &s, reason);
		if (name)
			in->name = name;
		if (in->reason == FUNC_ENCODED && !name__is_valid(in->name))
			in->reason = FUNC_NAME;
	}
}

static int compare_names(const void *x, const void *y, void *arg)
{
	const struct func_body *bodies = arg;
	const struct func_body *a = &bodies[*(const uint32_t *)x];
	const struct func_body *b = &bodies[*(const uint32_t *)y];

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	if (a->die != b->die)
		return a->die < b->die ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

int decision__as_pahole(struct decision *d)
{
	const struct observed *seen = d->seen;
	uint32_t *by_name = calloc(seen->nr_bodies + 1UL, sizeof(*by_name)), i, end, first;

	if (!by_name)
		return -ENOMEM;
	for (i = 0; i < seen->nr_bodies; i++)
		by_name[i] = i;
	qsort_r(by_name, seen->nr_bodies, sizeof(*by_name), compare_names, seen->bodies);
	for (i = 0; i < d->syms->nr_funcs; i = end) {
		const struct func_sym *sym = &d->syms->funcs[d->syms->by_base[i]];
		uint32_t name = base_string(d, sym);
		struct pahole_naming n = { .d = d, .sym = &d->syms->by_base[i] };

		for (end = i + 1; end < d->syms->nr_funcs &&
		     same_base(sym, &d->syms->funcs[d->syms->by_base[end]]); end++)
			;
		n.nr = end - i;
		if (name) {
			first = first_not_before(at, seen->nr_bodies,
						 seen->bodies[by_name[at]].name < name);
			n.body = &by_name[first];
			while (first + n.nr_bodies < seen->nr_bodies &&
			       seen->bodies[n.body[n.nr_bodies]].name == name)
				n.nr_bodies++;
			n.mention = decision__mentions(d, name, false, &n.nr_mentions);
			d->has_body[name] = n.nr_bodies;
		}
		judge_name(&n);
	}
	for (i = 0; i < seen->nr_bodies; i++)
		d->in->bodies_without_symbol += !d->has_body[seen->bodies[i].name];
	free(by_name);
	return 0;
}
