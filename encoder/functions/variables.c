// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <elf.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "functions/decide.h"
#include "functions/variables.h"
#include "image/symbols.h"
#include "util/memory.h"
#include "util/msg.h"

const struct outcome_text var_reasons[NR_VAR_REASONS] = {
	[VAR_ENCODED] = { "encoded", "it is encoded" },
	[VAR_LOCATION] = { "unknown_location", "its location (DW_AT_location) is not one address" },
	[VAR_NO_SECTION] = { "no_section", "no section contains its address" },
	[VAR_NO_NAME] = { "no_name", "the DIE that has its name (DW_AT_specification) does not exist" },
	[VAR_GENERATED] = { "generated", "the build generates it" },
	[VAR_NAME] = { "invalid_name", "its name is not an identifier" },
	[VAR_SIZE] = { "invalid_size", "its size is 0 or too big" },
	[VAR_TYPE] = { "invalid_type", "BTF cannot represent its type" },
	[VAR_DISCARDED] = { "discarded", "its address is that of discarded data" },
	[VAR_HIDDEN] = { "hidden", "another object is at its place" },
	[VAR_OVERLAP] = { "overlap", "it overlaps another" },
};

/* The first section that contains a variable's address. */
static const struct section *section_at(const struct image *img, const struct variable *var)
{
	if (img->type == ET_REL)
		return var->section < img->nr_sections ? &img->sections[var->section] : NULL;
	for (size_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];

		if ((sec->type == SHT_PROGBITS || sec->type == SHT_NOBITS) &&
		    (sec->flags & (SHF_ALLOC | SHF_TLS)) == SHF_ALLOC &&
		    var->address - sec->address < sec->size)
			return sec;
	}
	return NULL;
}

/* Return: a type's size in bytes, 0 if unknown. */
static uint64_t size_of(const struct image *img, const struct store *s, uint32_t type)
{
	uint64_t nr = 1;

	for (unsigned int n = 0; type && n < 1000; n++) {
		const struct node *t = &s->nodes[type];

		switch (t->kind) {
		case BTF_KIND_PTR:
			return nr * (img->is_64 ? 8 : 4);
		case BTF_KIND_ARRAY:
			nr *= t->size;
			/* more than any variable has; and it must not overflow */
			if (!nr || nr > UINT32_MAX)
				return 0;
			/* fall through */
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			type = t->ref;
			continue;
		case BTF_KIND_FUNC_PROTO:
			return 0;
		default:
			return nr * t->size;
		}
	}
	return 0;
}

/* Return: the type without typedefs and qualifiers. */
static const struct node *skip_qualifiers(const struct store *s, uint32_t type)
{
	for (unsigned int n = 0; n < 1000 && MODIFIERS >> s->nodes[type].kind & 1; n++)
		type = s->nodes[type].ref;
	return &s->nodes[type];
}

/* Test for a struct whose last member is an array without a size, which is not part of its size. */
static bool is_flexible(const struct store *s, uint32_t type)
{
	const struct node *t = skip_qualifiers(s, type);

	if (t->kind != BTF_KIND_STRUCT || !t->nr_children)
		return false;
	t = skip_qualifiers(s, s->children[t->child + t->nr_children - 1].ref);
	return t->kind == BTF_KIND_ARRAY && !t->size;
}

/* Test for names that the build generates; no program uses them. */
static bool is_made_up(const char *name)
{
	static const char *const prefixes[] = {
		"__UNIQUE_ID", "__tpstrtab_", "__exitcall_", "__gendwarfksyms_ptr_",
		"__func_stack_frame_non_standard_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* --- symbols ------------------------------------------------------------------ */

/* Symbols at one place that are compared with a variable. */
#define MAX_AT_PLACE	64U

/* How well a variable fits to a symbol at its place, best first. */
enum symbol_fit {
	SYMBOL_FIT_FILE,	/* equal name, size and file */
	SYMBOL_FIT_NAME,	/* equal name and size */
	SYMBOL_FIT_LARGER,	/* equal name, and it is larger: a flexible array; or it has no size */
	SYMBOL_FIT_SIZE,	/* only equal size: the symbol of an alias */
	SYMBOL_FIT_FREE,	/* there is no symbol, as with clang's merged variables */
	SYMBOL_FIT_NONE,	/* there is another object */
};

/**
 * struct objects - the objects of the image
 * @reach:	by object: the end of those of its section up to it
 */
struct objects {
	const struct symbols	*syms;
	const struct store	*store;
	char *const		*files;
	uint64_t		*reach;
};

/* Variables that clang merges to one object have no symbols. */
static bool is_container(const struct symbol *sym)
{
	return strstr(sym->name, "_MergedGlobals");
}

static uint64_t end_of(const struct symbol *sym)
{
	uint64_t room = UINT64_MAX - sym->address;

	return is_container(sym) ? 0 : sym->address + (sym->size < room ? sym->size : room);
}

/* A symbol of a variable in a function is NAME.1, or FUNCTION.NAME. */
static bool has_name(const struct symbol *sym, const char *name)
{
	size_t len = strlen(name);
	const char *at = strstr(sym->name, name);

	return at && (at == sym->name || at[-1] == '.') && (!at[len] || at[len] == '.');
}

static enum symbol_fit fit_of(const struct objects *o, const struct variable *var, uint64_t size,
			      const struct symbol *sym)
{
	const char *path = o->files[var->unit];

	if (!has_name(sym, o->store->strings.array[var->symbol_name].s))
		return sym->size == size ? SYMBOL_FIT_SIZE : SYMBOL_FIT_NONE;
	if (sym->size && sym->size < size)
		return SYMBOL_FIT_NONE;
	if (sym->size != size)
		return SYMBOL_FIT_LARGER;
	if (var->external ? !sym->file : symbols__same_file(o->syms, sym, path))
		return SYMBOL_FIT_FILE;
	return var->maybe_dead && symbols__other_file(o->syms, sym, path) ? SYMBOL_FIT_NONE :
	       SYMBOL_FIT_NAME;
}

/* Return: the index of the first symbol that is not before a place. */
static uint32_t first_symbol(const struct objects *o, uint32_t section, uint64_t address)
{
	const struct symbol key = { .section = section, .address = address };
	const struct symbol *all = o->syms->objects.array;

	return first_not_before(at, o->syms->objects.nr, cmp_place(&all[at], &key) < 0);
}

/* Find the best fit among the symbols at a variable's place. */
static enum symbol_fit find_fit(const struct objects *o, const struct variable *var, uint64_t size,
				uint32_t section)
{
	const struct symbol *all = o->syms->objects.array;
	const struct symbol key = { .section = section, .address = var->address };
	enum symbol_fit best = SYMBOL_FIT_FREE, fit;
	uint32_t nr = o->syms->objects.nr, first = first_symbol(o, section, var->address), i;

	for (i = first; i < nr && !cmp_place(&all[i], &key) && i - first < MAX_AT_PLACE; i++) {
		fit = is_container(&all[i]) ? SYMBOL_FIT_FREE : fit_of(o, var, size, &all[i]);
		best = fit < best || best == SYMBOL_FIT_FREE ? fit : best;
	}
	if (best != SYMBOL_FIT_FREE)
		return best;
	/* an earlier object that reaches it, or one that starts in it */
	if (first && all[first - 1].section == section && o->reach[first - 1] > var->address)
		return SYMBOL_FIT_NONE;
	while (i < nr && is_container(&all[i]))
		i++;
	return i < nr && all[i].section == section && all[i].address - var->address < size ?
	       SYMBOL_FIT_NONE : SYMBOL_FIT_FREE;
}

/* --- decisions ---------------------------------------------------------------- */

static int compare_vars(const void *x, const void *y)
{
	const struct decided_var *dx = x, *dy = y;
	const struct out_var *a = &dx->out, *b = &dy->out;

	return cmp_int(a->section, b->section) ?: cmp_int(a->offset, b->offset) ?:
	       cmp_int(dx->symbol_fit, dy->symbol_fit) ?: strcmp(a->name, b->name) ?:
	       cmp_int(dx->desc, dy->desc);
}

/* Return: VAR_ENCODED and the variable in @ret, or why it is omitted. */
static enum var_reason decide_one(const struct objects *o, const struct variable *var,
				  struct decided_var *ret)
{
	const struct image *img = o->syms->img;
	const char *name = o->store->strings.array[var->name].s;
	const struct section *sec = section_at(img, var);
	uint64_t size = var->size ?: size_of(img, o->store, var->type), offset;
	const struct symbol *sym;
	uint32_t at;

	ret->out.name = name;
	ret->unit = var->unit;
	ret->address = var->address;
	ret->desc = desc__id(var->unit, var->desc);
	if (var->unknown)
		return VAR_LOCATION;
	if (!sec)
		return var->maybe_dead ? VAR_DISCARDED : VAR_NO_SECTION;
	ret->out.section_name = sec->name;
	ret->out.section = sec->index;
	if (is_made_up(name))
		return VAR_GENERATED;
	offset = img->type == ET_REL ? var->address : var->address - sec->address;
	if (!var->name) {
		at = first_symbol(o, sec->index, var->address);
		sym = &o->syms->objects.array[at];
		if (at < o->syms->objects.nr && sym->section == sec->index && sym->address == var->address)
			ret->out.name = sym->name;
		return VAR_NO_NAME;
	}
	ret->symbol_fit = find_fit(o, var, size, sec->index);
	if (var->maybe_dead && ret->symbol_fit > SYMBOL_FIT_NAME &&
	    !(ret->symbol_fit == SYMBOL_FIT_LARGER && is_flexible(o->store, var->type)))
		return VAR_DISCARDED;
	if (!name__is_valid(name))
		return VAR_NAME;
	if (!var->type)
		return VAR_TYPE;
	if (!size || size > UINT32_MAX || offset > UINT32_MAX)
		return VAR_SIZE;
	if (ret->symbol_fit == SYMBOL_FIT_NONE)
		return VAR_HIDDEN;
	ret->out.type = var->type;
	ret->out.offset = offset;
	ret->out.size = size;
	ret->out.linkage = var->external ? BTF_VAR_GLOBAL_ALLOCATED : BTF_VAR_STATIC;
	return VAR_ENCODED;
}

/*
 * The kernel rejects a DATASEC in which variables overlap.  Keep the first one, unless the other
 * one has a symbol with its name.
 */
static void drop_overlapping(struct decided_vars *vars)
{
	struct decided_var *last = NULL;

	for_each(var, vars) {
		if (var->reason)
			continue;
		if (!last || last->out.section != var->out.section ||
		    (uint64_t)last->out.offset + last->out.size <= var->out.offset) {
			last = var;
		} else if (var->symbol_fit <= SYMBOL_FIT_LARGER &&
			   last->symbol_fit > SYMBOL_FIT_LARGER) {
			last->reason = VAR_OVERLAP;
			last = var;
		} else {
			var->reason = VAR_OVERLAP;
		}
	}
}

int variables__decide(struct decided_vars *ret, const struct symbols *syms,
		      const struct observed *observed, const struct store *store,
		      char *const *files, bool force)
{
	uint64_t *reach __cleanup(free_pointer) = xcalloc(syms->objects.nr + 1UL, sizeof(*reach));
	const struct objects o = { .syms = syms, .store = store, .files = files, .reach = reach };
	const struct symbol *all = syms->objects.array;

	for (uint32_t i = 0; observed->vars.nr && i < syms->objects.nr; i++) {
		reach[i] = end_of(&all[i]);
		if (i && all[i - 1].section == all[i].section && reach[i - 1] > reach[i])
			reach[i] = reach[i - 1];
	}
	for_each(var, &observed->vars) {
		struct decided_var decided = {};

		decided.reason = decide_one(&o, var, &decided);
		if (decided.reason == VAR_NAME && !force)
			return msg_fail(-EINVAL, "variable \"%.64s\" has a name that BTF cannot represent; encode_force omits it",
					decided.out.name);
		push(ret, decided);
	}
	vector__sort(ret, compare_vars);
	drop_overlapping(ret);
	for_each(var, ret) {
		ret->by_reason[var->reason]++;
		if (var->reason && var->reason != VAR_GENERATED)
			msg_info("variable \"%.64s\" is omitted: %s", var->out.name,
				 var_reasons[var->reason].text);
	}
	return 0;
}

void decided_vars__destroy(struct decided_vars *vars)
{
	free(vars->array);
	*vars = (struct decided_vars){};
}
