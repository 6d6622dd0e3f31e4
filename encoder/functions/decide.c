// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <linux/btf.h>
#include <string.h>

#include "btf/format.h"
#include "functions/decide.h"
#include "functions/names.h"
#include "functions/proto.h"
#include "util/grow.h"
#include "util/search.h"

static const struct { const char *name, *text; } reasons[NR_FUNC_REASONS] = {
	[FUNC_ENCODED]	 = { "encoded", "" },
	[FUNC_FRAGMENT]	 = { "fragment", "it is a part of another function" },
	[FUNC_ALIAS]	 = { "alias", "it is another name of a function that is encoded" },
	[FUNC_NO_DWARF]	 = { "no_dwarf", "no debug information describes it" },
	[FUNC_NO_BTF]	 = { "no_btf", "no BTF describes it" },
	[FUNC_REGISTER]	 = { "unexpected_register", "unexpected register usage for parameter" },
	[FUNC_PACKED]	 = { "uncertain_location", "uncertain parameter location" },
	[FUNC_REMOVED]	 = { "removed_parameter", "optimized parameters" },
	[FUNC_REORDERED] = { "reordered_parameter", "reordered parameters" },
	[FUNC_UNNAMED]	 = { "unnamed_parameter", "a parameter without a name" },
	[FUNC_PROTOTYPE] = { "inconsistent_prototype", "inconsistent prototype" },
	[FUNC_CLONE]	 = { "optimized_clone", "being an optimized clone" },
	[FUNC_AMBIGUOUS] = { "ambiguous_address", "ambiguous address" },
	[FUNC_NO_OFFSET] = { "no_offset", "an address below _text" },
	[FUNC_NO_FILE]	 = { "unknown_file", "a name of several functions, and an unknown file" },
	[FUNC_NAME]	 = { "invalid_name", "a name that BTF could not hold" },
};

const char *func_reason__name(enum func_reason reason)
{
	return reasons[reason].name;
}

const char *func_reason__text(enum func_reason reason)
{
	return reasons[reason].text;
}

/* The unit and prototype that say a name first; without a prototype none does. */
struct first_seen {
	uint32_t	unit;
	uint32_t	proto;
};

/**
 * struct verdict - what DWARF says about all functions of one name and place
 * @unit:	NO_UNIT for none, and if they do not agree
 */
struct verdict {
	enum func_reason	reason;
	uint32_t		proto;
	uint32_t		unit;
	uint32_t		die;
	uint32_t		decl_file;
	uint32_t		decl_line;
	bool			external;
};

struct namesakes;

/* What instances__decide() works with. */
struct decision {
	struct instances	*in;
	const struct symbols	*syms;
	struct observed		*seen;
	const struct store	*store;
	const struct func_options *opts;
	uint32_t		*mentions;	/* by (name, unit) */
	uint32_t		*first_mention;	/* by string id: place in @mentions, + 1 */
	bool			*has_body;	/* by string id */
	struct first_seen	*first_seen;	/* by string id, for @opts->pahole */
	struct namesakes	*namesakes;	/* by function symbol */
	struct verdict		mentioned;	/* of the mentions of @mentioned_name */
	uint32_t		mentioned_name;
	const struct func_sym	*clone;		/* the last one named */
	bool			clone_done;	/* its base is encoded at its place */
};

/* --- names ------------------------------------------------------------------- */

static bool has_suffix(const struct func_sym *sym)
{
	return sym->name[sym->base_len];
}

static bool is_base_of(const struct string *name, const struct func_sym *sym)
{
	return name->len == sym->base_len && !memcmp(name->s, sym->name, name->len);
}

/* --- what symbols share a name ------------------------------------------------ */

/**
 * struct namesakes - by function symbol
 * @places:	places that have a symbol of exactly its name
 * @clones:	places that have a symbol with a suffix to its base name
 * @original:	there is a symbol without suffix of its base name
 */
struct namesakes {
	uint32_t	places;
	uint32_t	clones;
	bool		original;
};

static bool same_place(const struct func_sym *a, const struct func_sym *b)
{
	return a && a->section == b->section && a->address == b->address;
}

static bool same_base(const struct func_sym *a, const struct func_sym *b)
{
	return a->base_len == b->base_len && !memcmp(a->name, b->name, a->base_len);
}

/* Symbols of one name are neighbours in @by_name, in the order of places. */
static void count_places(struct namesakes *n, const struct symbols *syms)
{
	const uint32_t *index = syms->by_name;
	uint32_t i, k, end;

	for (i = 0; i < syms->nr_funcs; i = end) {
		const struct func_sym *first = &syms->funcs[index[i]], *last = NULL;
		uint32_t places = 0;

		for (end = i; end < syms->nr_funcs; end++) {
			const struct func_sym *sym = &syms->funcs[index[end]];

			if (end > i && strcmp(sym->name, first->name))
				break;
			places += !same_place(last, sym);
			last = sym;
		}
		for (k = i; k < end; k++)
			n[index[k]].places = places;
	}
}

static void count_clones(struct namesakes *n, const struct symbols *syms)
{
	const uint32_t *index = syms->by_base;
	uint32_t i, k, end;

	for (i = 0; i < syms->nr_funcs; i = end) {
		const struct func_sym *first = &syms->funcs[index[i]], *last = NULL;
		bool original = false;
		uint32_t clones = 0;

		for (end = i; end < syms->nr_funcs; end++) {
			const struct func_sym *sym = &syms->funcs[index[end]];

			if (end > i && !same_base(sym, first))
				break;
			original |= !has_suffix(sym);
			if (!has_suffix(sym) || func_sym__is_fragment(sym))
				continue;
			clones += !same_place(last, sym);
			last = sym;
		}
		for (k = i; k < end; k++) {
			n[index[k]].clones = clones;
			n[index[k]].original = original;
		}
	}
}

static int find_namesakes(struct decision *d)
{
	d->namesakes = calloc(d->syms->nr_funcs + 1, sizeof(*d->namesakes));
	if (!d->namesakes)
		return -ENOMEM;
	count_places(d->namesakes, d->syms);
	count_clones(d->namesakes, d->syms);
	return 0;
}

static const struct namesakes *namesakes(const struct decision *d, const struct func_sym *sym)
{
	return &d->namesakes[sym - d->syms->funcs];
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

/* In a linked image an address says which section. */
static void sort_bodies(struct decision *d)
{
	struct observed *o = d->seen;
	uint32_t i;

	for (i = 0; i < o->nr_bodies; i++)
		if (d->syms->img->type != ET_REL)
			o->bodies[i].section = symbols__section_of(d->syms, o->bodies[i].address);
	if (o->nr_bodies)
		qsort(o->bodies, o->nr_bodies, sizeof(*o->bodies), compare_bodies);
}

static enum func_reason reason_of(const struct decision *d, uint8_t doubts)
{
	if (doubts & DOUBT_UNNAMED)
		return FUNC_UNNAMED;
	if (!d->opts->consistent)
		return FUNC_ENCODED;
	if (doubts & DOUBT_REGISTER)
		return FUNC_REGISTER;
	if (doubts & DOUBT_REMOVED)
		return FUNC_REMOVED;
	if (doubts & DOUBT_REORDERED)
		return FUNC_REORDERED;
	return doubts & DOUBT_PACKED ? FUNC_PACKED : FUNC_ENCODED;
}

static void note_first(struct decision *d, uint32_t name, uint32_t unit, uint32_t proto)
{
	struct first_seen *first = &d->first_seen[name];

	if (!first->proto || unit < first->unit)
		*first = (struct first_seen){ unit, proto };
}

static int find_first_seen(struct decision *d)
{
	const struct observed *o = d->seen;
	uint32_t i;

	d->first_seen = calloc(d->store->strings.nr, sizeof(*d->first_seen));
	if (!d->first_seen)
		return -ENOMEM;
	for (i = 0; i < o->nr_mentions; i++)
		if (o->mentions[i].count && !(o->mentions[i].doubts & DOUBT_UNNAMED))
			note_first(d, o->mentions[i].name, o->mentions[i].unit,
				   o->mentions[i].proto);
	for (i = 0; i < o->nr_bodies; i++)
		if (!(o->bodies[i].doubts & DOUBT_UNNAMED))
			note_first(d, o->bodies[i].name, o->bodies[i].unit, o->bodies[i].proto);
	return 0;
}

/* pahole's habits: see struct func_options. */
static void take_habits(struct decision *d, struct instance *in, uint32_t name)
{
	const struct first_seen *first = &d->first_seen[name];

	if (!d->opts->pahole || namesakes(d, in->sym)->places > 1 || !first->proto ||
	    (in->reason != FUNC_ENCODED && in->reason != FUNC_REORDERED) ||
	    !proto__matches(d->store, first->proto, in->proto))
		return;
	in->reason = FUNC_ENCODED;
	in->proto = first->proto;
}

static void apply(struct decision *d, struct instance *in, const struct verdict *v, uint32_t name)
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
	take_habits(d, in, name);
}

/* Judge bodies of one name at one place. */
static struct verdict judge_bodies(const struct decision *d, const struct func_body *body,
				   uint32_t nr)
{
	uint8_t doubts = 0;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		doubts |= body[i].doubts;
		if (d->opts->consistent && !proto__matches(d->store, body->proto, body[i].proto))
			return (struct verdict){ .reason = FUNC_PROTOTYPE, .unit = NO_UNIT };
	}
	return (struct verdict){ .reason = reason_of(d, doubts), .proto = body->proto,
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
static bool apply_all(struct decision *d, struct instance *at, uint32_t nr, uint32_t name,
		      const struct verdict *v)
{
	const struct string *s = &d->store->strings.array[name];
	bool any = false;
	uint32_t i;

	if (nr <= FEW) {
		for (i = 0; i < nr; i++) {
			if (!is_base_of(s, at[i].sym))
				continue;
			apply(d, &at[i], v, name);
			any = true;
		}
		return any;
	}
	i = find_name(at, nr, s, false);
	if (i < nr && !has_suffix(at[i].sym) && is_base_of(s, at[i].sym)) {
		apply(d, &at[i], v, name);
		any = true;
	}
	for (i = find_name(at, nr, s, true); i < nr && is_base_of(s, at[i].sym); i++) {
		apply(d, &at[i], v, name);
		any = true;
	}
	return any;
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
 * Bodies and instances of one place, name after name.
 * Return: the number of bodies there.
 */
static uint32_t join_place(struct decision *d, struct instance *at, uint32_t nr,
			   const struct func_body *body, uint32_t nr_bodies)
{
	uint32_t i, end;

	for (i = 0; i < nr_bodies && body_at(&body[i], at->sym); i = end) {
		uint32_t name = body[i].name;
		struct verdict v;

		for (end = i + 1; end < nr_bodies && body_at(&body[end], at->sym) &&
		     body[end].name == name; end++)
			;
		v = judge_bodies(d, body + i, end - i);
		if (apply_all(d, at, nr, name, &v))
			d->has_body[name] = true;
		else
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

static int join_symbols(struct decision *d)
{
	const struct observed *o = d->seen;
	struct instances *in = d->in;
	uint32_t i, end, body = 0;
	int err;

	err = make_instances(d);
	if (err)
		return err;
	for (i = 0; i < in->nr; i = end) {
		for (end = i + 1; end < in->nr && same_place(in->array[end].sym,
							     in->array[i].sym); end++)
			;
		for (; body < o->nr_bodies && body_before(&o->bodies[body],
							  in->array[i].sym); body++)
			in->bodies_without_symbol++;
		body += join_place(d, &in->array[i], end - i, o->bodies + body,
				   o->nr_bodies - body);
	}
	in->bodies_without_symbol += o->nr_bodies - body;
	for (i = 0; i < in->nr; i++)
		if (func_sym__is_fragment(in->array[i].sym))
			in->array[i].reason = FUNC_FRAGMENT;
	return 0;
}

/* --- functions without a body of their own ----------------------------------- */

static int compare_mentions(const void *x, const void *y, void *arg)
{
	const struct func_mention *mentions = arg;
	const struct func_mention *a = &mentions[*(const uint32_t *)x];
	const struct func_mention *b = &mentions[*(const uint32_t *)y];

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
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

/* The string id of a symbol's base name in the store, 0 if DWARF never says it. */
static uint32_t base_string(const struct decision *d, const struct func_sym *sym)
{
	return strings__find(&d->store->strings, sym->name, sym->base_len);
}

static struct verdict judge_mentions(const struct decision *d, uint32_t name)
{
	uint32_t i = d->first_mention[name] - 1;
	const struct func_mention *first = &d->seen->mentions[d->mentions[i]];
	uint8_t doubts = 0;

	for (; d->mentions[i] != UINT32_MAX; i++) {
		const struct func_mention *m = &d->seen->mentions[d->mentions[i]];

		if (m->name != name)
			break;
		doubts |= m->doubts;
		if (d->opts->consistent && !proto__matches(d->store, first->proto, m->proto))
			return (struct verdict){ .reason = FUNC_PROTOTYPE, .unit = NO_UNIT };
	}
	return (struct verdict){ .reason = reason_of(d, doubts), .proto = first->proto,
				 .unit = first->unit, .decl_file = first->decl_file,
				 .decl_line = first->decl_line, .external = first->external };
}

/*
 * Identical code is folded into one body; the other names keep their symbols
 * and are described without a body.  Such a name is an instance if there is
 * exactly one symbol that it can mean.
 */
static void join_mention(struct decision *d, struct instance *in)
{
	const struct namesakes *same = namesakes(d, in->sym);
	uint32_t name = base_string(d, in->sym);

	if (!name || d->has_body[name] || !d->first_mention[name])
		return;
	if (has_suffix(in->sym) ? same->original || same->clones > 1 : same->places > 1)
		return;
	/* several clones at the one place are neighbours */
	if (name != d->mentioned_name) {
		d->mentioned = judge_mentions(d, name);
		d->mentioned_name = name;
	}
	apply(d, in, &d->mentioned, name);
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
static bool encoded_at(struct decision *d, const struct instance *in)
{
	const struct instance *original;

	/* clones of one function at one place are neighbours: ask for the first one */
	if (d->clone && same_place(d->clone, in->sym) && same_base(d->clone, in->sym))
		return d->clone_done;
	d->clone = in->sym;
	original = bsearch(in->sym, d->in->array, d->in->nr, sizeof(*original), compare_original);
	d->clone_done = original && original->reason == FUNC_ENCODED;
	return d->clone_done;
}

static void name_clone(struct decision *d, struct instance *in)
{
	const struct func_sym *sym = in->sym;
	const struct namesakes *same = namesakes(d, sym);

	if (encoded_at(d, in)) {
		in->reason = FUNC_ALIAS;
	} else if (!d->opts->optimized) {
		in->reason = FUNC_CLONE;
	} else if (!same->original && same->clones == 1) {
		uint32_t name = base_string(d, sym);

		in->name = name ? d->store->strings.array[name].s : sym->name;
	} else if (!d->opts->address) {
		/* without addresses the kernel would look a clone's name up */
		in->reason = FUNC_AMBIGUOUS;
	}
}

/* Below the text base there is nothing that a record could say. */
static bool has_offset(const struct decision *d, struct instance *in)
{
	in->offset = in->sym->address - d->opts->base;
	return in->sym->address >= d->opts->base && in->offset <= BTF_FUNC_OFFSET_MAX;
}

static void settle(struct decision *d, struct instance *in)
{
	const struct func_options *opts = d->opts;

	if (in->reason == FUNC_ENCODED && has_suffix(in->sym))
		name_clone(d, in);
	if (in->reason != FUNC_ENCODED)
		return;
	/* whether a module's exit text is kept is the kernel's to know */
	in->init = d->syms->img->type != ET_REL &&
		   symbols__is_init(d->syms, in->sym->section, in->sym->address);
	if (!name__is_valid(in->name))
		in->reason = FUNC_NAME;
	else if (opts->address && !has_offset(d, in))
		in->reason = FUNC_NO_OFFSET;
	else if (has_suffix(in->sym))
		d->clone_done = true;
}

int instances__decide(struct instances *ret, const struct symbols *syms,
		      struct observed *observed, const struct store *store,
		      const struct func_options *opts)
{
	struct decision d = { .in = ret, .syms = syms, .seen = observed, .store = store,
			      .opts = opts };
	uint32_t i;
	int err;

	memset(ret, 0, sizeof(*ret));
	d.has_body = calloc(store->strings.nr, sizeof(*d.has_body));
	err = d.has_body ? 0 : -ENOMEM;
	if (!err) {
		sort_bodies(&d);
		err = sort_mentions(&d);
	}
	err = err ?: find_namesakes(&d);
	err = err ?: find_first_seen(&d);
	err = err ?: join_symbols(&d);
	for (i = 0; !err && i < ret->nr; i++)
		if (ret->array[i].reason == FUNC_NO_DWARF)
			join_mention(&d, &ret->array[i]);
	for (i = 0; !err && i < ret->nr; i++)
		settle(&d, &ret->array[i]);
	free(d.has_body);
	free(d.namesakes);
	free(d.first_seen);
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
