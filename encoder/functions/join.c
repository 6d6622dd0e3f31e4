// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <linux/btf.h>
#include <string.h>

#include "functions/decision.h"
#include "functions/join.h"
#include "util/grow.h"
#include "util/search.h"

/* Symbols of one name and place that are looked at for one FUNC. */
#define MAX_SUFFIXES	64U

/* Functions of one name whose files are looked at; a kernel has 22 of one. */
#define MAX_TWINS	1000U

static const struct { const char *name, *text; } fates[NR_FUNC_FATES] = {
	[FATE_ENCODED] = { "encoded", "are that of a function symbol" },
	[FATE_MERGED] = { "merged", "are of a function that another FUNC is of" },
	[FATE_SKIPPED] = { "skipped", "are of a function that is skipped" },
	[FATE_AMBIGUOUS] = { "ambiguous_address", "are left out: several functions have the name" },
	[FATE_NO_SYMBOL] = { "no_symbol", "are left out: no function symbol has the name" },
	[FATE_AS_IS] = { "kept", "are kept: no function symbol has the name, and no addresses" },
	[FATE_UNNAMED] = { "unnamed_parameter",
			   "are left out: no one function symbol, and a parameter without a name" },
	[FATE_EXTERN] = { "extern", "are left out: declared, and no one function symbol" },
};

const char *func_fate__name(enum func_fate fate)
{
	return fates[fate].name;
}

const char *func_fate__text(enum func_fate fate)
{
	return fates[fate].text;
}

/**
 * struct joiner - one funcs_read__join()
 * @units:	files by number, [0] for none
 * @files:	names of the STT_FILE groups by number
 */
struct joiner {
	struct funcs_read	*funcs;
	const struct symbols	*syms;
	struct observed		*observed;
	struct store		*store;
	const char		**units;
	const char		**files;
	uint32_t		nr_files, cap_files;
};

/* --- files ------------------------------------------------------------------- */

static int note_file(const struct symbol *sym, void *arg)
{
	struct joiner *j = arg;

	if (sym->type != STT_FILE || sym->file < j->nr_files)
		return 0;
	if (grow(&j->files, &j->cap_files, (uint64_t)sym->file + 1, sizeof(*j->files)))
		return -ENOMEM;
	/* numbers count on from one to the next, and the first is 1 */
	while (j->nr_files < sym->file)
		j->files[j->nr_files++] = "";
	j->files[j->nr_files++] = sym->name;
	return 0;
}

/* The length of FILE in FILE#N. */
static size_t file_len(const char *file)
{
	const char *mark = strrchr(file, '#');

	return mark && mark[1] && !mark[1 + strspn(mark + 1, "0123456789")] ?
	       (size_t)(mark - file) : strlen(file);
}

/* Is one path, but for its number, the other, or its end from a '/' on? */
static bool ends_alike(const char *a, const char *b)
{
	size_t la = file_len(a), lb = strlen(b), n = la < lb ? la : lb;

	if (memcmp(a + la - n, b + lb - n, n))
		return false;
	return la == lb || (la > n ? a[la - n - 1] : b[lb - n - 1]) == '/';
}

/* Is a symbol, as far as is known, of the file that a FUNC's name says? */
static bool is_of_unit(const struct joiner *j, const struct func_read *f,
		       const struct func_sym *sym)
{
	const char *file = sym->file < j->nr_files ? j->files[sym->file] : "";

	return f->unit && *file && ends_alike(j->units[f->unit], file);
}

/* --- one FUNC ---------------------------------------------------------------- */

/* The function symbol of a name, or of that name and a suffix, at a FUNC's own place. */
static const struct func_sym *symbol_at(const struct joiner *j, const struct func_read *f,
					const struct string *name)
{
	const struct func_sym *at;
	uint32_t nr, i, n;

	at = symbols__at(j->syms, f->section, f->address, &nr);
	/* those of one place are in the order of names */
	i = at ? first_not_before(k, nr, strcmp(at[k].name, name->s) < 0) : 0;
	if (i < nr && !strcmp(at[i].name, name->s))
		return &at[i];
	for (n = 0; i < nr && n < MAX_SUFFIXES && !strncmp(at[i].name, name->s, name->len); i++, n++)
		if (at[i].base_len == name->len && !func_sym__is_fragment(&at[i]))
			return &at[i];
	return NULL;
}

/*
 * Where functions of one name have changed places, each is at another's: then its
 * file says so.  (What link-time optimization calls a file fits none of them.)
 */
static bool is_elsewhere(const struct joiner *j, const struct func_read *f,
			 const struct func_sym *sym)
{
	const uint32_t *index;
	uint32_t nr, i;

	if (!f->unit || !sym->file || is_of_unit(j, f, sym))
		return false;
	index = symbols__named(j->syms, sym->name, &nr);
	for (i = 0; i < nr && i < MAX_TWINS; i++)
		if (is_of_unit(j, f, &j->syms->funcs[index[i]]))
			return true;
	return false;
}

/* What a name alone means: the first place, and how many there are. */
static const struct func_sym *symbol_named(const struct symbols *syms, const struct string *name,
					   uint32_t *places)
{
	const struct func_sym *first = NULL, *last = NULL;
	uint32_t nr, i;
	const uint32_t *index = symbols__named(syms, name->s, &nr);
	bool exact = index;

	*places = 0;
	if (!exact)
		index = symbols__with_base(syms, name->s, name->len, &nr);
	for (i = 0; index && i < nr; i++) {
		const struct func_sym *sym = &syms->funcs[index[i]];

		if ((!exact && func_sym__is_fragment(sym)) || same_place(last, sym))
			continue;
		first = first ?: sym;
		last = sym;
		++*places;
	}
	return first;
}

/* Bodies go by the name in the source: that of foo.constprop.0 is foo. */
static int64_t base_name(struct joiner *j, const struct func_read *f, const struct func_sym *sym)
{
	if (j->store->strings.array[f->name].len == sym->base_len)
		return f->name;
	return store__part(j->store, sym->name, sym->base_len);
}

static int hand_on(struct joiner *j, const struct func_read *f)
{
	int64_t name = base_name(j, f, f->sym);

	if (name < 0)
		return name;
	return observed__body(j->observed, &(struct func_body){
		.address = f->sym->address, .section = f->sym->section, .name = name,
		.proto = f->proto, .unit = f->unit, .die = f->id,
		/* BTF that calls a clone by its own name means the clone */
		.proven = strcmp(j->store->strings.array[f->name].s, f->sym->name) ? 0 : f->proto,
		.doubts = f->unnamed ? DOUBT_UNNAMED : 0,
		.external = f->linkage != BTF_FUNC_STATIC });
}

/* --- FUNCs of one name -------------------------------------------------------- */

static int compare_names(const void *x, const void *y, void *arg)
{
	const struct func_read *array = arg;
	const struct func_read *a = &array[*(const uint32_t *)x], *b = &array[*(const uint32_t *)y];

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* FUNCs in the order of (name, id); malloc()ed. */
static uint32_t *sort_names(const struct funcs_read *funcs)
{
	uint32_t *order = calloc(funcs->nr + 1UL, sizeof(*order)), i;

	for (i = 0; order && i < funcs->nr; i++)
		order[i] = i;
	if (order)
		qsort_r(order, funcs->nr, sizeof(*order), compare_names, funcs->array);
	return order;
}

static uint32_t end_of_name(const struct funcs_read *funcs, const uint32_t *order, uint32_t i)
{
	uint32_t end = i + 1;

	while (end < funcs->nr && funcs->array[order[end]].name == funcs->array[order[i]].name)
		end++;
	return end;
}

static bool is_declaration(const struct func_read *f)
{
	return f->unnamed || f->linkage == BTF_FUNC_EXTERN;
}

/*
 * The only function of that name in the file of a FUNC's unit, if no other FUNC of
 * the name could mean it as well: the symbols know files by their last component.
 */
static const struct func_sym *symbol_by_file(const struct joiner *j, const struct func_read *f,
					     const uint32_t *order, uint32_t nr)
{
	const char *name = j->store->strings.array[f->name].s;
	const struct func_sym *found = NULL;
	const uint32_t *index;
	uint32_t nr_syms, i;

	index = symbols__named(j->syms, name, &nr_syms);
	if (!f->unit || nr_syms > MAX_TWINS || nr > MAX_TWINS)
		return NULL;
	for (i = 0; i < nr_syms; i++) {
		const struct func_sym *sym = &j->syms->funcs[index[i]];

		if (!is_of_unit(j, f, sym))
			continue;
		if (found && !same_place(found, sym))
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

static enum func_fate fate_without_symbol(const struct func_read *f, uint32_t places)
{
	if (f->linkage == BTF_FUNC_EXTERN)
		return FATE_EXTERN;
	if (f->unnamed)
		return FATE_UNNAMED;
	return places || f->unit ? FATE_AMBIGUOUS : FATE_NO_SYMBOL;
}

/*
 * A compiler describes a function in each file that calls it, too, and gcc 12
 * does not say that this is a declaration; but it rarely names the parameters.
 * Beside a definition, which does, it says nothing.
 */
static int join_name(struct joiner *j, const uint32_t *order, uint32_t nr)
{
	struct func_read *array = j->funcs->array;
	const struct string *name = &j->store->strings.array[array[order[0]].name];
	const struct func_sym *named;
	bool defined = false;
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
			f->fate = fate_without_symbol(f, places);
		else if (places == 1 && defined && is_declaration(f))
			f->fate = FATE_MERGED;
		else
			err = hand_on(j, f);
	}
	return err;
}

int funcs_read__join(struct funcs_read *funcs, const struct symbols *syms,
		     struct observed *observed, struct store *store, const char **units)
{
	struct joiner j = { .funcs = funcs, .syms = syms, .observed = observed, .store = store,
			    .units = units };
	uint32_t *order = sort_names(funcs), i, end;
	int err = order ? image__for_each_symbol(syms->img, note_file, &j) : -ENOMEM;

	for (i = 0; !err && i < funcs->nr; i++) {
		struct func_read *f = &funcs->array[i];

		if (!f->has_place)
			continue;
		f->sym = symbol_at(&j, f, &store->strings.array[f->name]);
		if (f->sym && is_elsewhere(&j, f, f->sym))
			f->sym = NULL;
		funcs->moved += !f->sym;
	}
	for (i = 0; !err && i < funcs->nr; i = end) {
		end = end_of_name(funcs, order, i);
		err = join_name(&j, order + i, end - i);
	}
	free(order);
	free(j.files);
	return err;
}

/* --- afterwards ---------------------------------------------------------------- */

static void change_reason(struct instances *in, struct instance *inst, enum func_reason reason)
{
	in->by_reason[inst->reason]--;
	inst->reason = reason;
	in->by_reason[reason]++;
}

/* No FUNC describes them, or one does that could mean another as well. */
static void explain_ambiguous(struct instances *in, const struct symbols *syms,
			      const struct string *name)
{
	uint32_t nr_syms, i;
	const uint32_t *index = symbols__named(syms, name->s, &nr_syms) ?:
				symbols__with_base(syms, name->s, name->len, &nr_syms);

	for (i = 0; index && i < nr_syms; i++) {
		struct instance *inst = instances__of(in, &syms->funcs[index[i]]);

		if (inst && inst->reason == FUNC_NO_BTF)
			change_reason(in, inst, FUNC_AMBIGUOUS);
	}
}

static void find_fates(struct funcs_read *funcs, const struct func_options *opts,
		       struct instances *in)
{
	uint32_t i;

	for (i = 0; i < funcs->nr; i++) {
		struct func_read *f = &funcs->array[i];
		const struct instance *inst;

		if (f->sym && f->fate != FATE_MERGED) {
			inst = instances__of(in, f->sym);
			if (!inst || inst->reason != FUNC_ENCODED)
				f->fate = FATE_SKIPPED;
			else
				f->fate = inst->die == f->id ? FATE_ENCODED : FATE_MERGED;
		}
		if (f->fate == FATE_NO_SYMBOL && !opts->address)
			f->fate = FATE_AS_IS;
		funcs->by_fate[f->fate]++;
	}
}

static int keep_unjoined(struct funcs_read *funcs, const struct store *store, struct instances *in)
{
	uint32_t nr = funcs->by_fate[FATE_AS_IS], *order, i;
	struct instance *array;

	if (!nr)
		return 0;
	array = realloc(in->array, ((uint64_t)in->nr + nr) * sizeof(*array));
	in->array = array ?: in->array;
	order = realloc(in->order, ((uint64_t)in->nr_encoded + nr) * sizeof(*order));
	in->order = order ?: in->order;
	if (!array || !order)
		return -ENOMEM;
	for (i = 0; i < funcs->nr; i++) {
		const struct func_read *f = &funcs->array[i];

		if (f->fate != FATE_AS_IS)
			continue;
		order[in->nr_encoded++] = in->nr;
		array[in->nr++] = (struct instance){
			.name = store->strings.array[f->name].s, .proto = f->proto,
			.unit = f->unit, .die = f->id, .reason = FUNC_ENCODED,
			.external = f->linkage != BTF_FUNC_STATIC };
	}
	in->by_reason[FUNC_ENCODED] += nr;
	return 0;
}

int funcs_read__settle(struct funcs_read *funcs, const struct symbols *syms,
		       const struct store *store, const struct func_options *opts,
		       struct instances *in)
{
	uint32_t *order = sort_names(funcs), i, end;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < in->nr; i++)
		if (in->array[i].reason == FUNC_NO_DWARF)
			change_reason(in, &in->array[i], FUNC_NO_BTF);
	find_fates(funcs, opts, in);
	for (i = 0; i < funcs->nr; i = end) {
		uint32_t k, name = funcs->array[order[i]].name;

		end = end_of_name(funcs, order, i);
		for (k = i; k < end; k++)
			if (funcs->array[order[k]].fate == FATE_AMBIGUOUS)
				break;
		if (k < end)
			explain_ambiguous(in, syms, &store->strings.array[name]);
	}
	free(order);
	return keep_unjoined(funcs, store, in);
}
