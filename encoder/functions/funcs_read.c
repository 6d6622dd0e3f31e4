// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <linux/btf.h>
#include <string.h>

#include "functions/funcs_read.h"
#include "util/memory.h"

/* Symbols with one name and place that are compared with one FUNC. */
#define MAX_SUFFIXES	64U

/* Functions with one name whose files are compared; a kernel has 22. */
#define MAX_NAMESAKES	1000U

const struct outcome_text read_outcomes[NR_READ_OUTCOMES] = {
	[READ_ENCODED] = { "encoded", "belong to a function symbol" },
	[READ_MERGED] = { "merged", "belong to the function symbol of another FUNC" },
	[READ_SKIPPED] = { "skipped", "belong to a function that is skipped" },
	[READ_AMBIGUOUS] = { "ambiguous_address", "are omitted: several functions have the name" },
	[READ_NO_SYMBOL] = { "no_symbol", "are omitted: no function symbol has the name" },
	[READ_AS_IS] = { "kept", "are kept: no function symbol has the name, and no addresses" },
	[READ_UNNAMED] = { "unnamed_parameter",
			   "are omitted: no single function symbol, and a parameter without a name" },
	[READ_EXTERN] = { "extern", "are omitted: declared, and no single function symbol" },
};

/**
 * struct joiner - one funcs_read__join()
 * @files:	by unit: the file in its FUNCs' names, "" for none
 */
struct joiner {
	struct funcs_read	*funcs;
	const struct symbols	*syms;
	struct observed		*observed;
	struct store		*store;
	const char *const	*files;
};

/* --- files ------------------------------------------------------------------- */

/* The length of FILE in FILE#N. */
static size_t file_len(const char *file)
{
	const char *mark = strrchr(file, '#');

	return mark && mark[1] && !mark[1 + strspn(mark + 1, "0123456789")] ?
	       (size_t)(mark - file) : strlen(file);
}

/* Test whether the paths, without the number, are equal, or one ends with "/" and the other. */
static bool paths_match(const char *a, const char *b)
{
	size_t la = file_len(a), lb = strlen(b), n = la < lb ? la : lb;

	if (memcmp(a + la - n, b + lb - n, n))
		return false;
	return la == lb || (la > n ? a[la - n - 1] : b[lb - n - 1]) == '/';
}

static bool has_file(const struct joiner *j, const struct func_read *f)
{
	return *j->files[f->facts.unit];
}

/* Test whether a symbol is known to be of the file in a FUNC's name. */
static bool is_of_unit(const struct joiner *j, const struct func_read *f,
		       const struct symbol *sym)
{
	const char *file = symbols__file(j->syms, sym->file);

	return has_file(j, f) && *file && paths_match(j->files[f->facts.unit], file);
}

/* --- one FUNC ---------------------------------------------------------------- */

/* The function symbol with a name, or with that name and a suffix, at a FUNC's place. */
static const struct symbol *symbol_at(const struct joiner *j, const struct func_read *f,
				      const struct string *name)
{
	const struct symbol *at;
	uint32_t nr, i, n;

	at = symbols__at(j->syms, f->section, f->address, &nr);
	/* those of one place are sorted by name */
	i = at ? first_not_before(k, nr, symbol__compare(&at[k], name->s, name->len) < 0) : 0;
	if (i < nr && !strcmp(at[i].name, name->s))
		return &at[i];
	for (n = 0; i < nr && n < MAX_SUFFIXES && !strncmp(at[i].name, name->s, name->len);
	     i++, n++)
		if (at[i].stem_len == name->len && !symbol__is_fragment(&at[i]))
			return &at[i];
	return NULL;
}

/*
 * If functions with one name have changed places, each is at another one's address: then
 * its file differs.  (Link-time optimization has other names for files.)
 */
static bool is_elsewhere(const struct joiner *j, const struct func_read *f,
			 const struct symbol *sym)
{
	const uint32_t *index;
	uint32_t nr, i;

	if (!has_file(j, f) || !sym->file || is_of_unit(j, f, sym))
		return false;
	index = symbols__named(j->syms, sym->name, &nr);
	for (i = 0; i < nr && i < MAX_NAMESAKES; i++)
		if (is_of_unit(j, f, &j->syms->funcs[index[i]]))
			return true;
	return false;
}

/* The function symbols with a name: the first place, and the number of places. */
static const struct symbol *symbol_named(const struct symbols *syms, const struct string *name,
					 uint32_t *places)
{
	const struct symbol *first = NULL, *last = NULL;
	uint32_t nr, i;
	const uint32_t *index = symbols__named(syms, name->s, &nr);
	bool exact = index;

	*places = 0;
	if (!exact)
		index = symbols__with_stem(syms, name->s, name->len, &nr);
	for (i = 0; index && i < nr; i++) {
		const struct symbol *sym = &syms->funcs[index[i]];

		if ((!exact && symbol__is_fragment(sym)) || symbol__same_place(last, sym))
			continue;
		first = first ?: sym;
		last = sym;
		++*places;
	}
	return first;
}

static int add_body(struct joiner *j, const struct func_read *f)
{
	const struct string *name = &j->store->strings.array[f->facts.name];
	struct func_body body = { .address = f->sym->address, .section = f->sym->section,
				  .facts = f->facts };
	int64_t stem = f->facts.name;

	/* BTF that has a clone's own name describes the clone */
	body.facts.proven = strcmp(name->s, f->sym->name) ? 0 : f->facts.proto;
	/* bodies have the name in the source: for foo.constprop.0, it is foo */
	if (name->len != f->sym->stem_len)
		stem = strings__add_copy(&j->store->strings, f->sym->name, f->sym->stem_len);
	if (stem < 0)
		return stem;
	body.facts.name = stem;
	push(&j->observed->bodies, body);
	return 0;
}

/* --- FUNCs with the same name ------------------------------------------------- */

static int compare_names(const void *x, const void *y, void *arg)
{
	const struct func_read *array = arg;
	const struct func_facts *a = &array[*(const uint32_t *)x].facts;
	const struct func_facts *b = &array[*(const uint32_t *)y].facts;

	return cmp_int(a->name, b->name) ?: cmp_int(a->desc, b->desc);
}

static bool is_declaration(const struct func_read *f)
{
	return f->facts.doubts & DOUBT_UNNAMED || f->linkage == BTF_FUNC_EXTERN;
}

/*
 * The only function with that name in the file of a FUNC's unit, unless another FUNC with
 * the name matches it as well: symbols only have the last component of a file.
 */
static const struct symbol *symbol_by_file(const struct joiner *j, const struct func_read *f,
					   const uint32_t *order, uint32_t nr)
{
	const char *name = j->store->strings.array[f->facts.name].s;
	const struct symbol *found = NULL;
	const uint32_t *index;
	uint32_t nr_syms, i;

	index = symbols__named(j->syms, name, &nr_syms);
	if (!has_file(j, f) || nr_syms > MAX_NAMESAKES || nr > MAX_NAMESAKES)
		return NULL;
	for (i = 0; i < nr_syms; i++) {
		const struct symbol *sym = &j->syms->funcs[index[i]];

		if (!is_of_unit(j, f, sym))
			continue;
		if (found && !symbol__same_place(found, sym))
			return NULL;
		found = sym;
	}
	for (i = 0; found && i < nr; i++) {
		const struct func_read *other = &j->funcs->array[order[i]];

		if (other != f && is_of_unit(j, other, found))
			return NULL;
	}
	return found;
}

static enum read_outcome outcome_of_unmatched(const struct joiner *j, const struct func_read *f,
					      uint32_t places)
{
	if (f->linkage == BTF_FUNC_EXTERN)
		return READ_EXTERN;
	if (f->facts.doubts & DOUBT_UNNAMED)
		return READ_UNNAMED;
	return places || has_file(j, f) ? READ_AMBIGUOUS : READ_NO_SYMBOL;
}

/* The function symbols that an ambiguous name may be of. */
static void mark_ambiguous(struct joiner *j, const struct string *name)
{
	uint32_t nr;
	const uint32_t *index = symbols__named(j->syms, name->s, &nr) ?:
				symbols__with_stem(j->syms, name->s, name->len, &nr);

	for (; nr; nr--)
		j->funcs->ambiguous[index[nr - 1]] = true;
}

/*
 * A compiler describes a function in each file that calls it, too, and gcc 12 does not mark
 * this as a declaration; but it rarely names the parameters.  If there is a definition,
 * which has names, declarations are ignored.
 */
static int join_name(struct joiner *j, const uint32_t *order, uint32_t nr)
{
	struct func_read *array = j->funcs->array;
	const struct string *name = &j->store->strings.array[array[order[0]].facts.name];
	const struct symbol *named;
	bool defined = false, ambiguous = false;
	uint32_t places, i;
	int err = 0;

	named = symbol_named(j->syms, name, &places);
	for (i = 0; i < nr; i++) {
		struct func_read *f = &array[order[i]];

		if (places == 1)
			f->sym = named;
		else if (!f->sym || j->funcs->moved)
			f->sym = symbol_by_file(j, f, order, nr);
		defined |= f->sym && !is_declaration(f);
	}
	for (i = 0; !err && i < nr; i++) {
		struct func_read *f = &array[order[i]];

		if (!f->sym)
			f->outcome = outcome_of_unmatched(j, f, places);
		else if (places == 1 && defined && is_declaration(f))
			f->outcome = READ_MERGED;
		else
			err = add_body(j, f);
		ambiguous |= f->outcome == READ_AMBIGUOUS;
	}
	if (ambiguous)
		mark_ambiguous(j, name);
	return err;
}

int funcs_read__join(struct funcs_read *funcs, const struct symbols *syms,
		     struct observed *observed, struct store *store, const char *const *files)
{
	struct joiner j = { .funcs = funcs, .syms = syms, .observed = observed, .store = store,
			    .files = files };
	/* FUNCs sorted by (name, id) */
	uint32_t *order __cleanup(free_pointer) = xcalloc(funcs->nr + 1UL, sizeof(*order));
	uint32_t i, end;
	int err = 0;

	for (i = 0; i < funcs->nr; i++)
		order[i] = i;
	qsort_r(order, funcs->nr, sizeof(*order), compare_names, funcs->array);
	funcs->ambiguous = xcalloc(syms->nr_funcs + 1UL, sizeof(*funcs->ambiguous));
	for_each(f, funcs) {
		if (!f->has_place)
			continue;
		f->sym = symbol_at(&j, f, &store->strings.array[f->facts.name]);
		if (f->sym && is_elsewhere(&j, f, f->sym))
			f->sym = NULL;
		funcs->moved += !f->sym;
	}
	for (i = 0; !err && i < funcs->nr; i = end) {
		for (end = i + 1; end < funcs->nr && funcs->array[order[end]].facts.name ==
						     funcs->array[order[i]].facts.name; end++)
			;
		err = join_name(&j, order + i, end - i);
	}
	return err;
}

/* --- afterwards ---------------------------------------------------------------- */

static enum read_outcome outcome_of(const struct decision *d, const struct func_read *f)
{
	const struct instance *inst;

	if (f->outcome == READ_NO_SYMBOL && !d->opts->address)
		return READ_AS_IS;
	if (!f->sym || f->outcome == READ_MERGED)
		return f->outcome;
	inst = instances__of(d->in, f->sym);
	if (inst->reason != FUNC_ENCODED)
		return READ_SKIPPED;
	return inst->facts.desc == f->facts.desc ? READ_ENCODED : READ_MERGED;
}

void funcs_read__finish(struct decision *d)
{
	struct funcs_read *funcs = d->read;
	struct instances *in = d->in;

	for_each(f, funcs) {
		f->outcome = outcome_of(d, f);
		funcs->by_outcome[f->outcome]++;
	}
	for_each(f, funcs) {
		if (f->outcome != READ_AS_IS)
			continue;
		in->by_reason[FUNC_ENCODED]++;
		push(&in->order, in->nr);
		push(in, (struct instance){
			.facts = f->facts,
			.out.name = d->store->strings.array[f->facts.name].s,
			.out.proto = f->facts.proto });
	}
}
