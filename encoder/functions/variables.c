// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <elf.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "functions/names.h"
#include "functions/variables.h"
#include "image/symbols.h"
#include "util/msg.h"

/* The section a variable lies in: the first that holds its address. */
static const struct section *section_at(const struct image *img, const struct variable *var)
{
	size_t i;

	if (img->type == ET_REL)
		return var->section < img->nr_sections ? &img->sections[var->section] : NULL;
	for (i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];

		if ((sec->type == SHT_PROGBITS || sec->type == SHT_NOBITS) &&
		    var->address - sec->address < sec->size)
			return sec;
	}
	return NULL;
}

/* A type's size in bytes, 0 if it has none. */
static uint64_t size_of(const struct image *img, const struct store *s, uint32_t type)
{
	uint64_t nr = 1;
	unsigned int n;

	for (n = 0; type && n < 1000; n++) {
		const struct node *t = &s->nodes[type];

		switch (t->kind) {
		case BTF_KIND_PTR:
			return nr * (img->is_64 ? 8 : 4);
		case BTF_KIND_ARRAY:
			nr *= t->size;
			/* more than any variable has; and it must not wrap round */
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

/* Names that the build makes up; nobody would look for them. */
static bool is_made_up(const char *name)
{
	static const char *const prefixes[] = {
		"__UNIQUE_ID", "__tpstrtab_", "__exitcall_", "__gendwarfksyms_ptr_",
		"__func_stack_frame_non_standard_",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* A candidate, with what its order depends on. */
struct var_candidate {
	struct out_var	var;
	uint64_t	origin;
};

static int compare_candidates(const void *x, const void *y)
{
	const struct out_var *a = &((const struct var_candidate *)x)->var;
	const struct out_var *b = &((const struct var_candidate *)y)->var;
	uint64_t ao = ((const struct var_candidate *)x)->origin;
	uint64_t bo = ((const struct var_candidate *)y)->origin;
	int diff;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	diff = strcmp(a->name, b->name);
	if (diff)
		return diff;
	return ao < bo ? -1 : ao > bo;
}

/* Return: 1 and a candidate, 0 if the variable is left out, or -EINVAL. */
static int make_candidate(struct var_candidate *ret, const struct symbols *syms,
			  const struct variable *var, const struct store *store, bool force)
{
	const struct image *img = syms->img;
	const char *name = store->strings.array[var->name].s;
	const struct section *sec = section_at(img, var);
	uint64_t size, offset;

	if (!sec || is_made_up(name))
		return 0;
	offset = img->type == ET_REL ? var->address : var->address - sec->address;
	if (!offset && !symbols__is_at_start(syms, sec->index, name))
		return 0;
	if (!name__is_valid(name)) {
		if (force) {
			msg_info("variable \"%.64s\" is left out: the name is no identifier", name);
			return 0;
		}
		msg_error("variable \"%.64s\" has a name that BTF cannot hold; encode_force leaves it out",
			  name);
		return -EINVAL;
	}
	size = var->size ?: size_of(img, store, var->type);
	if (!size || size > UINT32_MAX || offset > UINT32_MAX) {
		msg_info("variable %s is left out: its size is %s", name, size ? "too big" : "0");
		return 0;
	}
	*ret = (struct var_candidate){
		.var = { .name = name, .type = var->type, .section = sec->index,
			 .offset = offset, .size = size,
			 .linkage = var->external ? BTF_VAR_GLOBAL_ALLOCATED : BTF_VAR_STATIC },
		.origin = (uint64_t)var->unit << 32 | var->die,
	};
	return 1;
}

/* The kernel takes no DATASEC in which variables overlap. */
static void keep_disjoint(struct variables *v, const struct var_candidate *c, uint32_t nr)
{
	uint64_t end = 0;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		if (!i || c[i].var.section != c[i - 1].var.section)
			end = 0;
		if (c[i].var.offset < end) {
			msg_info("variable %s is left out: it overlaps another", c[i].var.name);
			continue;
		}
		end = (uint64_t)c[i].var.offset + c[i].var.size;
		v->origins[v->nr] = c[i].origin;
		v->vars[v->nr++] = c[i].var;
	}
}

int variables__decide(struct variables *ret, const struct symbols *syms,
		      const struct observed *observed, const struct store *store, bool force)
{
	uint32_t nr = observed->nr_vars, kept = 0, i;
	const struct image *img = syms->img;
	struct var_candidate *c = calloc(nr + 1, sizeof(*c));
	int err = -ENOMEM;

	memset(ret, 0, sizeof(*ret));
	ret->vars = calloc(nr + 1, sizeof(*ret->vars));
	ret->origins = calloc(nr + 1, sizeof(*ret->origins));
	ret->sections = calloc(img->nr_sections + 1, sizeof(*ret->sections));
	if (!c || !ret->vars || !ret->origins || !ret->sections)
		goto out;
	ret->nr_sections = img->nr_sections;
	for (i = 0; i < img->nr_sections; i++)
		ret->sections[i] = img->sections[i].name;
	for (i = 0; i < nr; i++) {
		err = make_candidate(&c[kept], syms, &observed->vars[i], store, force);
		if (err < 0)
			goto out;
		kept += err;
	}
	err = 0;
	qsort(c, kept, sizeof(*c), compare_candidates);
	keep_disjoint(ret, c, kept);
out:
	free(c);
	if (err)
		variables__destroy(ret);
	return err;
}

void variables__destroy(struct variables *v)
{
	free(v->vars);
	free(v->origins);
	free(v->sections);
	memset(v, 0, sizeof(*v));
}
